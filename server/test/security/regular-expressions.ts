// Finds every regular expression of the source by reading it, so that a new one cannot be left out of the test.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vitest/node';

const ROOT = new URL('../../../', import.meta.url).pathname;

export type FoundExpression = {
  readonly path: string;
  /** As it is written in the source. */
  readonly written: string;
  /** Null where it is built from something that only a running process knows. */
  readonly pattern: RegExp | null;
};

type Node = { readonly type: string; readonly start: number; readonly end: number } & Record<string, unknown>;

type File = { readonly path: string; readonly text: string; readonly nodes: readonly Node[] };

export function findRegularExpressions(folders: readonly string[]): readonly FoundExpression[] {
  const files = folders.flatMap(readSources);
  const constants = new Map(files.map((file) => [file.path, constantsOf(file)]));
  const everywhere = new Map([...constants.values()].flatMap((of) => [...of]));
  return files.flatMap((file) => {
    const known = new Map([...everywhere, ...(constants.get(file.path) ?? [])]);
    return file.nodes.flatMap((node) => expressionsAt(file, node, known));
  });
}

function readSources(folder: string): readonly File[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const tree = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' });
      return { path, text, nodes: [...nodesIn(tree)] };
    });
}

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return;
  if (isNode(value)) yield value;
  for (const inner of Object.values(value)) yield* nodesIn(inner);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

type Constants = ReadonlyMap<string, Node>;

function constantsOf({ nodes }: File): Constants {
  return new Map(
    nodes.flatMap(({ type, id, init }) =>
      type === 'VariableDeclarator' && isNode(id) && typeof id['name'] === 'string' && isNode(init)
        ? [[id['name'], init] as const]
        : [],
    ),
  );
}

function expressionsAt({ path, text }: File, node: Node, known: Constants): readonly FoundExpression[] {
  const written = text.slice(node.start, node.end);
  const { regex } = node;
  if (isRegexParts(regex)) return [{ path, written, pattern: new RegExp(regex.pattern, regex.flags) }];
  const source = sourceOf(node);
  if (source === null) return [];
  const pattern = textOf(source.pattern, known);
  const flags = source.flags === undefined ? '' : (textOf(source.flags, known) ?? '');
  return [{ path, written, pattern: pattern === null ? null : new RegExp(pattern, flags) }];
}

function isRegexParts(value: unknown): value is { readonly pattern: string; readonly flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value;
}

/** `new RegExp(…)`, and what a schema demands of a text. */
function sourceOf(node: Node): { readonly pattern: Node; readonly flags?: Node } | null {
  const { type, callee, key, value } = node;
  if (
    (type === 'NewExpression' || type === 'CallExpression') &&
    isNode(callee) &&
    callee['name'] === 'RegExp'
  ) {
    const [pattern, flags] = node['arguments'] as readonly Node[];
    return pattern === undefined ? null : { pattern, ...(flags !== undefined && { flags }) };
  }
  const isPattern =
    type === 'Property' && node['shorthand'] === false && isNode(key) && key['name'] === 'pattern';
  return isPattern && isNode(value) ? { pattern: value } : null;
}

/** The text that an expression of constants makes; null where it takes more than constants. */
function textOf(node: Node, known: Constants): string | null {
  const { type, value, name } = node;
  if (type === 'Literal') return typeof value === 'string' ? value : null;
  if (type === 'Identifier') {
    const constant = known.get(String(name));
    return constant === undefined ? null : textOf(constant, known);
  }
  if (type === 'TemplateLiteral') return templateText(node, known);
  if (type === 'CallExpression') return callText(node, known);
  return null;
}

function templateText(node: Node, known: Constants): string | null {
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  const texts = (node['expressions'] as readonly Node[]).map((inner) => textOf(inner, known));
  if (texts.includes(null)) return null;
  return quasis.map(({ value }, index) => value.cooked + (texts[index] ?? '')).join('');
}

/** `NAMES.join('|')` and `PATTERN.replace('a', 'b')`. */
function callText(node: Node, known: Constants): string | null {
  const { object, property } = node['callee'] as { readonly object?: Node; readonly property?: Node };
  const [first = null, second = null] = (node['arguments'] as readonly Node[]).map((one) =>
    textOf(one, known),
  );
  if (object === undefined || first === null) return null;
  if (property?.['name'] === 'join') return listOf(object, known)?.join(first) ?? null;
  if (property?.['name'] === 'replace' && second !== null) {
    return textOf(object, known)?.replace(first, second) ?? null;
  }
  return null;
}

function listOf(node: Node, known: Constants): readonly string[] | null {
  const list = node.type === 'Identifier' ? known.get(String(node['name'])) : node;
  const inner = list?.type === 'TSAsExpression' ? list['expression'] : list;
  if (!isNode(inner) || inner.type !== 'ArrayExpression') return null;
  const texts = (inner['elements'] as readonly Node[]).map((one) => textOf(one, known));
  return texts.every((text) => text !== null) ? texts : null;
}
