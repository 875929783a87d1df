// `malipo-server request translate`: a request body of API v1 in, the current one out, and beside it
// what changed. It needs no gateway.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Command } from '../command.ts';
import { print } from '../output.ts';
import { readOptions, UsageError } from '../options.ts';

const USAGE = '--kind deposit|payout|refund|prediction [--file body.json]';

export const translateRequestCommand: Command = {
  usage: USAGE,
  summary: 'translate a request body of API v1 to v2',
  run: async (args) => {
    const options = readOptions(USAGE, args);
    // Only here: no other command needs the schemas of the API.
    const { TRANSLATED_KINDS } = await import('../../wire/v1/translate-request.ts');
    const { translateBody } = await import('../../wire/v1/translate-body.ts');
    const kind = options.oneOf('kind', TRANSLATED_KINDS);
    const file = options.textOrNull('file');
    const body = await (file === null ? text(process.stdin) : readFile(file, 'utf8'));
    const translated = translateBody(kind, body);
    if ('fault' in translated) throw new UsageError(translated.fault);
    const { bodies, changes } = translated;
    // The changes go where they do not get into a file that the body is written to.
    process.stderr.write(changes.length === 0 ? 'No changes.\n' : `${changes.join('\n')}\n`);
    print(JSON.stringify(bodies, null, 2));
  },
};
