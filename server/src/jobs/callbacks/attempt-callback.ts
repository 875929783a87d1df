// One attempt at a callback: posts its kept body, and says what came of it and when it is due again.
import { AboutPayment } from '../../core/payment-log.ts';
import type { CallbackPoster, PostResult } from '../../callbacks/post.ts';
import { isTooOld, parseRetryAfterMs, retryDelayMs } from '../../callbacks/schedule.ts';
import { signCallback } from '../../callbacks/sign.ts';
import type { Engine } from '../../core/engine.ts';
import { addMs } from '../../domain/time.ts';
import { eventIdOf, openBody, type Delivery, type DueCallback } from '../../store/callbacks/callbacks.ts';

export type Attempted = {
  readonly delivery: Delivery;
  /** OURS: there was nothing to send, which says nothing about the endpoint. */
  readonly reading: 'ACKNOWLEDGED' | 'FAILED' | 'OURS';
  /** How long the endpoint asked to be left alone with everything. */
  readonly wishMs: number;
};

/** The same for every attempt at one event. */
const EVENT_ID_HEADER = 'malipo-event-id';

/** With these an endpoint speaks of itself, not of the one callback. */
const OVERLOADED: readonly number[] = [429, 503];

export type AttemptTools = {
  readonly engine: Engine;
  readonly poster: CallbackPoster;
  /** What the time is, as it is written. */
  readonly time: () => Date;
  readonly onError: (error: unknown) => void;
};

export async function attempt(tools: AttemptTools, callback: DueCallback): Promise<Attempted> {
  const { engine, poster, time } = tools;
  const startedAt = time();
  const started = performance.now();
  const { body, missing } = readBody(tools, callback);
  const result: PostResult =
    body === null
      ? { type: 'NO_ANSWER', code: missing }
      : await poster.post({ url: callback.url, body, headers: await headersOf(engine, callback, body) });
  const durationMs = Math.round(performance.now() - started);
  const now = time();
  const outcome = outcomeOf(callback, result, now);
  engine.observer.delivered(outcome.status, durationMs / 1_000);
  trace(engine, callback, outcome, started);
  return {
    delivery: { callback, startedAt, durationMs, ...outcome },
    reading: body === null ? 'OURS' : outcome.status === 'DELIVERED' ? 'ACKNOWLEDGED' : 'FAILED',
    wishMs: isOverloaded(result) ? (parseRetryAfterMs(result.retryAfter, now) ?? 0) : 0,
  };
}

type ReadBody =
  | { readonly body: string; readonly missing: null }
  | { readonly body: null; readonly missing: 'NOT_RENDERED' | 'UNREADABLE' };

/**
 * A body that cannot be opened counts as an attempt like any other, or it would be the endpoint queue's next one
 * permanently.
 */
function readBody({ engine, onError }: AttemptTools, callback: DueCallback): ReadBody {
  try {
    const body = openBody(engine.store.keyring, callback);
    return body === null ? { body, missing: 'NOT_RENDERED' } : { body, missing: null };
  } catch (error) {
    onError(new AboutPayment(callback, error));
    return { body: null, missing: 'UNREADABLE' };
  }
}

/**
 * Without a key nothing is sent and no attempt is counted: that is our fault, and the endpoint queue is tried again.
 */
async function headersOf(
  engine: Engine,
  callback: DueCallback,
  body: string,
): Promise<Readonly<Record<string, string>>> {
  const key = await engine.signingKeys.current();
  const signed = signCallback({
    merchantId: callback.merchantId,
    url: callback.url,
    body,
    key,
    now: engine.wallClock.now(),
  });
  // Not signed: the body is, and a client may insist on exactly the components it knows.
  return { ...signed, [EVENT_ID_HEADER]: eventIdOf(callback) };
}

function trace(engine: Engine, callback: DueCallback, outcome: Outcome, since: number): void {
  const { status: result, httpStatus, errorCode } = outcome;
  engine.tracer.record({
    key: callback,
    name: 'callback',
    since,
    isFailure: result !== 'DELIVERED',
    attributes: {
      state: callback.announcedState,
      result,
      httpStatus,
      errorCode,
      attempt: callback.attemptCount + 1,
    },
  });
}

type Outcome = Omit<Delivery, 'callback' | 'startedAt' | 'durationMs'>;

function outcomeOf(callback: DueCallback, result: PostResult, now: Date): Outcome {
  const answered =
    result.type === 'ANSWERED'
      ? { httpStatus: result.httpStatus, errorCode: null, answer: result.answer }
      : { httpStatus: null, errorCode: result.code, answer: null };
  if (result.type === 'ANSWERED' && result.httpStatus >= 200 && result.httpStatus < 300) {
    return { ...answered, status: 'DELIVERED', dueAt: now };
  }
  const retryAfterMs = result.type === 'ANSWERED' ? parseRetryAfterMs(result.retryAfter, now) : null;
  const delayMs = retryDelayMs(callback.attemptCount + 1, { random: Math.random(), retryAfterMs });
  if (delayMs === null || isTooOld(callback.createdAt, now)) {
    return { ...answered, status: 'ABANDONED', dueAt: now };
  }
  return { ...answered, status: 'PENDING', dueAt: addMs(now, delayMs) };
}

function isOverloaded(result: PostResult): result is Extract<PostResult, { type: 'ANSWERED' }> {
  return result.type === 'ANSWERED' && OVERLOADED.includes(result.httpStatus);
}
