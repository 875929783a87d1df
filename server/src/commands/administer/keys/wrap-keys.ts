// `malipo-server keys wrap`: has the encryption keys wrapped by the newest version of the key service's key. It needs
// no database: what it prints is the new value of the setting.
import { randomBytes } from 'node:crypto';
import { ConfigError } from '../../../config-values.ts';
import { readConfig } from '../../../config.ts';
import type { ListedKey } from '../../../config-keys.ts';
import type { KeyAnswer, KeyService, KeyServiceObserver } from '../../../wrapped-keys/port.ts';
import { createTransit } from '../../../wrapped-keys/transit.ts';
import { type Command } from '../../command.ts';
import { print } from '../../output.ts';
import { readOptions, UsageError } from '../../options.ts';
import { explainFailure } from '../../serve/keys.ts';

const USAGE = '[--new NUMBER]';

/** A command ends at once: no one reads its metrics. */
const UNOBSERVED: KeyServiceObserver = {
  asked: () => undefined,
  held: () => undefined,
  renewed: () => undefined,
  tokenEnds: () => undefined,
};

export const wrapKeysCommand: Command = {
  usage: USAGE,
  summary: 'print MALIPO_ENCRYPTION_KEYS wrapped by the key service; with --new, and a new key',
  run: async (args) => {
    const options = readOptions(USAGE, args);
    const { keyService } = readConfig().keys;
    if (keyService === undefined)
      throw new ConfigError('MALIPO_KEY_SERVICE_URL is not set. It must be the URL of the key service.');
    const added = options.isGiven('new') ? [createKey(options.count('new', 0), keyService.listed)] : [];
    const service = createTransit(keyService.transit, UNOBSERVED);
    try {
      const entries: string[] = [];
      for (const one of [...keyService.listed, ...added])
        entries.push(`${one.id}:${requireDone(await wrap(service, one))}`);
      print(entries.join(','));
    } finally {
      await service.close();
    }
  },
};

function createKey(id: number, listed: readonly ListedKey[]): ListedKey {
  if (id > 255) throw new UsageError('--new must be at most 255.');
  if (listed.some((one) => one.id === id)) throw new UsageError(`There is a key ${id} already.`);
  return { id, key: randomBytes(32) };
}

function wrap(service: KeyService, listed: ListedKey): Promise<KeyAnswer<string>> {
  return 'wrapped' in listed ? service.rewrap(listed.wrapped) : service.wrap(listed.key);
}

function requireDone(answer: KeyAnswer<string>): string {
  if (answer.type === 'DONE') return answer.value;
  throw new ConfigError(explainFailure(answer));
}
