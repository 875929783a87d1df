// Decides from counts of calls whether a provider answers. Pure: core/operators/watch-availability stores the result.
// Payment results do not matter here: a declined payment is an answer like any other.
import type { AvailabilityReason } from './availability-reason.ts';
import type { Outcome, UnknownReason } from '../payments/outcome.ts';

/** SUBMIT sends a payment, QUERY asks for its outcome, PROBE only checks that the provider answers. */
export type CallStep = 'SUBMIT' | 'QUERY' | 'PROBE';

/** SILENT: no answer. FAILING: a useless answer. */
export type CallResult = 'ANSWERED' | 'FAILING' | 'SILENT';

export type CallCounts = { readonly answered: number; readonly failing: number; readonly silent: number };

/** The calls of one step in one short interval. */
export type CallBucket = CallCounts & { readonly step: CallStep; readonly startedAt: Date };

export type HealthSettings = {
  /** How often counts are stored and evaluated. */
  readonly lookIntervalMs: number;
  /** Only calls this recent count. */
  readonly windowMs: number;
  /** Fewer calls than this in the window prove nothing. */
  readonly callsMin: number;
  /** From this percentage of failing calls on a provider becomes DELAYED. */
  readonly delayedPercent: number;
  /** Down to this percentage a DELAYED provider counts as healthy again. */
  readonly operationalPercent: number;
  /** Only silence for this long is enough, however few the calls. */
  readonly silenceMs: number;
  /** How long a DELAYED provider must stay healthy before it is OPERATIONAL. */
  readonly recoverAfterMs: number;
  /** How often a DELAYED provider gets a harmless call. */
  readonly probeIntervalMs: number;
};

export const DEFAULT_HEALTH: HealthSettings = {
  // A waiting payer is rejected one second late at most, and it costs a worker four small statements.
  lookIntervalMs: 1_000,
  // Longer than the pauses of a busy operator; a broken one costs payments for one minute at most.
  windowMs: 60_000,
  // With an operator that fails one call in ten, half of 20 calls fail by chance 7 times in a million.
  callsMin: 20,
  // When every second call is lost, waiting serves merchants better than trying.
  delayedPercent: 50,
  // Far below the other threshold, so that an operator between the two does not change its status.
  operationalPercent: 20,
  // Three time-outs of ten seconds in a row.
  silenceMs: 30_000,
  // Fifteen evaluations. Failed calls leave the window first, so payments continue about one minute after the operator
  // recovers.
  recoverAfterMs: 15_000,
  // Twelve in a window: enough to decide without payments, and no burden for the operator.
  probeIntervalMs: 5_000,
};

/** Whether the thresholds leave a gap (hysteresis). One good evaluation is not a recovery. */
export function isConsistent(settings: HealthSettings): boolean {
  return (
    settings.operationalPercent < settings.delayedPercent &&
    settings.silenceMs < settings.windowMs &&
    settings.recoverAfterMs >= 2 * settings.lookIntervalMs
  );
}

/** How long relapses are remembered; they make recovery slower. */
export const RELAPSES_REMEMBERED_MS = 3_600_000;

/** One or two lost calls are normal; a third without an answer in between is a pattern. */
const SILENT_CALLS_MIN = 3;

/** A DELAYED provider gets few calls, so few must be enough: three probes, or enquiries about open payments. */
const RECOVERY_CALLS_MIN = 3;

/** Each relapse doubles the wait, up to 16 times: four minutes with the default settings. */
const DOUBLINGS_MAX = 4;

/** If no call can be made, payments are allowed again after this many waits: only a payment can test the provider. */
const BLIND_WAITS = 20;

/** A provider for one operation: its calls and its history. */
export type ProviderHealth = {
  readonly status: 'OPERATIONAL' | 'DELAYED';
  /** When it got this status, if known. Earlier calls are already taken into account. */
  readonly changedAt: Date | null;
  /** Since when every evaluation was healthy, while it is DELAYED. */
  readonly goodSince: Date | null;
  /** How often it recently became DELAYED. */
  readonly relapses: number;
  readonly buckets: readonly CallBucket[];
};

export type HealthVerdict =
  | { readonly type: 'STAYS'; readonly goodSince: Date | null }
  | { readonly type: 'TURNS'; readonly to: 'OPERATIONAL' | 'DELAYED'; readonly why: AvailabilityReason };

