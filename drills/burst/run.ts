// One run: all payouts are offered at once, then it waits until they have ended.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATORS } from '../../server/src/connectors/registry.ts';
import { marketOf } from '../kit/load/markets.ts';
import { completingNumberOf } from '../../server/test/connectors/phone-number.ts';
import { countCalls, countStates, listOpenReasons, readLastEnd, type States } from './readings.ts';
import { openBurstStage, type BurstStage } from './setup.ts';

export type BurstRun = {
  readonly names: readonly string[];
  /** Payouts offered to each. */
  readonly payouts: number;
  readonly onProgress: (text: string) => void;
};

export type BurstResult = {
  readonly operator: string;
  readonly provider: string;
  readonly payouts: number;
  readonly accepted: number;
  readonly completed: number;
  readonly failed: number;
  /** What the operator counts together. */
  readonly calls: number;
  readonly perSecond: number;
  /** From the first offer to the last end. */
  readonly seconds: number;
  readonly allowedSeconds: number;
  /** Other than OPERATIONAL, where it was so once. */
  readonly status: string;
};

export const NAMES: readonly string[] = Object.keys(OPERATORS);

/** The goal: no longer than this many times what the calls take at the operator's rate. */
const FACTOR = 1.5;
/** Beyond the time that is allowed, so that a missed goal has a figure too. */
const PATIENCE = 3;
const LOOK_EVERY_MS = 500;

export async function runBurst({ names, payouts, onProgress }: BurstRun): Promise<readonly BurstResult[]> {
  const stage = await openBurstStage(names);
  try {
    const targets = targetsOf(stage, names);
    await warmUp(stage, targets, onProgress);
    onProgress(`${payouts} payouts to each of ${targets.map(({ provider }) => provider).join(', ')}`);
    const startedAt = Date.now();
    const offers = targets.map((target) => offer(stage, target, payouts));
    const watched = watch(stage, targets, { payouts: payouts + WARM_UP, onProgress });
    const accepted = await Promise.all(offers);
    onProgress('all are offered');
    const statuses = await watched;
    return await Promise.all(
      targets.map(async (target, index): Promise<BurstResult> => {
        const { provider } = target;
        const { database } = stage.gateway.engine.store;
        const states = await countStates(database, provider);
        const { calls, perSecond } = await busiest(stage, target, startedAt);
        const open = await listOpenReasons(database, provider);
        for (const reason of open) onProgress(`still open at ${target.operator}: ${reason}`);
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
  } finally {
    await stage.close();
  }
}

const WARM_UP = 1;

/** One payout to each first: an account in use has its token, which takes Vodacom half a minute to make valid. */
async function warmUp(
  stage: BurstStage,
  targets: readonly Target[],
  onProgress: BurstRun['onProgress'],
): Promise<void> {
  for (const target of targets) await offer(stage, target, WARM_UP);
  await watch(stage, targets, { payouts: WARM_UP, onProgress });
}

type Target = { readonly operator: string; readonly provider: string };

/** The first provider of each operator that carries payouts. */
function targetsOf({ bindings, gateway }: BurstStage, names: readonly string[]): readonly Target[] {
  return names.flatMap((operator) => {
    const isIt = (provider: string) => gateway.engine.connectorOf(provider, 'PAYOUT') === operator;
    const found = bindings.find(({ provider }) => isIt(provider));
    return found === undefined ? [] : [{ operator, provider: found.provider }];
  });
}

/** As many in one request as the specification allows. */
const BULK = 20;

/** Answers how many were accepted. */
async function offer({ apiUrl, merchant }: BurstStage, { provider }: Target, count: number): Promise<number> {
  const { currency, amountMin } = marketOf(provider);
  const accountDetails = { phoneNumber: completingNumberOf(provider), provider };
  const recipient = { type: 'MMO', accountDetails };
  let accepted = 0;
  for (let offered = 0; offered < count; offered += BULK) {
    const body = Array.from({ length: Math.min(BULK, count - offered) }, () => ({
      payoutId: randomUUID(),
      amount: String(amountMin),
      currency,
      recipient,
    }));
    const answer = await fetch(`${apiUrl}/v2/payouts/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.apiToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answers = (await answer.json()) as readonly { readonly status: string }[];
    accepted += Array.isArray(answers) ? answers.filter(({ status }) => status === 'ACCEPTED').length : 0;
  }
  return accepted;
}

/** Until all have ended or the patience has. Answers the providers that were not OPERATIONAL meanwhile. */
async function watch(
  { gateway: { engine } }: BurstStage,
  targets: readonly Target[],
  { payouts, onProgress }: Omit<BurstRun, 'names'>,
): Promise<ReadonlyMap<string, string>> {
  const statuses = new Map<string, string>();
  const slowest = Math.min(...targets.map(({ operator }) => OPERATORS[operator]?.rate.perSecond ?? 1));
  // A payout takes two calls or three.
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
    if (looks % 20 === 0) onProgress(`ended so far: ${ended.join(', ')}`);
  }
  return statuses;
}

function endedOf(states: States): number {
  return (states['COMPLETED'] ?? 0) + (states['FAILED'] ?? 0);
}

/** Where an operator counts enquiries apart, the budget that takes longer counts. */
async function busiest({ gateway }: BurstStage, { operator }: Target, sinceMs: number) {
  const { rate, queryRate } = OPERATORS[operator] ?? { rate: { perSecond: 1 } };
  const { queries, others } = await countCalls(gateway.engine.store.database, operator, sinceMs);
  if (queryRate === undefined) return { calls: queries + others, perSecond: rate.perSecond };
  return queries / queryRate.perSecond > others / rate.perSecond
    ? { calls: queries, perSecond: queryRate.perSecond }
    : { calls: others, perSecond: rate.perSecond };
}
