// The keys the service signs callbacks and answers with.
import { readConfig } from '../../config.ts';
import { rotateSigningKey, withdrawSigningKey } from '../../core/merchants/administer-keys.ts';
import { keyIdOf, LEAD_MIN_MS, PUBLISHED_AFTER_USE_MS } from '../../core/access/signing-keys.ts';
import { chooseCurrentKey, listPublishedKeys } from '../../domain/key-rotation.ts';
import { listSigningKeys, type StoredSigningKey } from '../../store/access/signing-keys.ts';
import { print, readOptions, refuse, requirePerson, requireText, TEXT, withGateway } from '../command.ts';
import type { Command } from '../command.ts';

const rotateSigningKeyCommand: Command = {
  usage: '[--at-once] --by NAME',
  summary:
    'create the next signing key; it is published now and signs after the lead time, or within seconds ' +
    'with --at-once',
  run: async (args) => {
    const values = readOptions(args, { 'at-once': { type: 'boolean', default: false }, by: TEXT });
    const by = requirePerson(values);
    const { keyLeadSeconds } = readConfig().signatures;
    const leadMs = values['at-once'] === true ? LEAD_MIN_MS : keyLeadSeconds * 1_000;
    await withGateway(async ({ engine }) => {
      const keyId = await rotateSigningKey(engine, { by, leadMs });
      if (keyId === null) refuse('Somebody else has just made a key. Run signing-key list.');
      else print(`${keyId} signs in ${leadMs / 1_000} seconds`);
    });
  },
};

const retireSigningKeyCommand: Command = {
  usage: '--key HTTP_EC_P256_KEY:1 --by NAME',
  summary: 'stop publishing a signing key that was stolen; not the one that signs',
  run: async (args) => {
    const values = readOptions(args, { key: TEXT, by: TEXT });
    const order = { by: requirePerson(values), keyId: requireText(values, 'key') };
    await withGateway(async ({ engine }) => {
      const answer = await withdrawSigningKey(engine, order);
      switch (answer) {
        case 'WITHDRAWN':
          return print('retired');
        case 'UNKNOWN':
          return refuse('There is no such key, or it was retired before.');
        case 'IN_USE':
          return refuse(
            'This key signs. Run signing-key rotate --at-once and wait until the next one signs.',
          );
      }
    });
  },
};

const listSigningKeysCommand: Command = {
  usage: '',
  summary: 'list the signing keys of the service: id, status, when it was created, when it starts to sign',
  run: async (args) => {
    readOptions(args, {});
    await withGateway(async ({ engine: { store, clock } }) => {
      const keys = await listSigningKeys(store.database);
      for (const key of keys) print(renderKey(key, keys, clock.now()));
    });
  },
};

function renderKey(key: StoredSigningKey, keys: readonly StoredSigningKey[], now: Date): string {
  const { keyNo, createdAt, signsFrom } = key;
  const times = [`made ${createdAt.toISOString()}`, `signs from ${signsFrom.toISOString()}`];
  return [keyIdOf(keyNo), stateOf(key, keys, now), ...times].join('\t');
}

function stateOf(key: StoredSigningKey, keys: readonly StoredSigningKey[], now: Date): string {
  if (key === chooseCurrentKey(keys, now)) return 'CURRENT';
  if (key.retiredAt !== null) return 'RETIRED';
  if (!listPublishedKeys(keys, { now, keepMs: PUBLISHED_AFTER_USE_MS }).includes(key)) return 'PAST';
  return key.signsFrom > now ? 'NEXT' : 'KEPT';
}

export const signingKeyCommands: ReadonlyMap<string, Command> = new Map([
  ['signing-key rotate', rotateSigningKeyCommand],
  ['signing-key retire', retireSigningKeyCommand],
  ['signing-key list', listSigningKeysCommand],
]);
