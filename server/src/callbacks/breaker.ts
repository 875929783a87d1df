// The health of an endpoint, and its effect on callbacks: how many at once, when to pause, when to disable it. Pure.

export type EndpointQueueHealth = {
  /** Consecutive failures, without an acknowledgement between them. */
  readonly failureCount: number;
  /** The first of them. */
  readonly failingSince: Date | null;
  /** Nothing is sent before this time. */
  readonly pausedUntil: Date | null;
  /** How many callbacks may be in progress at once. */
  readonly slots: number;
};

/** From this many failures on the breaker is open: one callback at a time, with pauses between. */
export const FAILURES_TO_OPEN = 3;

/** An endpoint without failures starts with this many slots, and gains one with every acknowledgement. */
const SLOTS_AT_START = 4;

/**
 * The pause doubles with each failed probe. It stays below the schedule's own delays, so a single callback is not
 * delayed by the breaker. It ends at two minutes, because a merchant who has fixed a server is waiting.
 */
const PAUSE_MIN_MS = 5_000;
const PAUSE_MAX_MS = 120_000;

/** The maximum pause that an endpoint can ask for. */
const WISH_MAX_MS = 3_600_000;

/** The minimum number of failures before an endpoint is disabled: two failures three days apart are not enough. */
const FAILURES_TO_SWITCH_OFF = 10;

export function healthAtStart(
  known: Pick<EndpointQueueHealth, 'failureCount' | 'failingSince'>,
  slotsMax: number,
): EndpointQueueHealth {
  const slots = known.failureCount === 0 ? Math.min(SLOTS_AT_START, slotsMax) : 1;
  return { ...known, pausedUntil: null, slots };
}

export function afterAcknowledgement({ slots }: EndpointQueueHealth, slotsMax: number): EndpointQueueHealth {
  return {
    failureCount: 0,
    failingSince: null,
    pausedUntil: null,
    slots: Math.min(slots + 1, slotsMax),
  };
}

/** `wishMs` is the pause that the endpoint asked for; 0 if none. */
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
    slots: failureCount === 1 ? Math.max(1, Math.floor(health.slots / 2)) : 1,
  };
}

export function breakerPauseMs(failureCount: number): number {
  if (failureCount < FAILURES_TO_OPEN) return 0;
  return Math.min(PAUSE_MIN_MS * 2 ** (failureCount - FAILURES_TO_OPEN), PAUSE_MAX_MS);
}

/** Whether an endpoint has failed so long, without any acknowledgement, that it should be disabled. */
export function shouldDisable(
  { failureCount, failingSince }: Pick<EndpointQueueHealth, 'failureCount' | 'failingSince'>,
  { now, switchOffAfterMs }: { readonly now: Date; readonly switchOffAfterMs: number },
): boolean {
  if (failingSince === null || failureCount < FAILURES_TO_SWITCH_OFF) return false;
  return now.getTime() - failingSince.getTime() >= switchOffAfterMs;
}
