// How an endpoint fares, and what follows for the callbacks it gets: how many at once, when to pause, when to give up.
// Pure: what happened and when in, the new judgement out.

export type EndpointQueueHealth = {
  /** Failures one after the other, with no acknowledgement between. */
  readonly failureCount: number;
  /** The first of them. */
  readonly failingSince: Date | null;
  /** Nothing is sent before this time. */
  readonly pausedUntil: Date | null;
  /** How many callbacks may be in progress at once. */
  readonly places: number;
};

/** From so many failures on the breaker is open: one callback at a time, with pauses between. */
export const FAILURES_TO_OPEN = 3;

/** An endpoint we know nothing bad of begins with so many, and gains one with every acknowledgement. */
const PLACES_AT_START = 4;

/**
 * The pause doubles with each failed probe. It stays below the schedule's own delays, so a single callback is tried as
 * if there were no breaker; and it ends at two minutes, because a merchant who has fixed a server waits for it.
 */
const PAUSE_MIN_MS = 5_000;
const PAUSE_MAX_MS = 120_000;

/** An endpoint that asks for more time for everything gets it, up to this. */
const WISH_MAX_MS = 3_600_000;

/** Switched off only after at least as many failures: two failures with three days between them are no proof. */
const FAILURES_TO_SWITCH_OFF = 10;

export function healthAtStart(
  known: Pick<EndpointQueueHealth, 'failureCount' | 'failingSince'>,
  slotsMax: number,
): EndpointQueueHealth {
  const places = known.failureCount === 0 ? Math.min(PLACES_AT_START, slotsMax) : 1;
  return { ...known, pausedUntil: null, places };
}

export function afterAcknowledgement({ places }: EndpointQueueHealth, slotsMax: number): EndpointQueueHealth {
  return {
    failureCount: 0,
    failingSince: null,
    pausedUntil: null,
    places: Math.min(places + 1, slotsMax),
  };
}

/** `wishMs` is how long the endpoint itself asked to be left alone with everything; 0 when it did not. */
export function afterFailure(
  health: EndpointQueueHealth,
  { at, wishMs }: { readonly at: Date; readonly wishMs: number },
): EndpointQueueHealth {
  const failureCount = health.failureCount + 1;
  const pauseMs = Math.max(breakerPauseMs(failureCount), Math.min(wishMs, WISH_MAX_MS));
  return {
    failureCount,
    failingSince: health.failingSince ?? at,
    pausedUntil: pauseMs === 0 ? null : new Date(at.getTime() + pauseMs),
    places: failureCount === 1 ? Math.max(1, Math.floor(health.places / 2)) : 1,
  };
}

export function breakerPauseMs(failureCount: number): number {
  if (failureCount < FAILURES_TO_OPEN) return 0;
  return Math.min(PAUSE_MIN_MS * 2 ** (failureCount - FAILURES_TO_OPEN), PAUSE_MAX_MS);
}

/** Whether an endpoint has failed so long, without a single acknowledgement, that no one seems to be there. */
export function shouldDisable(
  { failureCount, failingSince }: Pick<EndpointQueueHealth, 'failureCount' | 'failingSince'>,
  { now, switchOffAfterMs }: { readonly now: Date; readonly switchOffAfterMs: number },
): boolean {
  if (failingSince === null || failureCount < FAILURES_TO_SWITCH_OFF) return false;
  return now.getTime() - failingSince.getTime() >= switchOffAfterMs;
}
