// `malipo migrate`: translates a v1 request to v2 and lists the changes.
import { readFile } from 'node:fs/promises';
import type { translateBody } from '@malipo/server/translate-body';
import { textOf, Trouble, type Command } from '../command.ts';

type Kind = Parameters<typeof translateBody>[0];

/** The kinds of API v1 that the translation supports. */
const KINDS: readonly Kind[] = ['deposit', 'payout', 'refund', 'prediction'];

export const migrateCommand: Command = {
  words: 'migrate',
  summary: 'Turn a request body of API v1 into the current one, and say what changed',
  details: 'It needs no gateway. A list, as bulk payouts send it, is turned as a whole.',
  arguments: [{ name: 'KIND', summary: 'What it is.', choices: KINDS }],
  options: [
    { name: 'file', value: 'FILE', summary: 'The file with the body; the standard input without it.' },
  ],
  examples: ['malipo migrate deposit --file body.json', 'malipo migrate payout < body.json > new-body.json'],
  run: async (call) => {
    const path = textOf(call, 'file');
    const text = path === undefined ? await call.world.readInput() : await readFile(path, 'utf8');
    const server = await import('@malipo/server/translate-body');
    const translated = server.translateBody(call.args['KIND'] as Kind, text);
    if ('fault' in translated) throw new Trouble(translated.fault, 'Is it of API v1, and of this kind?');
    const { bodies, changes } = translated;
    if (!call.isJson) call.world.tell(changes.length === 0 ? 'Nothing changes.' : changes.join('\n'));
    return { value: { body: bodies, changes }, text: JSON.stringify(bodies, null, 2) };
  },
};
