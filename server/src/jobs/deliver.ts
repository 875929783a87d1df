// Delivers callbacks: leases lanes, posts a few callbacks of each, records every attempt, gives the lanes back.
import type { CallbackPoster, PostResult } from '../callbacks/post.ts';
import { parseRetryAfterMs, retryDelayMs } from '../callbacks/schedule.ts';
import { signCallback } from '../callbacks/sign.ts';
import type { Engine } from '../core/engine.ts';
import { later } from '../core/schedule.ts';
import {
  disableEndpoint,
  leaseDueCallbacks,
  recordDeliveries,
  releaseLane,
  type Delivery,
  type DueCallback,
} from '../store/callbacks.ts';
import { inTransaction } from '../store/database.ts';
import { renderBodies } from './callback-bodies.ts';
import type { Background, Round } from './loop.ts';

export type DeliverRoundOptions = {
  readonly lanesMax: number;
  /** As many at once to one endpoint: a small merchant's server must live through it. */
  readonly callbacksPerLaneMax: number;
  /** Longer than a delivery can take. If we crash, the lane is free again after this. */
  readonly leaseMs: number;
  readonly onError: (error: unknown) => void;
};

export function createDeliverRound(engine: Engine, poster: CallbackPoster, options: DeliverRoundOptions) {
  return async (background: Background): Promise<Round> => {
    const lanesMax = options.lanesMax - background.count();
    if (lanesMax <= 0) return 'IDLE';
    const now = engine.clock.now();
    const leasedUntil = later(now, options.leaseMs);
    const due = await leaseDueCallbacks(engine.store.database, {
      now,
      leasedUntil,
      lanesMax,
      callbacksPerLaneMax: options.callbacksPerLaneMax,
    });
    const lanes = Map.groupBy(due, ({ endpointId }) => endpointId);
    for (const [endpointId, callbacks] of lanes) {
      background.run(() =>
        deliverLane(engine, poster, { endpointId, leasedUntil, callbacks }, options.onError),
      );
    }
    return lanes.size > 0 ? 'MORE' : 'IDLE';
  };
}

type LeasedLane = {
  readonly endpointId: string;
  readonly leasedUntil: Date;
  readonly callbacks: readonly DueCallback[];
};

async function deliverLane(
  engine: Engine,
  poster: CallbackPoster,
  lane: LeasedLane,
  onError: (error: unknown) => void,
): Promise<void> {
  const bodies = await renderBodies(engine, lane.callbacks, onError);
  const deliveries = await Promise.all(
    lane.callbacks.map((callback) => deliver(engine, poster, callback, bodies.get(callback.callbackId))),
  );
  const now = engine.clock.now();
  const gone = deliveries.find(({ httpStatus }) => httpStatus === 410);
  const hasFailed = deliveries.every(({ status }) => status !== 'DELIVERED');
  await inTransaction(engine.store.database, async (tx) => {
    await recordDeliveries(tx, deliveries);
    if (gone !== undefined) await disableEndpoint(tx, { ...lane, url: gone.callback.url, now });
    await releaseLane(tx, { ...lane, now, hasFailed });
  });
}

async function deliver(
  engine: Engine,
  poster: CallbackPoster,
  callback: DueCallback,
  body: string | undefined,
): Promise<Delivery> {
  const startedAt = engine.clock.now();
  const started = performance.now();
  const result: PostResult =
    body === undefined
      ? { type: 'NO_ANSWER', code: 'NOT_RENDERED' }
      : await poster.post({
          url: callback.url,
          body,
          headers: await signedHeaders(engine, callback.url, body),
        });
  const durationMs = Math.round(performance.now() - started);
  const delivery = conclude(callback, result, engine.clock.now());
  engine.observer.delivered(delivery.status, durationMs / 1_000);
  engine.tracer.record({
    key: callback,
    name: 'callback',
    since: started,
    isFailure: delivery.status !== 'DELIVERED',
    attributes: {
      state: callback.announcedState,
      result: delivery.status,
      httpStatus: delivery.httpStatus,
      errorCode: delivery.errorCode,
      attempt: callback.attemptCount + 1,
    },
  });
  return { callback, startedAt, durationMs, ...delivery };
}

/** Without a key nothing is sent and no attempt is counted: that is our fault, and the lane is tried again. */
async function signedHeaders(engine: Engine, url: string, body: string) {
  const key = await engine.signingKeys.current();
  return signCallback({ url, body, key, now: engine.wallClock.now() });
}

function conclude(
  callback: DueCallback,
  result: PostResult,
  now: Date,
): Pick<Delivery, 'status' | 'dueAt' | 'httpStatus' | 'errorCode'> {
  const answered =
    result.type === 'ANSWERED'
      ? { httpStatus: result.httpStatus, errorCode: null }
      : { httpStatus: null, errorCode: result.code };
  if (result.type === 'ANSWERED' && result.httpStatus >= 200 && result.httpStatus < 300) {
    return { ...answered, status: 'DELIVERED', dueAt: now };
  }
  const retryAfterMs = result.type === 'ANSWERED' ? parseRetryAfterMs(result.retryAfter, now) : null;
  const delayMs = retryDelayMs(callback.attemptCount + 1, { random: Math.random(), retryAfterMs });
  if (delayMs === null) return { ...answered, status: 'ABANDONED', dueAt: now };
  return { ...answered, status: 'PENDING', dueAt: later(now, delayMs) };
}
