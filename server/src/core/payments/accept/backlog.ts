// How far behind the workers are, provider by provider. Where a payment would wait too long to be sent, a share of the
// orders is rejected: a payer who is asked for a PIN a minute late has gone. Nothing that was accepted is touched.
// docs/decisions/0024-shedding-load.md says why the share follows the wait in this way, and settles.
import type { PaymentKind } from '../../../domain/payments/payment.ts';
import type { Recovery } from '../../../domain/recovery.ts';
import { addMs } from '../../../domain/time.ts';
import type { ProcessClock, ProcessTime } from '../../../domain/clock.ts';
import type { CountedSubmits, WaitingSubmits } from '../../../store/payments/due-steps.ts';

export type Backlog = {
  /** Whether this order is to come again later. No one waits for the answer: it is from the last look. */
  readonly sheds: (provider: string, kind: PaymentKind) => boolean;
};

/** `settled`: how many have waited since this time. `before`: the same time of the last look. */
export type LookTimes = {
  readonly now: ProcessTime;
  readonly settled: ProcessTime;
  readonly before: ProcessTime;
};

export type BacklogOptions = {
  readonly clock: ProcessClock;
  /** Orders begin to be rejected when they would wait this long to be sent. */
  readonly fromMs: number;
  readonly look: (times: LookTimes) => Promise<CountedSubmits>;
  /** Whether a provider's payments wait for a rate budget of ours. Outgoing ones may, as long as some are sent. */
  readonly isBudgeted?: (provider: string, kind: PaymentKind) => boolean;
  /** While this holds submits back, their waiting tells nothing about the workers. */
  readonly recovery: () => Promise<Recovery | null>;
  readonly random?: () => number;
};

const LOOK_INTERVAL_MS = 500;
/** What was seen longer ago than this tells nothing any more. */
const LOOK_HOLDS_MS = 3_000;

/**
 * An order is dated before its transaction commits. What is younger than this is not compared between two looks: rows
 * that appear late would be taken for rows that were not sent.
 */
const SETTLED_MS = 1_000;

/** Rates are averaged over this time: workers claim in batches, and pause for a moment when they are replaced. */
const RATE_SMOOTHING_MS = 4_000;

/**
 * For every such time that orders would wait longer, a factor e fewer are accepted. The wait then settles with this
 * time constant, whatever the load. It must be several times as long as it takes to see what was accepted: about a
 * second.
 */
const SETTLING_MS_MIN = 4_000;

/** One in a thousand seconds. No budget is that small: no worker runs. */
const STANDSTILL_PER_MS = 1e-6;

/** What waited of one provider and kind. */
type Queue = {
  /** Of those that the next look compares. */
  readonly settledCount: number;
  /** How many are sent in a millisecond, and for how long that was seen. */
  readonly sentPerMs: number;
  readonly seenMs: number;
  /** How long an order that comes now would wait. 0 where the wait says nothing about the workers. */
  readonly waitMs: number;
};

type Look = {
  readonly at: ProcessTime;
  readonly settled: ProcessTime;
  readonly queues: ReadonlyMap<string, Queue>;
};

const nothingSeen = (): Look => ({ at: new Date(0), settled: new Date(0), queues: new Map() });

export function createBacklog(options: BacklogOptions): Backlog {
  let lookedAt = -Infinity;
  let isLooking = false;
  let [before, last] = [nothingSeen(), nothingSeen()];
  const takesTurn = createTurns(options.random ?? Math.random);

  const look = async () => {
    const seen = await take(options, last);
    [before, last] = [last, seen];
  };

  return {
    sheds: (provider, kind) => {
      const ageMs = performance.now() - lookedAt;
      if (ageMs > LOOK_HOLDS_MS) [before, last] = [nothingSeen(), nothingSeen()];
      if (ageMs >= LOOK_INTERVAL_MS && !isLooking) {
        lookedAt = performance.now();
        isLooking = true;
        // A database that cannot be asked rejects requests by itself.
        look()
          .catch(() => undefined)
          .finally(() => void (isLooking = false));
      }
      const name = `${provider} ${kind}`;
      // What two looks agree about: a clock that was just moved, or a worker that was just restarted, is no backlog.
      const waitMs = Math.min(last.queues.get(name)?.waitMs ?? 0, before.queues.get(name)?.waitMs ?? 0);
      return takesTurn(name, shedShare(waitMs, options.fromMs));
    },
  };
}