export function assessHealth(health: ProviderHealth, settings: HealthSettings, now: Date): HealthVerdict {
  const since = Math.max(now.getTime() - settings.windowMs, health.changedAt?.getTime() ?? -Infinity);
  const buckets = health.buckets.filter(({ startedAt }) => startedAt.getTime() > since);
  const spanMs = now.getTime() - since;
  return health.status === 'OPERATIONAL'
    ? assessOperational(buckets, settings, spanMs)
    : assessDelayed({ ...health, buckets }, settings, { now, spanMs });
}

/** What one call says about the operator; nothing if no call was made. A customer who declines is still an answer. */
export function resultOf(outcome: Outcome): CallResult | null {
  return outcome.type === 'UNKNOWN' ? RESULTS[outcome.reason] : 'ANSWERED';
}

const RESULTS: Readonly<Record<UnknownReason, CallResult | null>> = {
  RATE_LIMITED_HERE: null,
  NOT_YET: null,
  NO_ANSWER: 'SILENT',
  // No connection or no token: the operator was not reached.
  NOT_SENT: 'SILENT',
  OTHER_ACCOUNT: 'ANSWERED',
  REPORT_TO_APPROVE: 'ANSWERED',
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

function assessOperational(
  buckets: readonly CallBucket[],
  settings: HealthSettings,
  spanMs: number,
): HealthVerdict {
  const failing = findFailing(buckets, settings);
  if (failing !== null) {
    const limitPercent = settings.delayedPercent;
    const why = { code: 'CALLS_FAILED', ...inFigures(failing, spanMs), limitPercent } as const;
    return { type: 'TURNS', to: 'DELAYED', why };
  }
  const silence = silenceOf(buckets);
  if (silence.calls < SILENT_CALLS_MIN || silence.lastedMs < settings.silenceMs) return STAYS;
  const lasted = { seconds: seconds(silence.lastedMs), limitSeconds: seconds(settings.silenceMs) };
  return { type: 'TURNS', to: 'DELAYED', why: { code: 'NO_ANSWER', calls: silence.calls, ...lasted } };
}

/**
 * The calls that make a provider DELAYED, if any. Submits decide if there are enough of them. While payments get
 * through, failing enquiries are no reason to refuse more: notifications can report outcomes.
 */
function findFailing(buckets: readonly CallBucket[], settings: HealthSettings): CallCounts | null {
  const isFailing = (calls: CallCounts) => failedPercent(calls) >= settings.delayedPercent;
  const submits = sumOf(buckets.filter(({ step }) => step === 'SUBMIT'));
  const all = sumOf(buckets);
  const counted = countOf(submits) >= settings.callsMin ? submits : all;
  if (countOf(counted) < settings.callsMin || !isFailing(counted)) return null;
  return countOf(submits) === 0 || isFailing(submits) ? counted : null;
}

/** The silence since the last answer: the number of calls, and the time from the first to the last. */
function silenceOf(buckets: readonly CallBucket[]): { readonly calls: number; readonly lastedMs: number } {
  const heard = buckets.filter(({ answered, failing }) => answered + failing > 0).map(startOf);
  const silent = buckets.filter((one) => one.silent > 0 && startOf(one) > Math.max(...heard, -Infinity));
  if (silent.length === 0) return { calls: 0, lastedMs: 0 };
  const starts = silent.map(startOf);
  return { calls: sumOf(silent).silent, lastedMs: Math.max(...starts) - Math.min(...starts) };
}

function assessDelayed(
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
    return { type: 'TURNS', to: 'OPERATIONAL', why: { code: 'NO_CALLS', seconds: seconds(blindMs) } };
  }
  const goodSince = health.goodSince ?? now;
  if (elapsedMs(goodSince, now) < waitMs) return { type: 'STAYS', goodSince };
  const limits = { afterSeconds: seconds(waitMs), limitPercent: settings.operationalPercent };
  const why = { code: 'RECOVERED', ...inFigures(calls, spanMs), ...limits } as const;
  return { type: 'TURNS', to: 'OPERATIONAL', why };
}

/** Submits also count separately here: an answered probe does not make up for a lost payment. */
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

function inFigures(calls: CallCounts, spanMs: number) {
  const percent = Math.round(failedPercent(calls));
  return { failed: failedOf(calls), calls: countOf(calls), seconds: seconds(spanMs), percent };
}

/** Rounded to tenths. */
function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

function startOf({ startedAt }: CallBucket): number {
  return startedAt.getTime();
}

function elapsedMs(since: Date | null, now: Date): number {
  return since === null ? Infinity : now.getTime() - since.getTime();
}
