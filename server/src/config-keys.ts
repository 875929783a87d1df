// The host's keys, read from the environment. No message repeats one.
import { Buffer } from 'node:buffer';
import type { Environment } from './core/engine.ts';
import type { KeyList } from './core/access/link-keys.ts';
import type { KeyringOptions } from './store/encryption/encryption.ts';
import { ConfigError, optional, required, requireDistinct } from './config-values.ts';

export type KeySettings = KeyringOptions & {
  readonly referenceKey: Buffer;
  /** Each purpose derives keys of its own from these. */
  readonly linkKeys: KeyList;
};

const KEYS = '32 bytes in base64';

export function readKeys(env: NodeJS.ProcessEnv, environment: Environment): KeySettings {
  const encryptionKeys = required(
    env,
    'MALIPO_ENCRYPTION_KEYS',
    '"1:<32 bytes in base64>", the current one first',
  )
    .split(',')
    .map((entry) => {
      const [id = '', key = ''] = entry.split(':');
      if (!/^\d{1,3}$/.test(id) || Number(id) > 255) {
        throw new ConfigError(
          'MALIPO_ENCRYPTION_KEYS: each key needs a number from 0 to 255 before the colon.',
        );
      }
      return { id: Number(id), key: readKey('MALIPO_ENCRYPTION_KEYS', key) };
    });
  requireDistinct('MALIPO_ENCRYPTION_KEYS', 'the key number', encryptionKeys);
  const textOf = (name: string) => required(env, name, KEYS);
  const { key: searchKey, older } = readKeyList('MALIPO_SEARCH_KEY', textOf('MALIPO_SEARCH_KEY'));
  return {
    encryptionKeys,
    searchKey,
    ...(older.length > 0 && { olderSearchKeys: older }),
    referenceKey: readKey('MALIPO_REFERENCE_KEY', textOf('MALIPO_REFERENCE_KEY')),
    linkKeys: readLinkKeys(env, environment, [searchKey, ...older]),
  };
}

/** A sandbox may do without: its links are derived from the search key then, which can be replaced too. */
function readLinkKeys(env: NodeJS.ProcessEnv, environment: Environment, otherwise: KeyList): KeyList {
  const text = optional(env, 'MALIPO_LINK_KEYS');
  if (text === undefined && environment === 'sandbox') return otherwise;
  const { key, older } = readKeyList('MALIPO_LINK_KEYS', text ?? required(env, 'MALIPO_LINK_KEYS', KEYS));
  return [key, ...older];
}

/** The current one, and behind it those that were before. */
export function readKeyList(name: string, text: string) {
  const [key = '', ...older] = text.split(',');
  return { key: readKey(name, key), older: older.map((one) => readKey(name, one)) };
}

function readKey(name: string, text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length === 32) return key;
  throw new ConfigError(`${name} must hold 32 bytes in base64; make some with: openssl rand -base64 32`);
}
