// The host's keys, read from the environment. No message repeats one.
import { Buffer } from 'node:buffer';
import type { Environment } from './core/engine.ts';
import type { KeyList } from './core/access/link-keys.ts';
import { CALLBACKS_WITHIN_MS } from './connectors/timing.ts';
import type { WrappedKey } from './wrapped-keys/keeper.ts';
import type { LoginMethod, LoginSettings } from './wrapped-keys/session.ts';
import type { TransitSettings } from './wrapped-keys/transit.ts';
import type { EncryptionKey, KeyringOptions } from './store/encryption/encryption.ts';
import { createSecretReader } from './config-secrets.ts';
import { ConfigError, optional, readNumber, readUrl, required, requireDistinct } from './config-values.ts';

/** An encryption key as it is listed: itself, or wrapped by the key service. */
export type ListedKey = EncryptionKey | WrappedKey;

export type KeyServiceSettings = {
  readonly transit: TransitSettings;
  /** How often a process asks whether it may still have its keys. */
  readonly checkMs: number;
  /** How long after a denial a process that listens for operators still hears them. */
  readonly hearMs: number;
  readonly listed: readonly ListedKey[];
};

export type KeySettings = KeyringOptions & {
  /** What wraps the encryption keys. Left out: they are in the settings. */
  readonly keyService?: KeyServiceSettings;
  readonly referenceKey: Buffer;
  /** Each purpose derives keys of its own from these. */
  readonly linkKeys: KeyList;
};

const KEYS = '32 bytes in base64';

/** `given` is the environment before files were read: what a login needs is read again each time. */
export function readKeys(
  env: NodeJS.ProcessEnv,
  environment: Environment,
  given: NodeJS.ProcessEnv = env,
): KeySettings {
  const listed = readEncryptionKeys(env);
  const textOf = (name: string) => required(env, name, KEYS);
  const { key: searchKey, older } = readKeyList('MALIPO_SEARCH_KEY', textOf('MALIPO_SEARCH_KEY'));
  const service = readKeyService(env, environment, given);
  return {
    encryptionKeys: service === null ? listed.map(requirePlain) : [],
    ...(service !== null && { keyService: { ...service, listed } }),
    searchKey,
    ...(older.length > 0 && { olderSearchKeys: older }),
    referenceKey: readKey('MALIPO_REFERENCE_KEY', textOf('MALIPO_REFERENCE_KEY')),
    linkKeys: readLinkKeys(env, environment, [searchKey, ...older]),
  };
}

function readEncryptionKeys(env: NodeJS.ProcessEnv): readonly ListedKey[] {
  const name = 'MALIPO_ENCRYPTION_KEYS';
  const keys = required(env, name, '"1:<32 bytes in base64>", the current one first')
    .split(',')
    .map((entry): ListedKey => {
      const [id = '', ...rest] = entry.split(':');
      if (!/^\d{1,3}$/.test(id) || Number(id) > 255)
        throw new ConfigError(`${name}: each key needs a number from 0 to 255 before the colon.`);
      const text = rest.join(':');
      return /^vault:v\d+:./.test(text)
        ? { id: Number(id), wrapped: text }
        : { id: Number(id), key: readKey(name, text) };
    });
  requireDistinct(name, 'the key number', keys);
  return keys;
}

function requirePlain(listed: ListedKey): EncryptionKey {
  if ('key' in listed) return listed;
  throw new ConfigError(
    `MALIPO_ENCRYPTION_KEYS: key ${listed.id} is wrapped by a key service. Set MALIPO_KEY_SERVICE_URL.`,
  );
}

/** Where Kubernetes puts the token of a service account. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount/token';

function readKeyService(
  env: NodeJS.ProcessEnv,
  environment: Environment,
  given: NodeJS.ProcessEnv,
): Omit<KeyServiceSettings, 'listed'> | null {
  const url = readUrl(env, 'MALIPO_KEY_SERVICE_URL');
  if (url === null) return null;
  if (environment === 'production' && !/^https:|^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)([:/]|$)/.test(url))
    throw new ConfigError('MALIPO_KEY_SERVICE_URL must be an https address in production, or this machine.');
  return {
    transit: {
      url,
      namespace: optional(env, 'MALIPO_KEY_SERVICE_NAMESPACE') ?? null,
      mount: readPath(env, 'MALIPO_KEY_SERVICE_MOUNT', 'transit'),
      keyName: readPath(env, 'MALIPO_KEY_SERVICE_KEY_NAME', 'malipo'),
      login: readLogin(env, given),
    },
    checkMs: readNumber(env, 'MALIPO_KEY_SERVICE_CHECK_MS', 15_000, [100, 600_000]),
    hearMs: CALLBACKS_WITHIN_MS,
  };
}

const LOGINS: readonly LoginMethod[] = ['token', 'approle', 'kubernetes'];

function readLogin(env: NodeJS.ProcessEnv, given: NodeJS.ProcessEnv): LoginSettings {
  const text = required(env, 'MALIPO_KEY_SERVICE_LOGIN', LOGINS.join(', '));
  const method = LOGINS.find((one) => one === text);
  if (method === undefined)
    throw new ConfigError(`MALIPO_KEY_SERVICE_LOGIN must be one of ${LOGINS.join(', ')}, not "${text}".`);
  const isToken = method === 'token';
  const otherwise = method === 'kubernetes' ? SERVICE_ACCOUNT : null;
  if (otherwise === null) required(env, 'MALIPO_KEY_SERVICE_CREDENTIAL', 'a token, or a secret_id');
  return {
    method,
    mount: readPath(env, 'MALIPO_KEY_SERVICE_LOGIN_MOUNT', method),
    role: isToken ? null : required(env, 'MALIPO_KEY_SERVICE_ROLE', 'a role_id, or the name of a role'),
    credential: createSecretReader(given, 'MALIPO_KEY_SERVICE_CREDENTIAL', otherwise),
  };
}

/** A part of a path of the service, such as "transit" or "team/transit". */
function readPath(env: NodeJS.ProcessEnv, name: string, otherwise: string): string {
  const path = optional(env, name) ?? otherwise;
  if (/^[\w.-]+(\/[\w.-]+)*$/.test(path)) return path;
  throw new ConfigError(`${name} must be a path of letters, digits and - _ . without slashes at its ends.`);
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
