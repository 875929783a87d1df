// `malipo request translate`: translates a v1 request to v2 and lists the changes.
import { readFile } from 'node:fs/promises';
import type { translateBody } from '@malipo/server/translate-body';
import { textOf, Trouble, type Command } from '../command.ts';

type Kind = Parameters<typeof translateBody>[0];

/** The kinds of API v1 that the translation supports. */
const KINDS: readonly Kind[] = ['deposit', 'payout', 'refund', 'prediction'];

export const translateCommand: Command = {
  words: 'request translate',
  summary: 'Translate a request body of API v1 to API v2, and list the changes',
  details: 'It needs no gateway. A list, as for bulk payouts, is translated as a whole.',
  arguments: [{ name: 'KIND', summary: 'Kind of request.', choices: KINDS }],
  options: [{ name: 'file', value: 'FILE', summary: 'File with the body; default: standard input.' }],
  examples: [
    'malipo request translate deposit --file body.json',
    'malipo request translate payout < body.json > new-body.json',
  ],
  run: async (call) => {
    const path = textOf(call, 'file');
    const text = path === undefined ? await call.world.readInput() : await readFile(path, 'utf8');
    const server = await import('@malipo/server/translate-body');
    const translated = server.translateBody(call.args['KIND'] as Kind, text);
    if ('fault' in translated)
      throw new Trouble(translated.fault, 'Check that it is a request of API v1 and of this kind.');
    const { bodies, changes } = translated;
    if (!call.isJson) call.world.tell(changes.length === 0 ? 'No changes.' : changes.join('\n'));
    return { value: { body: bodies, changes }, text: JSON.stringify(bodies, null, 2) };
  },
};
