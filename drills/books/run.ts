// One run: payments of every kind with fees, refunds of what came in, money moved manually by two people, and then the
// console's own trial balance.
import { setTimeout as sleep } from 'node:timers/promises';
import { LOOPBACK_RANGES } from '../../server/src/callbacks/outgoing-guard.ts';
import { startSandbox, type Sandbox } from '../../server/src/commands/sandbox/sandbox.ts';
import { DEFAULT_SETTINGS } from '../../server/src/config.ts';
import { parseAmount } from '../../server/src/domain/money.ts';
import { PAYMENT_KINDS } from '../../server/src/domain/payments/payment.ts';
import { Endpoint } from '../kit/load/endpoint.ts';
import { Load } from '../kit/load/load.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { countOpen } from '../kit/settle.ts';
import { streamOf } from '../kit/random.ts';
import { Colleague } from './colleague.ts';
import { moveManually, type HandMove, type HandMoves } from './money-moves.ts';
import { judgeBooks, type ShownBooks } from './verdict.ts';

export type BooksRunOptions = {
  readonly seed: number;
  readonly payments: number;
  readonly onProgress: (text: string) => void;
};

export type BooksRun = {
  readonly payments: number;
  /** By kind and state. */
  readonly counts: Readonly<Record<string, number>>;
  readonly hand: Omit<HandMoves, 'moved'> & { readonly moved: number };
  /** Payments that the operator said nothing clear about. */
  readonly endedManually: number;
  readonly shown: ShownBooks;
  readonly findings: readonly string[];
  /** Whether the console noticed the mistake that was planted at the end. */
  readonly isMistakeShown: boolean;
  readonly seconds: number;
};

/** As fast as it goes, but so slow that what comes in first can be refunded before the end. */
const PAYMENTS_PER_SECOND_MAX = 250;
const RUN_SECONDS_MIN = 15;
const SETTLED_WITHIN_MS = 120_000;
/** How far the sandbox's clock is moved at once. */
const STEP_MS = 600_000;
/** What the sandbox's merchant begins with, in each place. */
const OPENING_BALANCE = parseAmount('1000000') ?? 0n;

