// A gateway whose encryption keys come from a fake of a key service, beside one that has them in its settings: both
// work on one database.
import { openGateway, type Gateway, type Role } from '../../src/commands/serve/compose.ts';
import type { Config } from '../../src/config.ts';
import {
  FAKE_KEY_NAME,
  FAKE_ROLE_ID,
  FAKE_SECRET_ID,
  startKeyServiceFake,
  type KeyServiceFake,
} from './fake.ts';
import { openTestGateway, TEST_KEYS, type TestGateway } from '../gateway.ts';

export type KeptKeys = {
  /** Serves the API with keys from its settings, and sends nothing. */
  readonly plain: TestGateway;
  readonly fake: KeyServiceFake;
  /** The settings of a gateway that has its keys from the fake. */
  readonly config: Config;
  readonly open: (role: Role, config?: Partial<Config>) => Promise<OpenedGateway>;
  readonly stop: () => Promise<void>;
};

export type OpenedGateway = Gateway & { readonly url: string };

export const CHECK_MS = 100;

/** How long operators are heard after a denial. */
export const HEAR_MS = 5_000;

export async function openKeptKeys(): Promise<KeptKeys> {
  // An answer that hangs must not end as silence before a slow machine has come to the point.
  const timing = { timeoutMs: 60_000, notSeenAfterMs: 120_000 };
  const plain = await openTestGateway({ role: 'api', timing });
  const fake = await startKeyServiceFake();
  const login = {
    method: 'approle',
    mount: 'approle',
    role: FAKE_ROLE_ID,
    credential: () => FAKE_SECRET_ID,
  } as const;
  const transit = { url: fake.url, namespace: null, mount: 'transit', keyName: FAKE_KEY_NAME, login };
  const listed = TEST_KEYS.encryptionKeys.map(({ id, key }) => ({ id, wrapped: fake.encrypt(key) }));
  const keyService = { transit, checkMs: CHECK_MS, hearMs: HEAR_MS, listed };
  const config: Config = {
    ...plain.config,
    operatorsUrl: plain.url,
    keys: { ...TEST_KEYS, encryptionKeys: [], keyService },
  };
  const opened: Gateway[] = [];
  return {
    plain,
    fake,
    config,
    open: async (role, changes = {}) => {
      const gateway = await openGateway({ ...config, ...changes }, { role, logTo: 2 });
      opened.push(gateway);
      return { ...gateway, url: (await gateway.start()).url };
    },
    stop: async () => {
      for (const gateway of opened) await gateway.stop();
      await fake.stop();
      await plain.stop();
    },
  };
}

/** What /ready says: that it is, or the reason. */
export async function readiness(url: string): Promise<unknown> {
  const answer = await fetch(`${url}/ready`);
  const body = (await answer.json()) as Record<string, unknown>;
  return body['status'] === 'READY' ? 'READY' : (body['reason'] ?? answer.status);
}
