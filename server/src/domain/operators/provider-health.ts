// Whether a provider answers, judged from counts of calls. Pure: core/operators/watch-availability asks here and writes
// the answer down. It never judges payments: a payment the operator properly failed was answered like any other.
import type { Outcome, UnknownReason } from '../payments/outcome.ts';

/** SUBMIT sends a payment, QUERY asks for the outcome of one, PROBE only asks whether anybody is there. */
export type CallStep = 'SUBMIT' | 'QUERY' | 'PROBE';

/** SILENT: no one answered. FAILING: something answered that is no use. */
export type CallResult = 'ANSWERED' | 'FAILING' | 'SILENT';

export type CallCounts = { readonly answered: number; readonly failing: number; readonly silent: number };

/** The calls of one step in one short span of time. */
export type CallBucket = CallCounts & { readonly step: CallStep; readonly startedAt: Date };

export type HealthSettings = {
  /** How often counts are written down and looked at. */
  readonly lookIntervalMs: number;
  /** Only calls this recent count. */
  readonly windowMs: number;
  /** Fewer calls than this in the window prove nothing. */
  readonly callsMin: number;
  /** From this share of failing calls on a provider turns DELAYED. */
  readonly delayedPercent: number;
  /** Down to this share a DELAYED provider counts as well again. */
  readonly operationalPercent: number;
  /** Nothing but silence for this long is enough, however few the calls. */
  readonly silenceMs: number;
  /** How long a DELAYED provider must be found well, look after look, before it is OPERATIONAL. */
  readonly recoverAfterMs: number;
  /** How often a DELAYED provider is asked something harmless. */
  readonly probeIntervalMs: number;
};

export const DEFAULT_HEALTH: HealthSettings = {
  // A payer who waits is rejected a second late at most, and a worker spends four small statements on it.
  lookIntervalMs: 1_000,
  // Longer than the pauses of an operator that is merely busy; a broken one costs payments for a minute at most.
  windowMs: 60_000,
  // Of 20 calls to an operator that fails one in ten, half fail by chance 7 times in a million.
  callsMin: 20,
  // When every second call is lost, merchants are better served by waiting than by trying.
  delayedPercent: 50,
  // Far below the other threshold, so that an operator that hovers between the two stays as it is.
  operationalPercent: 20,
  // Three time-outs of ten seconds in a row.
  silenceMs: 30_000,
  // Fifteen looks. With what failed leaving the window first, payments go on about a minute after the operator does.
  recoverAfterMs: 15_000,
  // Twelve in a window: enough to judge by where there are no payments to ask about, and no burden for anybody.
  probeIntervalMs: 5_000,
};

/** Whether the figures leave room for hysteresis. One good look is no recovery. */
export function isConsistent(settings: HealthSettings): boolean {
  return (
    settings.operationalPercent < settings.delayedPercent &&
    settings.silenceMs < settings.windowMs &&
    settings.recoverAfterMs >= 2 * settings.lookIntervalMs
  );
}

/** How often a provider turned DELAYED is remembered this long, and makes its return slower. */
export const RELAPSES_REMEMBERED_MS = 3_600_000;

/** One or two lost calls happen to everybody; a third without an answer in between is a pattern. */
const SILENT_CALLS_MIN = 3;

/** A DELAYED provider gets few calls, so few must do: three probes, or the enquiries about what it already has. */
const RECOVERY_CALLS_MIN = 3;

/** Each relapse doubles the wait, up to sixteenfold: four minutes with the default settings. */
const DOUBLINGS_MAX = 4;

/** Where no call can be made, payments are let through again after this many waits: somebody has to try. */
const BLIND_WAITS = 20;

/** A provider for one operation, as its calls and its history show it. */
export type ProviderHealth = {
  readonly status: 'OPERATIONAL' | 'DELAYED';
  /** When it got this status, if anybody remembers. Calls made before have had their effect. */
  readonly changedAt: Date | null;
  /** Since when every look found it well, while it is DELAYED. */
  readonly goodSince: Date | null;
  /** How often it had turned DELAYED shortly before. */
  readonly relapses: number;
  readonly buckets: readonly CallBucket[];
};

export type HealthVerdict =
  | { readonly type: 'STAYS'; readonly goodSince: Date | null }
  /** `why` is for people, in figures. */
  | { readonly type: 'TURNS'; readonly to: 'OPERATIONAL' | 'DELAYED'; readonly why: string };

export function judgeHealth(health: ProviderHealth, settings: HealthSettings, now: Date): HealthVerdict {
  const since = Math.max(now.getTime() - settings.windowMs, health.changedAt?.getTime() ?? -Infinity);
  const buckets = health.buckets.filter(({ startedAt }) => startedAt.getTime() > since);
  const spanMs = now.getTime() - since;
  return health.status === 'OPERATIONAL'
    ? judgeOperational(buckets, settings, spanMs)
    : judgeDelayed({ ...health, buckets }, settings, { now, spanMs });
}

/** What one call says about the operator: nothing where none was made. A customer who declines is still an answer. */
export function resultOf(outcome: Outcome): CallResult | null {
  return outcome.type === 'UNKNOWN' ? RESULTS[outcome.reason] : 'ANSWERED';
}

