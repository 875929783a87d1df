// `malipo-server request translate`: a request body of API v1 in, the current one out, and beside it
// what changed. It needs no gateway.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { translateBody } from '../../wire/v1/translate-body.ts';
import { TRANSLATED_KINDS } from '../../wire/v1/translate-request.ts';
import { print, readOptions, requireOneOf, TEXT, UsageError, type Command } from '../command.ts';

export const translateRequestCommand: Command = {
  usage: `--kind ${TRANSLATED_KINDS.join('|')} [--file body.json]`,
  summary: 'translate a request body of API v1, from a file or standard input, to API v2',
  run: async (args) => {
    const values = readOptions(args, { kind: TEXT, file: TEXT });
    const kind = requireOneOf(TRANSLATED_KINDS, values, 'kind');
    const { file } = values;
    const translated = translateBody(
      kind,
      await (typeof file === 'string' ? readFile(file, 'utf8') : text(process.stdin)),
    );
    if ('fault' in translated) throw new UsageError(translated.fault);
    const { bodies, changes } = translated;
    // The changes go where they do not get into a file that the body is written to.
    process.stderr.write(changes.length === 0 ? 'Nothing changes.\n' : `${changes.join('\n')}\n`);
    print(JSON.stringify(bodies, null, 2));
  },
};
