// Readers that wait for their next event. However many wait in a process, one statement looks for all of them, and none
// holds a connection meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import { listLastNumbers } from '../../store/events/merchant-events.ts';
import type { StorePart } from '../engine.ts';

/** Of a process, and of one merchant in it. Who comes beyond that is answered at once, as without waiting. */
export type WaitLimits = { readonly waitsMax: number; readonly perMerchantMax: number };

const DEFAULT_LIMITS: WaitLimits = { waitsMax: 1_000, perMerchantMax: 10 };

/** As often as events are numbered: looking more often would find nothing more. */
const LOOK_INTERVAL_MS = 250;

type Waiting = { readonly merchantId: string; readonly afterNo: number; readonly end: () => void };

export class EventWaits {
  readonly #engine: StorePart;
  readonly #limits: WaitLimits;
  readonly #waiting = new Set<Waiting>();
  #isLooking = false;
  #isClosed = false;

  constructor(engine: StorePart, limits = DEFAULT_LIMITS) {
    this.#engine = engine;
    this.#limits = limits;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /** Returns when there is an event behind the number, when the time is over, or when the reader has left. */
  async wait(
    { merchantId, afterNo }: Pick<Waiting, 'merchantId' | 'afterNo'>,
    { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<void> {
    if (this.#isClosed || signal.aborted || this.#isFull(merchantId)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => resolve();
    const waiting = { merchantId, afterNo, end };
    this.#waiting.add(waiting);
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    if (!this.#isLooking) void this.#look();
    await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    this.#waiting.delete(waiting);
  }

  /** Lets everyone go who waits. */
  close(): void {
    this.#isClosed = true;
    for (const { end } of this.#waiting) end();
  }

  #isFull(merchantId: string): boolean {
    const own = [...this.#waiting].filter((one) => one.merchantId === merchantId).length;
    return this.#waiting.size >= this.#limits.waitsMax || own >= this.#limits.perMerchantMax;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting.size > 0 && !this.#isClosed) {
      const merchantIds = [...new Set([...this.#waiting].map(({ merchantId }) => merchantId))];
      const { database } = this.#engine.store;
      // Where the database does not answer, they wait until their time is over.
      const last = await listLastNumbers(database, merchantIds).catch(() => new Map<string, number>());
      for (const { merchantId, afterNo, end } of this.#waiting) {
        if ((last.get(merchantId) ?? 0) > afterNo) end();
      }
      await sleep(LOOK_INTERVAL_MS, undefined, { ref: false });
    }
    this.#isLooking = false;
  }
}
