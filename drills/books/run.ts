// One run: payments of every kind with fees, refunds, money moved by two people, and then the console's own trial
// balance.
import { setTimeout as sleep } from 'node:timers/promises';
import { LOOPBACK_RANGES } from '../../server/src/callbacks/outgoing-guard.ts';
import { startSandbox, type Sandbox } from '../../server/src/commands/sandbox/sandbox.ts';
import { DEFAULT_SETTINGS } from '../../server/src/config.ts';
import { parseAmount } from '../../server/src/domain/money.ts';
import { PAYMENT_KINDS } from '../../server/src/domain/payments/payment.ts';
import { withHooks } from '../kit/database.ts';
import { Endpoint } from '../kit/load/endpoint.ts';
import { Load } from '../kit/load/load.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { comeToRest } from '../kit/settle.ts';
import type { Say } from '../kit/program.ts';
import { streamOf } from '../kit/random.ts';
import { Colleague } from './colleague.ts';
import { moveMoney, type MoneyMove, type MoneyMoves } from './money-moves.ts';
import { checkBooks, type ShownBooks } from './verdict.ts';

export type BooksRunOptions = {
  readonly seed: number;
  readonly payments: number;
  readonly say: Say;
};

export type BooksRun = {
  readonly payments: number;
  /** By kind and state. */
  readonly counts: Readonly<Record<string, number>>;
  readonly people: Omit<MoneyMoves, 'moved'> & {
    readonly moved: number;
    /** Payments with an unknown outcome. */
    readonly ended: number;
  };
  readonly shown: ShownBooks;
  readonly findings: readonly string[];
  /** Whether the console noticed the planted error. */
  readonly isMistakeShown: boolean;
};

/** Fast, but slow enough that early deposits can be refunded before the end. */
const PAYMENTS_PER_SECOND_MAX = 250;
const RUN_SECONDS_MIN = 15;
const SETTLED_WITHIN_MS = 120_000;
/** How far the sandbox's clock is moved at once. */
const STEP_MS = 600_000;
/** The sandbox merchant's opening balance in each wallet. */
const OPENING_BALANCE = parseAmount('1000000') ?? 0n;

export function runBooks(options: BooksRunOptions): Promise<BooksRun> {
  const { say } = options;
  return withHooks(async (hooks) => {
    const endpoint = await Endpoint.start(hooks);
    const sandbox = await openSandbox(endpoint.url);
    hooks.add(sandbox.stop);
    const { merchantId, apiToken, baseUrl: apiUrl } = sandbox;
    const first = await Colleague.signIn(apiUrl, 'admin@demo.example');
    const second = await Colleague.signIn(apiUrl, 'second@demo.example');
    await setFees(first, merchantId);
    const merchants = [{ merchantId, apiToken, endpoint }];
    const load = new Load({ apiUrl, merchants, markets: MARKETS, random: streamOf(options.seed, 'load') });
    const places = await listWallets(first, merchantId);
    const moving = moveMoney({
      first,
      second,
      merchantId,
      places,
      count: 20 + Math.ceil(options.payments / 50),
      random: streamOf(options.seed, 'hand'),
    });
    await runLoad(load, options);
    const { moved, ...people } = await moving;
    say(`${moved.length} moves of money were approved, ${people.rejected} were rejected`);
    await settle(sandbox, say);
    await first.confirm();
    const ended = await endUnclear(first);
    const shown = await readBooks(first);
    const { database } = sandbox.gateway.engine.store;
    const opening = places.map((place): MoneyMove => ({ type: 'TOP_UP', ...place, amount: OPENING_BALANCE }));
    const findings = await checkBooks({
      shown,
      database,
      moved: [...opening, ...moved],
      operator: sandbox.simulator.books(),
    });
    const counts = await countPayments(sandbox);
    const missing = PAYMENT_KINDS.filter((kind) => counts[`${kind} COMPLETED`] === undefined);
    return {
      payments: Object.values(counts).reduce((sum, count) => sum + count, 0),
      counts,
      people: { ...people, moved: moved.length, ended },
      shown,
      findings: [...findings, ...missing.map((kind) => `no ${kind} was completed`)],
      isMistakeShown: await plantMistake(sandbox, first),
    };
  });
}

