// A PostgreSQL cluster, the gateway as a separate process, and a merchant.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { apiCaller, callAccepted, type Call } from '../../drills/kit/api.ts';
import { startDatabase } from '../../drills/kit/database.ts';
import { addMerchant } from '../../drills/kit/merchants.ts';
import { openAdmin, startServer } from '../../drills/kit/processes.ts';
import type { Say } from '../../drills/kit/program.ts';
import { openScratch } from '../../drills/kit/scratch.ts';
import { gatewaySettings, simulatorSettings } from '../../drills/kit/settings.ts';

export const PLACE = { country: 'RWA', currency: 'RWF', provider: 'MTN_MOMO_RWA' } as const;

export type Setup = {
  /** Not the process that is measured. */
  readonly engine: Engine;
  readonly merchantId: string;
  /** The process that is measured. */
  readonly pid: number;
  /** Requests a statement of the wallet. Returns its identifier. */
  readonly ask: (request: {
    readonly startsAt: Date;
    readonly endsAt: Date;
    readonly compressed: boolean;
  }) => Promise<string>;
  readonly wait: (statementId: string) => Promise<{ readonly downloadUrl: string }>;
};

/** Nothing listens there: neither an operator nor a receiver of callbacks is needed. */
const UNUSED = 'http://127.0.0.1:9';

export async function startSetup(
  hooks: ShutdownHooks,
  { keep, say }: { readonly keep: boolean; readonly say: Say },
): Promise<Setup> {
  const scratch = openScratch(hooks, { keep });
  const databaseUrl = await startDatabase(hooks);
  const environment = { ...gatewaySettings(databaseUrl), ...simulatorSettings(UNUSED) };
  const { engine } = await openAdmin(hooks, environment);
  const facts = { name: 'Shop', callbackUrl: UNUSED, markets: [] };
  const { merchantId, apiToken } = await addMerchant(engine, facts);
  const { url, child } = await startServer(hooks, scratch, { role: 'all', environment });
  say(`the gateway is up as process ${child.pid}; its log is ${child.logPath}`);
  const call = apiCaller(url, apiToken);
  return {
    engine,
    merchantId,
    pid: child.pid,
    ask: async ({ startsAt, endsAt, compressed }) => {
      const dates = { startDate: startsAt.toISOString(), endDate: endsAt.toISOString() };
      const { country, currency } = PLACE;
      const request = { wallet: { country, currency }, callbackUrl: UNUSED, ...dates, compressed };
      const { statementId } = await callAccepted<{ statementId: string }>(call, '/v2/statements', request);
      return statementId;
    },
    wait: (statementId) => waitFor(call, statementId),
  };
}

type Found = { readonly data?: { readonly status: string; readonly downloadUrl: string } };

async function waitFor(call: Call, statementId: string): Promise<{ readonly downloadUrl: string }> {
  for (;;) {
    const { data } = await call<Found>('GET', `/v2/statements/${statementId}`);
    if (data?.status === 'COMPLETED') return data;
    if (data?.status === 'FAILED') throw new Error('the statement could not be made; see the log');
    await sleep(100);
  }
}
