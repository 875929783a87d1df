// What the worker runs by. The configuration has it, which every command reads: so it loads nothing of the worker.

export type WorkerSettings = {
  /** The floor when a wake-up is lost. */
  readonly pollMs: number;
  /** A step whose worker does not come back is taken up by another after this. */
  readonly stepLeaseMs: number;
  readonly callbackTimeoutMs: number;
  readonly callbackLeaseMs: number;
  /** As many callbacks at once to one endpoint. */
  readonly callbacksAtOnceMax: number;
  /** An endpoint that has acknowledged nothing for so long is switched off. */
  readonly callbackSwitchOffAfterMs: number;
  /** How many waiting payments of one provider and kind are released in a second, once it is back. */
  readonly releasesPerSecond: number;
  readonly sweepIntervalMs: number;
  readonly sweepOverdueAfterMs: number;
};

export const DEFAULT_WORKER: WorkerSettings = {
  pollMs: 250,
  // Three times the 20 s an enquiry may take.
  stepLeaseMs: 60_000,
  callbackTimeoutMs: 10_000,
  // Longer than a delivery can take, so that an endpoint queue is never worked by two.
  callbackLeaseMs: 30_000,
  // At 300 ms an answer that is 66 callbacks a second, and no more than a small server has threads.
  callbacksAtOnceMax: 20,
  // Longer than a long weekend's first two days, and as long as single callbacks are tried.
  callbackSwitchOffAfterMs: 3 * 24 * 3_600_000,
  // A provider that comes back must not be knocked over by those who waited.
  releasesPerSecond: 20,
  sweepIntervalMs: 15_000,
  sweepOverdueAfterMs: 30_000,
};
