// A PostgreSQL cluster, the gateway as a process of its own, and a merchant.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { openGateway, type Gateway } from '../../server/src/commands/serve/compose.ts';
import { startLocalCluster } from '../../server/src/commands/sandbox/local-cluster.ts';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { readConfig } from '../../server/src/config.ts';
import { createMerchant, createToken } from '../../server/src/core/merchants/administer-merchants.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/schema/migrate.ts';
import { Child } from '../../drills/kit/child.ts';
import { openScratch } from '../../drills/kit/scratch.ts';
import { serverEnvironment } from '../../drills/kit/settings.ts';

export const PLACE = { country: 'RWA', currency: 'RWF', provider: 'MTN_MOMO_RWA' } as const;

export type Stage = {
  /** The gateway as a person at its console has it: not the process that is measured. */
  readonly engine: Engine;
  readonly merchantId: string;
  /** The process that is measured. */
  readonly pid: number;
  /** Asks for a statement of the wallet. Answers its identifier. */
  readonly ask: (order: {
    readonly startsAt: Date;
    readonly endsAt: Date;
    readonly compressed: boolean;
  }) => Promise<string>;
  readonly wait: (statementId: string) => Promise<{ readonly downloadUrl: string }>;
  readonly close: () => Promise<void>;
};

const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
/** No one is there: neither an operator nor a receiver of callbacks is needed. */
const NO_ONE = 'http://127.0.0.1:9';
const BY = 'proof';

export async function openStage(options: {
  readonly keep: boolean;
  readonly onProgress: (text: string) => void;
}): Promise<Stage> {
  const scratch = openScratch(options);
  const cluster = await startLocalCluster();
  if (cluster === null) throw new Error('there is no PostgreSQL on this machine');
  await bringUpToDate(cluster.url);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...serverEnvironment({
      databaseUrl: cluster.url,
      apiUrl: url,
      simulatorUrl: NO_ONE,
      tempo: 'SHORT',
      repeats: 'CHARGED',
    }),
    MALIPO_PORT: String(port),
  };
  const console = await openGateway(readConfig({ ...env, MALIPO_LOG_LEVEL: 'silent' }), { role: 'admin' });
  const merchant = await addMerchant(console);
  const logPath = join(scratch.folder('logs'), 'server.log');
  const child = new Child({ command: process.execPath, args: [MAIN, 'all'], env, logPath });
  await waitUntilUp(`${url}/ready`);
  options.onProgress(`the gateway is up as process ${child.pid}; its log is ${logPath}`);
  const call = caller(url, merchant.apiToken);
  return {
    engine: console.engine,
    merchantId: merchant.merchantId,
    pid: child.pid,
    ask: async ({ startsAt, endsAt, compressed }) => {
      const dates = { startDate: startsAt.toISOString(), endDate: endsAt.toISOString() };
      const { country, currency } = PLACE;
      const order = { wallet: { country, currency }, callbackUrl: NO_ONE, ...dates, compressed };
      const answer = await call('POST', '/v2/statements', order);
      return answer.statementId ?? '';
    },
    wait: (statementId) => waitFor(call, statementId),
    close: async () => {
      await child.end('SIGTERM');
      await console.stop();
      await cluster.stop();
      await scratch.close();
    },
  };
}

type Told = {
  readonly status: string;
  readonly statementId?: string;
  readonly data?: { readonly status: string; readonly downloadUrl: string };
};

type Call = (method: string, path: string, body?: object) => Promise<Told>;

function caller(url: string, apiToken: string): Call {
  const headers = { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' };
  return async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, { method, headers, ...sent });
    const told = (await answer.json()) as Told;
    if (!['ACCEPTED', 'FOUND'].includes(told.status)) throw new Error(JSON.stringify(told));
    return told;
  };
}

async function waitFor(call: Call, statementId: string): Promise<{ readonly downloadUrl: string }> {
  for (;;) {
    const { data } = await call('GET', `/v2/statements/${statementId}`);
    if (data?.status === 'COMPLETED') return data;
    if (data?.status === 'FAILED') throw new Error('the statement could not be made; see the log');
    await sleep(100);
  }
}

async function addMerchant({ engine }: Gateway) {
  const facts = {
    companyName: 'Proof',
    operations: ['DEPOSIT', 'PAYOUT', 'REFUND'],
    walletPerProvider: false,
  } as const;
  const merchantId = await createMerchant(engine, { by: BY, ...facts, providers: [PLACE.provider] });
  const token = { by: BY, merchantId, name: BY, scopes: ['finances:read'], expiresAt: null } as const;
  const { text: apiToken } = await createToken(engine, token);
  return { merchantId, apiToken };
}

async function bringUpToDate(url: string): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 1, applicationName: 'proof', isPatient: true });
  await migrate(database, { now: new Date() });
  await database.end();
}

async function waitUntilUp(url: string): Promise<void> {
  for (let tries = 1; tries <= 300; tries += 1) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await sleep(200);
  }
  throw new Error(`${url} does not answer; see the log`);
}
