// How many requests an API token may make, or anyone else is counted: a bucket that fills steadily and holds a burst.
// Each process counts for itself, because a count shared by all would be a write to the database for every read of it.
import type { ProcessClock } from '../../domain/clock.ts';

export type RateRule = {
  /** How many requests a second a token may make in the long run. */
  readonly perSecond: number;
  /** How many it may make at once after a pause. */
  readonly burst: number;
};

/** More than a busy merchant sends, and less than it takes to crowd out the others. */
export const DEFAULT_RATE: RateRule = { perSecond: 100, burst: 200 };

/** Requests to hosted pages, of one address: 300 a minute, because many phones share one. */
export const DEFAULT_PAGE_RATE: RateRule = { perSecond: 5, burst: 300 };

/** Thousandths of a request: at `perSecond` requests a second, each millisecond brings `perSecond` of them. */
const REQUEST = 1_000;

/** What is left, in thousandths of a request, and when that was so. Whole numbers: nothing is lost to rounding. */
export type Bucket = { readonly left: number; readonly atMs: number };

export type Draw = {
  readonly bucket: Bucket;
  /** 0 when the request may go on. A request that must wait has cost nothing. */
  readonly waitMs: number;
};

/** One request. A token without a bucket has a full one. */
export function draw(bucket: Bucket | undefined, rule: RateRule, nowMs: number): Draw {
  const left = leftOf(bucket, rule, nowMs);
  if (left >= REQUEST) return { bucket: { left: left - REQUEST, atMs: nowMs }, waitMs: 0 };
  return { bucket: { left, atMs: nowMs }, waitMs: Math.ceil((REQUEST - left) / rule.perSecond) };
}

/** A clock that was moved back neither fills nor empties the bucket. */
function leftOf(bucket: Bucket | undefined, { perSecond, burst }: RateRule, nowMs: number): number {
  if (bucket === undefined) return burst * REQUEST;
  return Math.min(burst * REQUEST, bucket.left + Math.max(0, nowMs - bucket.atMs) * perSecond);
}

export type RateLimiter = {
  /** Counts one request of a token. Answers how long it must wait; 0 when it may go on. */
  readonly waitMsOf: (tokenId: string) => number;
  /** The same for a request that is not made. */
  readonly wouldWaitMs: (tokenId: string) => number;
};

/** As many tokens as are counted at once. The one that was quiet for longest is forgotten, and starts again full. */
const BUCKETS_MAX = 10_000;

export function createRateLimiter(clock: ProcessClock, rule: RateRule): RateLimiter {
  const buckets = new Map<string, Bucket>();
  return {
    waitMsOf: (tokenId) => {
      const { bucket, waitMs } = draw(buckets.get(tokenId), rule, clock.now().getTime());
      buckets.delete(tokenId);
      buckets.set(tokenId, bucket);
      if (buckets.size > BUCKETS_MAX) buckets.delete(buckets.keys().next().value ?? tokenId);
      return waitMs;
    },
    wouldWaitMs: (tokenId) => draw(buckets.get(tokenId), rule, clock.now().getTime()).waitMs,
  };
}