function openSandbox(callbackUrl: string): Promise<Sandbox> {
  return startSandbox({
    host: '127.0.0.1',
    port: 0,
    callbackUrl,
    databaseUrl: null,
    embedded: false,
    operators: 'simulator',
    logLevel: 'error',
    traces: null,
    brand: DEFAULT_SETTINGS.brand,
    outgoingAllow: LOOPBACK_RANGES,
    onProgress: () => undefined,
  });
}

/** Percentages and fixed parts that round, because errors would be in the fees. */
async function setFees(colleague: Colleague, merchantId: string): Promise<void> {
  for (const { code: provider, currency, decimals } of MARKETS) {
    for (const operation of PAYMENT_KINDS) {
      const fee = { basisPoints: 137, fixed: decimals === 0 ? '3' : '0.25' };
      const priced = { provider, currency, operation, ...fee };
      await colleague.ask('PUT', `host/merchants/${merchantId}/fees`, priced);
    }
  }
}

type Account = { readonly type: string; readonly country: string; readonly currency: string };

async function listWallets(colleague: Colleague, merchantId: string) {
  const path = `host/accounts?merchantId=${merchantId}`;
  const { rows } = await colleague.ask<{ rows: readonly Account[] }>('GET', path);
  return rows.filter(({ type }) => type === 'WALLET').map(({ country, currency }) => ({ country, currency }));
}

async function runLoad(load: Load, options: BooksRunOptions): Promise<void> {
  const perSecond = Math.min(PAYMENTS_PER_SECOND_MAX, options.payments / RUN_SECONDS_MIN);
  const running = load.run(perSecond);
  let shown = 0;
  while (load.counts.acknowledged < options.payments) {
    await sleep(100);
    if (load.counts.acknowledged - shown < 1_000) continue;
    shown = load.counts.acknowledged;
    options.say(`${shown} accepted`);
  }
  await load.stop();
  await running;
}

/** A payment without an answer goes to reconciliation when its time is over. */
async function settle({ gateway }: Sandbox, say: Say): Promise<void> {
  const meanwhile = async () => {
    await gateway.movableClock?.move(STEP_MS);
    await sleep(750);
  };
  const rest = { patienceMs: SETTLED_WITHIN_MS, say, meanwhile };
  if (!(await comeToRest([gateway.engine.store.database], rest))) throw new Error('payments are still open');
}

type Unclear = { readonly merchantId: string; readonly kind: string; readonly paymentId: string };

/** A person ends the payments with an unknown outcome. Returns how many. */
async function endUnclear(colleague: Colleague): Promise<number> {
  let ended = 0;
  for (;;) {
    const { rows } = await colleague.ask<{ rows: readonly Unclear[] }>(
      'GET',
      'host/unclear-payments?limit=100',
    );
    if (rows.length === 0) return ended;
    for (const { merchantId, kind, paymentId } of rows) {
      const end = { outcome: 'FAILED', reason: 'not in their report' };
      await colleague.ask('POST', `host/payments/${merchantId}/${kind}/${paymentId}/end`, end);
      ended += 1;
    }
  }
}

function readBooks(colleague: Colleague): Promise<ShownBooks> {
  return colleague.ask<ShownBooks>('GET', 'host/trial-balance?again=true');
}

async function countPayments({ gateway }: Sandbox): Promise<Record<string, number>> {
  const { rows } = await gateway.engine.store.database.query<{ name: string; count: number }>(
    `select kind || ' ' || state as name, count(*)::int as count from payments group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** Changes the database directly: the console must notice that the books are wrong. */
async function plantMistake({ gateway }: Sandbox, colleague: Colleague): Promise<boolean> {
  await gateway.engine.store.database.query(
    `update wallets set posted = posted + 1
     where account_id = (select account_id from wallets order by account_id limit 1)`,
  );
  const { isSound, unbalancedWallets } = await readBooks(colleague);
  return !isSound && unbalancedWallets === 1;
}
