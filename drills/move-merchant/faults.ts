// What goes wrong while merchants move: the operator loses and delays answers, and a database fails over.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseCluster } from '../kit/database-cluster.ts';
import type { Random } from '../kit/random.ts';

const TAKEN_OVER_WITHIN_MS = 30_000;
/** How long the killed node is stopped. */
const AWAY_MS = 1_000;
/** The standby has to catch up with what was copied meanwhile, on a machine that is full. */
const WHOLE_WITHIN_MS = 300_000;

/** Kills the primary's whole node, waits until the standby has taken over, and starts the old one again. */
export async function failOver(cluster: DatabaseCluster): Promise<void> {
  await cluster.waitUntilWhole(WHOLE_WITHIN_MS);
  const before = await cluster.primary();
  if (before === null) throw new Error('there is no primary');
  const restart = cluster.kill(before);
  const until = Date.now() + TAKEN_OVER_WITHIN_MS;
  for (let now = await cluster.primary(); now === before || now === null; now = await cluster.primary()) {
    if (Date.now() > until) throw new Error('no node took over');
    await sleep(50);
  }
  await sleep(AWAY_MS);
  restart();
  await cluster.waitUntilWhole(WHOLE_WITHIN_MS);
}

/** Faults that tempt a gateway to send twice, until it is stopped. What contradicts itself is chaos's. */
export class OperatorFaults {
  count = 0;
  readonly #random: Random;
  readonly #url: string;
  #isStopped = false;

  constructor(random: Random, url: string) {
    this.#random = random;
    this.#url = url;
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      await sleep(this.#random.waitMs(400));
      const answer = await fetch(`${this.#url}/control/faults`, {
        method: 'POST',
        body: JSON.stringify(randomFault(this.#random)),
        signal: AbortSignal.timeout(1_000),
      }).catch(() => null);
      if (answer?.ok === true) this.count += 1;
    }
  }

  stop(): void {
    this.#isStopped = true;
  }
}

function randomFault(random: Random): object {
  const step = random.pick(['submit', 'query', 'token']);
  const when = random.pick(['BEFORE', 'AFTER']);
  return random.pick<object>([
    { type: 'LOSE_ANSWER', step },
    { type: 'ERROR', httpStatus: 503, step, when },
    { type: 'HANG', step, when },
    { type: 'DELAY', delayMs: random.between(200, 3_000), step, when },
    { type: 'NO_NOTIFICATION' },
    { type: 'DOUBLE_NOTIFICATION' },
    { type: 'LATE_NOTIFICATION', delayMs: random.between(500, 6_000) },
  ]);
}
