// The package.json of a published package, from the one of its workspace: sources are replaced by their compiled files,
// and repository-only fields are removed.
import { posix } from 'node:path';
import type { Published } from './published.ts';

export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** For bundlers: whether importing it has side effects. */
  readonly sideEffects?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

export function renderManifest(source: Manifest, published: Published): object {
  const { name, version, description, license, sideEffects } = source;
  const { bin, exports, dependencies, optionalDependencies } = source;
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    ...(sideEffects !== undefined && { sideEffects }),
    engines: { node: `>=${published.node}` },
    ...(bin !== undefined && { bin: mapValues(bin, (_, command) => `./bin/${command}.js`) }),
    ...(exports !== undefined && { exports: mapValues(exports, (path) => renderExport(path, published)) }),
    ...(dependencies !== undefined && { dependencies }),
    ...(optionalDependencies !== undefined && { optionalDependencies }),
  };
}

function renderExport(path: string, { folder, hasDeclarations }: Published): string | object {
  const compiled = `./${compiledPath(path, folder)}`;
  if (!hasDeclarations) return compiled;
  return { types: compiled.replace(/\.js$/, '.d.ts'), default: compiled };
}

/** The path of `./src/main.ts` of a workspace in the package. */
export function compiledPath(path: string, folder: string): string {
  return posix.join(folder, path.replace(/\.ts$/, '.js'));
}

function mapValues<Value, Made>(
  record: Readonly<Record<string, Value>>,
  make: (value: Value, key: string) => Made,
): Readonly<Record<string, Made>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, make(value, key)]));
}