/** The share of orders to reject where they would wait so long. */
export function shedShare(waitMs: number, fromMs: number): number {
  if (waitMs <= fromMs) return 0;
  return 1 - Math.exp((fromMs - waitMs) / Math.max(fromMs, SETTLING_MS_MIN));
}

/**
 * Of many orders exactly the share is rejected, and chance decides which: merchants who take turns must not be rejected
 * in turn.
 */
function createTurns(random: () => number) {
  const owed = new Map<string, number>();
  return (name: string, share: number): boolean => {
    // Names come from requests: nothing is remembered of those for whom no one waits.
    if (share === 0) {
      owed.delete(name);
      return false;
    }
    const due = (owed.get(name) ?? 0) + share;
    const isShed = due > random();
    owed.set(name, isShed ? due - 1 : due);
    return isShed;
  };
}

async function take(options: BacklogOptions, last: Look): Promise<Look> {
  if ((await options.recovery())?.isHolding === true) return nothingSeen();
  const at = options.clock.now();
  const counted = await options.look({ now: at, settled: addMs(at, -SETTLED_MS), before: last.settled });
  const passedMs = at.getTime() - last.at.getTime();
  const queues = new Map<string, Queue>();
  for (const waiting of counted.submits) {
    const { provider, operation } = waiting;
    const name = `${provider} ${operation}`;
    const known = last.queues.get(name);
    const rate = rateOf(known, waiting, passedMs);
    const mayWait = operation !== 'DEPOSIT' && options.isBudgeted?.(provider, operation) === true;
    const isSent = mayWait && rate.sentPerMs > STANDSTILL_PER_MS;
    const waitMs = isSent ? 0 : waitOf(known, waiting, { at, passedMs, until: counted.until, ...rate });
    queues.set(name, { settledCount: waiting.settledCount, waitMs, ...rate });
  }
  return { at, settled: counted.settled, queues };
}

/** How many are sent: of those who had waited for a while at the last look, who is gone. A moving average. */
function rateOf(
  known: Queue | undefined,
  { fromBefore }: WaitingSubmits,
  passedMs: number,
): Pick<Queue, 'sentPerMs' | 'seenMs'> {
  if (known === undefined || passedMs <= 0) return { sentPerMs: 0, seenMs: 0 };
  // So few are left that more could have been sent.
  if (isShort(known, fromBefore)) return { sentPerMs: known.sentPerMs, seenMs: known.seenMs };
  const sentPerMs = (known.settledCount - fromBefore) / passedMs;
  // What was seen begins with the first that is sent.
  const seenMs = (known.sentPerMs === 0 ? 0 : known.seenMs) + passedMs;
  const weight = Math.expm1(-passedMs / RATE_SMOOTHING_MS) / Math.expm1(-seenMs / RATE_SMOOTHING_MS);
  return { sentPerMs: known.sentPerMs + (sentPerMs - known.sentPerMs) * weight, seenMs };
}

/** Whether no one had waited for a while, or more than half of them are gone. */
function isShort({ settledCount }: Queue, fromBefore: number): boolean {
  return settledCount === 0 || fromBefore < settledCount / 2;
}

/**
 * How many stand before an order that comes now, by how many are sent. How long the first has waited is known late, as
 * late as it has waited: it counts only where no rate was seen.
 */
function waitOf(
  known: Queue | undefined,
  { count, fromBefore, since }: WaitingSubmits,
  seen: {
    readonly at: ProcessTime;
    readonly passedMs: number;
    readonly sentPerMs: number;
    readonly until: ProcessTime;
  },
): number {
  const firstMs = seen.at.getTime() - since.getTime();
  if (known !== undefined && isShort(known, fromBefore)) {
    return Math.min(firstMs, SETTLED_MS + 2 * seen.passedMs);
  }
  if (seen.sentPerMs <= 0) return firstMs;
  // Where not all were counted, those behind them came as densely.
  const countedMs = seen.until.getTime() - since.getTime();
  const all = countedMs > 0 ? count * Math.max(1, firstMs / countedMs) : count;
  return all / seen.sentPerMs;
}
