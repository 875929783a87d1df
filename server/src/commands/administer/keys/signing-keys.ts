// The keys the service signs callbacks and answers with.
import { readConfig } from '../../../config.ts';
import { rotateSigningKey, withdrawSigningKey } from '../../../core/merchants/administer-keys.ts';
import { keyIdOf, LEAD_MIN_MS, PUBLISHED_AFTER_USE_MS } from '../../../core/access/signing-keys.ts';
import { chooseCurrentKey, listPublishedKeys } from '../../../domain/key-rotation.ts';
import { listSigningKeys, type StoredSigningKey } from '../../../store/access/signing-keys.ts';
import { gatewayCommand, nothing } from '../../command.ts';
import { print, refuse, row } from '../../output.ts';

export const signingKeyCommands = {
  'signing-key rotate': gatewayCommand({
    usage: '[--at-once] --by NAME',
    summary: 'create the next signing key; it signs after the lead time',
    read: (options) => {
      const by = options.person();
      const { keyLeadSeconds } = readConfig().signatures;
      return { by, leadMs: options.isGiven('at-once') ? LEAD_MIN_MS : keyLeadSeconds * 1_000 };
    },
    run: async ({ engine }, order) => {
      const keyId = await rotateSigningKey(engine, order);
      if (keyId === null) refuse('Another key was created at the same time. Run signing-key list.');
      else print(`${keyId} signs in ${order.leadMs / 1_000} seconds`);
    },
  }),
  'signing-key retire': gatewayCommand({
    usage: '--key HTTP_EC_P256_KEY:1 --by NAME',
    summary: 'stop publishing a stolen key; not the one that signs',
    read: (options) => ({ by: options.person(), keyId: options.text('key') }),
    run: async ({ engine }, order) => {
      const answer = await withdrawSigningKey(engine, order);
      switch (answer) {
        case 'WITHDRAWN':
          return print('retired');
        case 'UNKNOWN':
          return refuse('There is no such key, or it was retired before.');
        case 'IN_USE':
          return refuse(
            'This key is in use. Run signing-key rotate --at-once and wait until the next key signs.',
          );
      }
    },
  }),
  'signing-key list': gatewayCommand({
    usage: '',
    summary: 'list signing keys',
    read: nothing,
    run: async ({ engine: { store, clock } }) => {
      const keys = await listSigningKeys(store.database);
      const now = await clock.timeOf(store.database);
      for (const key of keys) print(renderKey(key, keys, now));
    },
  }),
};

function renderKey(key: StoredSigningKey, keys: readonly StoredSigningKey[], now: Date): string {
  const { keyNo, createdAt, signsFrom } = key;
  const times = [`created ${createdAt.toISOString()}`, `signs from ${signsFrom.toISOString()}`];
  return row(keyIdOf(keyNo), stateOf(key, keys, now), ...times);
}

function stateOf(key: StoredSigningKey, keys: readonly StoredSigningKey[], now: Date): string {
  if (key === chooseCurrentKey(keys, now)) return 'CURRENT';
  if (key.retiredAt !== null) return 'RETIRED';
  if (!listPublishedKeys(keys, { now, keepMs: PUBLISHED_AFTER_USE_MS }).includes(key)) return 'PAST';
  return key.signsFrom > now ? 'NEXT' : 'KEPT';
}
