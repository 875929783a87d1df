// `malipo-server translate-request`: a request body of the earlier generation in, the current one out, and beside it
// what changed. It needs no gateway.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { renderFault } from '../wire/v2/failure.ts';
import { TRANSLATED_KINDS, translateRequest, type TranslatedKind } from '../wire/v1/translate-request.ts';
import { print, readOptions, requireOneOf, TEXT, UsageError, type Command } from './command.ts';

export const translateRequestCommand: Command = {
  usage: `translate-request --kind ${TRANSLATED_KINDS.join('|')} [--file body.json]`,
  summary:
    'turn a request body of the earlier generation, from a file or standard input, into the current one',
  run: async (args) => {
    const values = readOptions(args, { kind: TEXT, file: TEXT });
    const kind = requireOneOf(TRANSLATED_KINDS, values, 'kind');
    const { file } = values;
    const body = parseBody(await (typeof file === 'string' ? readFile(file, 'utf8') : text(process.stdin)));
    // A list is what bulk payouts send.
    const translated = Array.isArray(body)
      ? body.map((element: unknown, index) => translate(kind, element, `[${index}] `))
      : translate(kind, body, '');
    // The changes go where they do not get into a file that the body is written to.
    process.stderr.write(listChanges(translated));
    const bodies = Array.isArray(translated) ? translated.map((one) => one.body) : translated.body;
    print(JSON.stringify(bodies, null, 2));
  },
};

type Translated = { readonly body: object; readonly lines: readonly string[] };

function translate(kind: TranslatedKind, body: unknown, place: string): Translated {
  const parsed = translateRequest(kind, body);
  if (parsed.type === 'FAULT') {
    throw new UsageError(
      `${place}This is no ${kind} of the earlier generation. ${renderFault(parsed.fault).failureMessage}`,
    );
  }
  const { changes } = parsed.request;
  const lines = changes.map(({ earlier, current }) => `${place}${earlier} -> ${current}`);
  return { body: parsed.request.body, lines };
}

function listChanges(translated: Translated | readonly Translated[]): string {
  const lines = [translated].flat().flatMap((one) => one.lines);
  return lines.length === 0 ? 'Nothing changes.\n' : `${lines.join('\n')}\n`;
}

function parseBody(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new UsageError('The body is not valid JSON.');
  }
}