const RESULTS: Readonly<Record<UnknownReason, CallResult | null>> = {
  RATE_LIMITED_HERE: null,
  NOT_YET: null,
  NO_ANSWER: 'SILENT',
  // No connection, or no token: no one was there to send to.
  NOT_SENT: 'SILENT',
  OTHER_ACCOUNT: 'ANSWERED',
  OPERATOR_ERROR: 'FAILING',
  UNREADABLE_ANSWER: 'FAILING',
  UNMAPPED_CODE: 'ANSWERED',
  AMOUNT_DIFFERS: 'ANSWERED',
  CURRENCY_DIFFERS: 'ANSWERED',
  PARTY_DIFFERS: 'ANSWERED',
  TRANSACTION_TAKEN: 'ANSWERED',
  SECOND_TRANSACTION: 'ANSWERED',
};

const STAYS: HealthVerdict = { type: 'STAYS', goodSince: null };

function judgeOperational(
  buckets: readonly CallBucket[],
  settings: HealthSettings,
  spanMs: number,
): HealthVerdict {
  const failing = findFailing(buckets, settings);
  if (failing !== null) {
    const why = `${inFigures(failing, spanMs)}; DELAYED from ${settings.delayedPercent} %`;
    return { type: 'TURNS', to: 'DELAYED', why };
  }
  const silence = silenceOf(buckets);
  if (silence.calls < SILENT_CALLS_MIN || silence.lastedMs < settings.silenceMs) return STAYS;
  const limit = `DELAYED from ${seconds(settings.silenceMs)}`;
  const why = `${silence.calls} calls in ${seconds(silence.lastedMs)} and no answer; ${limit}`;
  return { type: 'TURNS', to: 'DELAYED', why };
}

/**
 * The calls that condemn a provider, if any do. Submits decide where there are enough of them; while payments get
 * through, enquiries that fail are no reason to refuse more: the outcome of those can be told by notification.
 */
function findFailing(buckets: readonly CallBucket[], settings: HealthSettings): CallCounts | null {
  const isFailing = (calls: CallCounts) => failedPercent(calls) >= settings.delayedPercent;
  const submits = sumOf(buckets.filter(({ step }) => step === 'SUBMIT'));
  const all = sumOf(buckets);
  const judged = countOf(submits) >= settings.callsMin ? submits : all;
  if (countOf(judged) < settings.callsMin || !isFailing(judged)) return null;
  return countOf(submits) === 0 || isFailing(submits) ? judged : null;
}

/** The silence since the last sign of life: how many calls, from the first of them to the last. */
function silenceOf(buckets: readonly CallBucket[]): { readonly calls: number; readonly lastedMs: number } {
  const heard = buckets.filter(({ answered, failing }) => answered + failing > 0).map(startOf);
  const silent = buckets.filter((one) => one.silent > 0 && startOf(one) > Math.max(...heard, -Infinity));
  if (silent.length === 0) return { calls: 0, lastedMs: 0 };
  const starts = silent.map(startOf);
  return { calls: sumOf(silent).silent, lastedMs: Math.max(...starts) - Math.min(...starts) };
}

function judgeDelayed(
  health: ProviderHealth,
  settings: HealthSettings,
  { now, spanMs }: { readonly now: Date; readonly spanMs: number },
): HealthVerdict {
  const calls = sumOf(health.buckets);
  const waitMs = settings.recoverAfterMs * 2 ** Math.min(health.relapses, DOUBLINGS_MAX);
  if (!isWell(health.buckets, settings)) {
    const blindMs = BLIND_WAITS * waitMs;
    const isBlind = countOf(calls) === 0;
    if (!isBlind || elapsedMs(health.changedAt, now) < blindMs) return STAYS;
    return { type: 'TURNS', to: 'OPERATIONAL', why: `no call could be made for ${seconds(blindMs)}` };
  }
  const goodSince = health.goodSince ?? now;
  if (elapsedMs(goodSince, now) < waitMs) return { type: 'STAYS', goodSince };
  const limit = `OPERATIONAL after ${seconds(waitMs)} at ${settings.operationalPercent} % or less`;
  return { type: 'TURNS', to: 'OPERATIONAL', why: `${inFigures(calls, spanMs)}; ${limit}` };
}

/** Submits have a voice of their own here too: a probe that is answered does not make up for a payment that is lost. */
function isWell(buckets: readonly CallBucket[], settings: HealthSettings): boolean {
  const isFine = (calls: CallCounts) => failedPercent(calls) <= settings.operationalPercent;
  const all = sumOf(buckets);
  const submits = sumOf(buckets.filter(({ step }) => step === 'SUBMIT'));
  return countOf(all) >= RECOVERY_CALLS_MIN && isFine(all) && (countOf(submits) === 0 || isFine(submits));
}

function sumOf(all: readonly CallCounts[]): CallCounts {
  return all.reduce(
    (sum, { answered, failing, silent }) => ({
      answered: sum.answered + answered,
      failing: sum.failing + failing,
      silent: sum.silent + silent,
    }),
    { answered: 0, failing: 0, silent: 0 },
  );
}

function countOf({ answered, failing, silent }: CallCounts): number {
  return answered + failing + silent;
}

function failedOf({ failing, silent }: CallCounts): number {
  return failing + silent;
}

function failedPercent(calls: CallCounts): number {
  return (100 * failedOf(calls)) / Math.max(countOf(calls), 1);
}

/** "48 of 60 calls failed in 60 s (80 %)". */
function inFigures(calls: CallCounts, spanMs: number): string {
  const share = `${Math.round(failedPercent(calls))} %`;
  return `${failedOf(calls)} of ${countOf(calls)} calls failed in ${seconds(spanMs)} (${share})`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

function startOf({ startedAt }: CallBucket): number {
  return startedAt.getTime();
}

function elapsedMs(since: Date | null, now: Date): number {
  return since === null ? Infinity : now.getTime() - since.getTime();
}
