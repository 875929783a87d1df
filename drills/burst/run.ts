// One run: sends all payouts at once, then waits until they have ended.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATORS } from '../../server/src/connectors/registry.ts';
import { apiCaller } from '../kit/api.ts';
import { withHooks } from '../kit/database.ts';
import { marketOf } from '../kit/load/markets.ts';
import { completingNumberOf } from '../../server/test/connectors/phone-number.ts';
import type { Say } from '../kit/program.ts';
import { countCalls, countStates, listOpenReasons, readLastEnd, type States } from './readings.ts';
import { startSetup, type Setup } from './setup.ts';

export type BurstRun = {
  readonly names: readonly string[];
  /** Payouts for each operator. */
  readonly payouts: number;
  readonly say: Say;
};

export type BurstResult = {
  readonly operator: string;
  readonly provider: string;
  readonly payouts: number;
  readonly accepted: number;
  readonly completed: number;
  readonly failed: number;
  /** Providers that share the operator's rate. */
  readonly calls: number;
  readonly perSecond: number;
  /** From the first request to the last end. */
  readonly seconds: number;
  readonly allowedSeconds: number;
  /** Statuses other than OPERATIONAL that were seen. */
  readonly status: string;
};

export const NAMES: readonly string[] = Object.keys(OPERATORS);

/** The goal: at most this many times what the calls take at the operator's rate. */
const FACTOR = 1.5;
/** Longer than allowed, so that a missed goal has a figure too. */
const PATIENCE = 3;
const LOOK_EVERY_MS = 500;

export function runBurst({ names, payouts, say }: BurstRun): Promise<readonly BurstResult[]> {
  return withHooks(async (hooks) => {
    const setup = await startSetup(hooks, names);
    const targets = targetsOf(setup, names);
    await warmUp(setup, targets, say);
    say(`${payouts} payouts to each of ${targets.map(({ provider }) => provider).join(', ')}`);
    const startedAt = Date.now();
    const offers = targets.map((target) => offer(setup, target, payouts));
    const watched = watch(setup, targets, { payouts: payouts + WARM_UP, say });
    const accepted = await Promise.all(offers);
    say('all are offered');
    const statuses = await watched;
    return Promise.all(
      targets.map(async (target, index): Promise<BurstResult> => {
        const { provider } = target;
        const { database } = setup.gateway.engine.store;
        const states = await countStates(database, provider);
        const { calls, perSecond } = await busiest(setup, target, startedAt);
        const open = await listOpenReasons(database, provider);
        for (const reason of open) say(`still open at ${target.operator}: ${reason}`);
        return {
          ...target,
          payouts,
          accepted: accepted[index] ?? 0,
          completed: (states['COMPLETED'] ?? 0) - WARM_UP,
          failed: states['FAILED'] ?? 0,
          calls,
          perSecond,
          seconds: ((await readLastEnd(database, provider)) - startedAt) / 1_000,
          allowedSeconds: (FACTOR * calls) / perSecond,
          status: statuses.get(provider) ?? 'OPERATIONAL',
        };
      }),
    );
  });
}

const WARM_UP = 1;

/** One payout to each first: an account in use has a token, which takes Vodacom half a minute to make valid. */
async function warmUp(setup: Setup, targets: readonly Target[], say: BurstRun['say']): Promise<void> {
  for (const target of targets) await offer(setup, target, WARM_UP);
  await watch(setup, targets, { payouts: WARM_UP, say });
}

type Target = { readonly operator: string; readonly provider: string };

/** The first provider of each operator with payouts. */
function targetsOf({ bindings, gateway }: Setup, names: readonly string[]): readonly Target[] {
  return names.flatMap((operator) => {
    const isIt = (provider: string) => gateway.engine.connectorOf(provider, 'PAYOUT') === operator;
    const found = bindings.find(({ provider }) => isIt(provider));
    return found === undefined ? [] : [{ operator, provider: found.provider }];
  });
}

/** The specification's maximum per request. */
const BULK = 20;

/** Returns how many were accepted. */
async function offer(
  { apiUrl, merchants: [merchant] }: Setup,
  { provider }: Target,
  count: number,
): Promise<number> {
  const { currency, amountMin } = marketOf(provider);
  const accountDetails = { phoneNumber: completingNumberOf(provider), provider };
  const recipient = { type: 'MMO', accountDetails };
  const call = apiCaller(apiUrl, merchant?.apiToken ?? '');
  let accepted = 0;
  for (let offered = 0; offered < count; offered += BULK) {
    const body = Array.from({ length: Math.min(BULK, count - offered) }, () => ({
      payoutId: randomUUID(),
      amount: String(amountMin),
      currency,
      recipient,
    }));
    const answers = await call<readonly { readonly status: string }[]>('POST', '/v2/payouts/bulk', body);
    accepted += answers.filter(({ status }) => status === 'ACCEPTED').length;
  }
  return accepted;
}

/** Waits until all have ended or time is over. Returns the providers that were not OPERATIONAL meanwhile. */
async function watch(
  { gateway: { engine } }: Setup,
  targets: readonly Target[],
  { payouts, say }: Omit<BurstRun, 'names'>,
): Promise<ReadonlyMap<string, string>> {
  const statuses = new Map<string, string>();
  const slowest = Math.min(...targets.map(({ operator }) => OPERATORS[operator]?.rate.perSecond ?? 1));
  // A payout takes two or three calls.
  const untilMs = Date.now() + (PATIENCE * 3 * payouts * 1_000) / slowest + 60_000;
  for (let looks = 1; Date.now() < untilMs; looks += 1) {
    await sleep(LOOK_EVERY_MS);
    const ended: string[] = [];
    for (const { operator, provider } of targets) {
      const status = await engine.directory.availability(provider, 'PAYOUT');
      if (status !== 'OPERATIONAL') statuses.set(provider, status);
      const count = endedOf(await countStates(engine.store.database, provider));
      if (count < payouts) ended.push(`${operator} ${count}`);
    }
    if (ended.length === 0) break;
    if (looks % 20 === 0) say(`ended so far: ${ended.join(', ')}`);
  }
  return statuses;
}

function endedOf(states: States): number {
  return (states['COMPLETED'] ?? 0) + (states['FAILED'] ?? 0);
}

/** If an operator limits enquiries separately, the slower limit counts. */
async function busiest({ gateway }: Setup, { operator }: Target, sinceMs: number) {
  const { rate, queryRate } = OPERATORS[operator] ?? { rate: { perSecond: 1 } };
  const { queries, others } = await countCalls(gateway.engine.store.database, operator, sinceMs);
  if (queryRate === undefined) return { calls: queries + others, perSecond: rate.perSecond };
  return queries / queryRate.perSecond > others / rate.perSecond
    ? { calls: queries, perSecond: queryRate.perSecond }
    : { calls: others, perSecond: rate.perSecond };
}