export async function runBooks(options: BooksRunOptions): Promise<BooksRun> {
  const { onProgress } = options;
  const started = performance.now();
  let load: Load | undefined;
  let merchantId = '';
  const endpoint = new Endpoint((kind, id, status) => {
    if (kind === 'DEPOSIT' && status === 'COMPLETED') load?.noteCompletedDeposit(merchantId, id);
  });
  await endpoint.open();
  const sandbox = await openSandbox(endpoint.url);
  try {
    ({ merchantId } = sandbox);
    const [first, second] = await enterColleagues(sandbox);
    await setFees(first, merchantId);
    const { apiToken } = sandbox;
    load = new Load({
      apiUrl: sandbox.baseUrl,
      merchants: [{ merchantId, apiToken, endpoint }],
      markets: MARKETS,
      random: streamOf(options.seed, 'load'),
    });
    const places = await listPlaces(first, merchantId);
    const actor = moveManually({
      first,
      second,
      merchantId,
      places,
      count: 20 + Math.ceil(options.payments / 50),
      random: streamOf(options.seed, 'hand'),
    });
    await runLoad(load, options);
    const { moved, ...hand } = await actor;
    onProgress(`${moved.length} moves manually were approved, ${hand.rejected} were rejected`);
    await settle(sandbox, onProgress);
    await first.confirm();
    const endedManually = await endManually(first);
    const shown = await readBooks(first);
    const { database } = sandbox.gateway.engine.store;
    const opening = places.map((place): HandMove => ({ type: 'TOP_UP', ...place, amount: OPENING_BALANCE }));
    const findings = await judgeBooks({
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
      hand: { ...hand, moved: moved.length },
      endedManually,
      shown,
      findings: [...findings, ...missing.map((kind) => `no ${kind} was completed`)],
      isMistakeShown: await plantMistake(sandbox, first),
      seconds: (performance.now() - started) / 1_000,
    };
  } finally {
    await sandbox.stop();
    await endpoint.close();
  }
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

async function enterColleagues({ baseUrl }: Sandbox): Promise<readonly [Colleague, Colleague]> {
  return [
    await new Colleague(baseUrl).enter('admin@demo.example'),
    await new Colleague(baseUrl).enter('second@demo.example'),
  ];
}

/** Shares and fixed parts that round, so that fees are where mistakes would be. */
async function setFees(colleague: Colleague, merchantId: string): Promise<void> {
  for (const { code: provider, currency, decimals } of MARKETS) {
    for (const operation of PAYMENT_KINDS) {
      const fee = { basisPoints: 137, fixed: decimals === 0 ? '3' : '0.25' };
      const priced = { provider, currency, operation, ...fee };
      await colleague.ask('PUT', `/host/merchants/${merchantId}/fees`, priced);
    }
  }
}

type Account = { readonly type: string; readonly country: string; readonly currency: string };

async function listPlaces(colleague: Colleague, merchantId: string) {
  const path = `/host/accounts?merchantId=${merchantId}`;
  const { rows } = await colleague.ask<{ rows: readonly Account[] }>('GET', path);
  return rows.filter(({ type }) => type === 'WALLET').map(({ country, currency }) => ({ country, currency }));
}

async function runLoad(load: Load, options: BooksRunOptions): Promise<void> {
  const perSecond = Math.min(PAYMENTS_PER_SECOND_MAX, options.payments / RUN_SECONDS_MIN);
  const running = load.run(perSecond);
  let told = 0;
  while (load.counts.acknowledged < options.payments) {
    await sleep(100);
    if (load.counts.acknowledged - told < 1_000) continue;
    told = load.counts.acknowledged;
    options.onProgress(`${told} accepted`);
  }
  await load.stop();
  await running;
}

/** Whatever an operator never answers comes into reconciliation when its time is over. */
async function settle({ gateway }: Sandbox, onProgress: (text: string) => void): Promise<void> {
  const until = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const { payments, callbacks } = await countOpen(gateway.engine.store.database);
    if (payments + callbacks === 0) return;
    if (Date.now() > until) throw new Error(`still open: ${payments} payments, ${callbacks} callbacks`);
    onProgress(`still open: ${payments} payments, ${callbacks} callbacks`);
    await gateway.movableClock?.move(STEP_MS);
    await sleep(1_000);
  }
}

type Unclear = { readonly merchantId: string; readonly kind: string; readonly paymentId: string };

/** A person ends what the operator says nothing clear about. Answers how many. */
async function endManually(colleague: Colleague): Promise<number> {
  let ended = 0;
  for (;;) {
    const { rows } = await colleague.ask<{ rows: readonly Unclear[] }>(
      'GET',
      '/host/unclear-payments?limit=100',
    );
    if (rows.length === 0) return ended;
    for (const { merchantId, kind, paymentId } of rows) {
      const end = { outcome: 'FAILED', reason: 'not in their statement' };
      await colleague.ask('POST', `/host/payments/${merchantId}/${kind}/${paymentId}/end`, end);
      ended += 1;
    }
  }
}

function readBooks(colleague: Colleague): Promise<ShownBooks> {
  return colleague.ask<ShownBooks>('GET', '/host/trial-balance?anew=true');
}

async function countPayments({ gateway }: Sandbox): Promise<Record<string, number>> {
  const { rows } = await gateway.engine.store.database.query<{ name: string; count: number }>(
    `select kind || ' ' || state as name, count(*)::int as count from payments group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** Somebody touches the database: a console that still called the books sound would be worth nothing. */
async function plantMistake({ gateway }: Sandbox, colleague: Colleague): Promise<boolean> {
  await gateway.engine.store.database.query(
    `update wallets set posted = posted + 1
     where account_id = (select account_id from wallets order by account_id limit 1)`,
  );
  const { isSound, unbalancedWallets } = await readBooks(colleague);
  return !isSound && unbalancedWallets === 1;
}
