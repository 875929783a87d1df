// Whole lives in a closed loop: wrk starts payments, and a life ends where the merchant acknowledges its callback. The
// number in flight is constant, because wrk starts as many as have ended.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Setup } from './setup.ts';
import type { Step } from './statistics.ts';
import { startWrk, type RunningWrk } from './wrk.ts';

export type LivesOptions = {
  readonly requests: readonly string[];
  readonly inFlight: number;
  /** The warm-up is not counted, nor as many lives as are in flight: batches have to form. */
  readonly warmMs: number;
  readonly windowMs: number;
  readonly onWindow: (edge: 'BEGINS' | 'ENDS') => Promise<void>;
};

/** What a window of work came to. */
export type LoadResult = {
  readonly count: number;
  readonly seconds: number;
  readonly steps: Readonly<Record<string, Step>>;
  /** Requests that were shed, of all. */
  readonly rejectedShare?: number;
};

type LivesSetup = Pick<Setup, 'receiver' | 'gatewayPorts' | 'wrk' | 'folder'>;

/** They wait for slots together, so few of them send as much as the gateway can end. */
const CONNECTIONS_MAX = 128;
/** How often wrk learns what has ended. */
const PROGRESS_MS = 10;
/** For the lives of the warm-up, and after the last request for the next callback. */
const PATIENCE_MS = 30_000;
/** What was sent and not answered when wrk stopped may have been accepted: its callbacks come within this time. */
const QUIET_MS = 200;
/** A window is extended up to this many times its length, or until a life ends: lives of one batch end in waves. */
const WINDOWS_MAX = 5;

export async function runLives(setup: LivesSetup, options: LivesOptions): Promise<LoadResult> {
  const { requests, inFlight } = options;
  const ended = setup.receiver.countLives();
  const path = join(setup.folder, `progress-${setup.gatewayPorts.join('-')}`);
  const stopProgress = keepProgress(path, ended);
  try {
    const wrk = startWrk({
      program: setup.wrk,
      script: 'lives',
      ports: setup.gatewayPorts,
      connections: Math.min(CONNECTIONS_MAX, inFlight),
      requests,
      folder: setup.folder,
      settings: { IN_FLIGHT: String(inFlight), PROGRESS: path },
    });
    const window = await keepWindow(options, ended, wrk);
    const { accepted, rejected } = await wrk.stop();
    await waitForRest(ended, accepted);
    const rejectedShare = rejected / Math.max(1, accepted + rejected);
    return { ...window, rejectedShare, steps: {} };
  } finally {
    stopProgress();
  }
}

type Count = () => number;

async function keepWindow(
  { inFlight, warmMs, windowMs, onWindow }: LivesOptions,
  ended: Count,
  wrk: RunningWrk,
) {
  const phase = { isOver: false };
  void wrk.ended.then(() => (phase.isOver = true));
  const until = async (isReached: () => boolean) => {
    while (!isReached() && !phase.isOver) await sleep(20);
  };
  await sleep(warmMs);
  const patientUntil = performance.now() + PATIENCE_MS;
  await until(() => ended() >= inFlight || performance.now() > patientUntil);
  await onWindow('BEGINS');
  const [beganAt, before] = [performance.now(), ended()];
  const closesAt = beganAt + windowMs * WINDOWS_MAX;
  await sleep(windowMs);
  await until(() => ended() - before >= inFlight || (ended() > before && performance.now() > closesAt));
  const window = { count: ended() - before, seconds: (performance.now() - beganAt) / 1_000 };
  await onWindow('ENDS');
  return window;
}

/** The next figure must not share the machine with the rest of this one. */
async function waitForRest(ended: Count, accepted: number): Promise<void> {
  let [seen, seenAt] = [ended(), performance.now()];
  for (;;) {
    await sleep(QUIET_MS);
    const quietMs = performance.now() - seenAt;
    if (seen !== ended()) [seen, seenAt] = [ended(), performance.now()];
    else if (seen >= accepted) return;
    else if (quietMs > PATIENCE_MS) throw new Error(`${accepted - seen} callbacks are missing`);
  }
}

/** Writes for wrk how many lives ended. Returns how to stop. */
function keepProgress(path: string, ended: Count): () => void {
  const file = openSync(path, 'w');
  const write = () => void writeSync(file, String(ended()).padStart(12), 0);
  write();
  const timer = setInterval(write, PROGRESS_MS);
  return () => {
    clearInterval(timer);
    closeSync(file);
  };
}
