// A client that never stops: a deposit every few hundredths of a second, each repeated until it is answered. The
// longest time without an accepted one is what a merchant notices of a move.
import { setTimeout as sleep } from 'node:timers/promises';
import { listGaps } from '../kit/gaps.ts';
import { Load, type Acknowledged } from '../kit/load/load.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { randomDeposit } from '../kit/load/requests.ts';
import type { Merchant } from '../kit/merchants.ts';
import type { Random } from '../kit/random.ts';

const EVERY_MS = 50;
const REPEAT_MS = 100;
/** More than wait at once, however long the pause is. */
const CLIENTS = 128;

export class PauseMeter {
  readonly acknowledged: Acknowledged[] = [];
  readonly #options: { readonly apiUrl: string; readonly moving: Merchant; readonly random: Random };
  readonly #load: Load;
  #isStopped = false;

  constructor(options: { apiUrl: string; moving: Merchant; random: Random }) {
    this.#options = options;
    this.#load = new Load({
      ...options,
      merchants: [options.moving],
      markets: MARKETS,
      inFlightMax: CLIENTS,
      repeatMsMax: REPEAT_MS,
      onAcknowledged: (payment) => this.acknowledged.push(payment),
    });
  }

  async run(): Promise<void> {
    const { moving, random } = this.#options;
    while (!this.#isStopped) {
      await this.#load.start(moving, randomDeposit(random, MARKETS));
      await sleep(EVERY_MS);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#load.stop();
  }

  /** Between two times on this process's clock: how long each was and when it ended, the longest first. */
  pausesMs(from: number, until: number): readonly { readonly ms: number; readonly endedAt: number }[] {
    return listGaps(this.#load.acknowledgedAt, { from, until }).toSorted((a, b) => b.ms - a.ms);
  }
}
