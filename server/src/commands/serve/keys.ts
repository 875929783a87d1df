// The encryption keys of a process: from its settings, or from a key service that unwraps them.
import type { Logger } from 'pino';
import { ConfigError } from '../../config-values.ts';
import type { Config } from '../../config.ts';
import type { KeyServiceSettings } from '../../config-keys.ts';
import { KeyKeeper, type KeyChange, type KeyUsers, type WrappedKey } from '../../wrapped-keys/keeper.ts';
import type { KeyAccess, KeyFailure, KeyServiceObserver } from '../../wrapped-keys/port.ts';
import { createTransit } from '../../wrapped-keys/transit.ts';
import type { Keyring } from '../../store/encryption/encryption.ts';
import type { Role } from './compose.ts';

export type ProcessKeys = {
  readonly access: KeyAccess;
  /** Lets those who need keys begin as soon as there are some. */
  readonly start: (users: KeyUsers) => Promise<void>;
  /** Looks after the keys no longer. */
  readonly stop: () => void;
  readonly close: () => Promise<void>;
};

export type KeyParts = {
  readonly role: Role;
  readonly keyring: Keyring;
  readonly logger: Logger;
  readonly observer: KeyServiceObserver;
};

const FROM_SETTINGS: ProcessKeys = {
  access: { problem: () => null, mayHearOperators: () => true },
  start: ({ begin }) => begin(),
  stop: () => undefined,
  close: async () => undefined,
};

/** Asks a key service once. A command cannot wait; any other process says that it is not ready, and asks again. */
export async function openKeys({ keys }: Pick<Config, 'keys'>, parts: KeyParts): Promise<ProcessKeys> {
  const { keyService: settings } = keys;
  if (settings === undefined) return FROM_SETTINGS;
  const { role, keyring, logger, observer } = parts;
  const service = createTransit(settings.transit, observer);
  const keeper = new KeyKeeper({
    service,
    wrappedKeys: settings.listed.map(requireWrapped),
    checkMs: settings.checkMs,
    hearMs: role === 'api' || role === 'all' ? settings.hearMs : 0,
    observer,
    provide: (provided) => keyring.provide(provided),
    drop: () => keyring.drop(),
    // A command says it once, as the reason why it ends.
    report: (change) => (role === 'admin' ? undefined : log(logger, change)),
  });
  const failure = await keeper.unwrap();
  if (failure !== null && role === 'admin') throw new ConfigError(explainFailure(failure));
  return {
    access: keeper,
    start: (users) => keeper.start(users),
    stop: () => keeper.stop(),
    close: () => service.close(),
  };
}

export function explainFailure({ problem, detail }: KeyFailure): string {
  return `The key service does not give the encryption keys: ${problem} (${detail}).`;
}

function requireWrapped(listed: KeyServiceSettings['listed'][number]): WrappedKey {
  if ('wrapped' in listed) return listed;
  throw new ConfigError(
    `MALIPO_ENCRYPTION_KEYS: key ${listed.id} is not wrapped. Put there what malipo-server keys wrap prints, ` +
      'or unset MALIPO_KEY_SERVICE_URL.',
  );
}

function log(logger: Logger, change: KeyChange): void {
  switch (change.type) {
    case 'GRANTED':
      return logger.info('the key service grants the encryption keys');
    case 'DROPPED':
      return logger.error('the encryption keys were dropped: nothing is decrypted any more');
    case 'PROBLEM': {
      const { problem, detail } = change.failure;
      const { areKeysHeld } = change;
      return logger.warn({ problem, detail, areKeysHeld }, 'the key service does not grant the keys');
    }
  }
}
