// A gateway under load, step by step: API processes with the real backlog, a database that is read late, workers that
// send in batches. Time is the test's own.
import { vi } from 'vitest';
import { createBacklog, type LookTimes } from '../../src/core/payments/accept/backlog.ts';
import type { CountedSubmits } from '../../src/store/payments/due-steps.ts';

const STEP_MS = 10;
const START = Date.parse('2026-03-02T12:00:00Z');

export type QueueOptions = {
  /** What the workers send. */
  readonly perSecond: number;
  readonly fromMs: number;
  /** From when an order is dated until others can see it. */
  readonly commitMs: number;
  /** How long a look takes. */
  readonly lookMs: number;
  /** How much slower workers are while as much is accepted as they send: they share the processor. */
  readonly slowedBy: number;
  readonly countMax: number;
};

const USUAL: QueueOptions = {
  perSecond: 400,
  fromMs: 3_000,
  commitMs: 400,
  lookMs: 200,
  slowedBy: 0,
  countMax: 10_000,
};

/** Workers claim so many at once, as far as they send as many in a quarter of a second. */
const BATCH_MAX = 100;

export class SimulatedQueue {
  readonly #options: QueueOptions;
  readonly #apis: ReturnType<typeof createBacklog>[] = [];
  /** When the orders were dated that wait to be sent, in order; the first `#sent` of them are gone. */
  readonly #dated: number[] = [];
  readonly #looks: { readonly dueAt: number; readonly answer: () => void }[] = [];
  #now = 0;
  #sent = 0;
  #capacity = 0;
  #arrived = 0;
  #turn = 0;
  #accepted = 0;
  #seed = 1;

  constructor(options: Partial<QueueOptions> = {}) {
    this.#options = { ...USUAL, ...options };
    this.addApi();
  }

  addApi(): void {
    this.#apis.push(
      createBacklog({
        clock: { now: () => new Date(START + this.#now) },
        fromMs: this.#options.fromMs,
        look: (times) => this.#look(times),
        recovery: async () => null,
        random: () => this.#random(),
      }),
    );
  }

  /** Offers this many times what the workers send. Answers the rejected share of every two seconds, API by API. */
  async offer(times: number, seconds: number, workers = 1): Promise<readonly (readonly number[])[]> {
    const windows: number[][] = [];
    for (let window = 0; window < seconds / 2; window += 1) {
      const counts = this.#apis.map(() => ({ offered: 0, shed: 0 }));
      for (let step = 0; step < 2_000 / STEP_MS; step += 1) await this.#step(times, workers, counts);
      windows.push(counts.map(({ offered, shed }) => (offered === 0 ? 0 : shed / offered)));
    }
    return windows;
  }

  async #step(times: number, workers: number, counts: { offered: number; shed: number }[]): Promise<void> {
    vi.advanceTimersByTime(STEP_MS);
    this.#now += STEP_MS;
    const { perSecond, slowedBy } = this.#options;
    const acceptedBefore = this.#accepted;
    this.#arrived += (perSecond * times * STEP_MS) / 1_000;
    for (; this.#arrived >= 1; this.#arrived -= 1) this.#arrive(counts);
    const share = (this.#accepted - acceptedBefore) / ((perSecond * STEP_MS) / 1_000);
    const isSlowed = 1 - slowedBy * Math.min(2, share);
    this.#capacity += (workers * perSecond * isSlowed * STEP_MS) / 1_000;
    this.#send();
    while ((this.#looks[0]?.dueAt ?? Infinity) <= this.#now) this.#looks.shift()?.answer();
    await new Promise((resolve) => void setImmediate(resolve));
  }

  #arrive(counts: { offered: number; shed: number }[]): void {
    this.#turn = (this.#turn + 1) % this.#apis.length;
    const count = counts[this.#turn];
    if (count === undefined) throw new Error('there is no such API');
    count.offered += 1;
    if (this.#apis[this.#turn]?.sheds('BUSY', 'DEPOSIT') === true) {
      count.shed += 1;
      return;
    }
    this.#accepted += 1;
    this.#dated.push(this.#now);
  }

  /** The same numbers in every run. */
  #random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }

  #visible(): readonly number[] {
    const { commitMs } = this.#options;
    const end = this.#dated.findIndex((at) => at > this.#now - commitMs);
    return this.#dated.slice(this.#sent, end < 0 ? undefined : end);
  }

  /** The oldest first. Workers that have nothing to do keep no capacity. */
  #send(): void {
    const batch = Math.min(BATCH_MAX, this.#options.perSecond / 4);
    while (this.#capacity >= batch) {
      this.#capacity -= batch;
      this.#sent += Math.min(batch, this.#visible().length);
    }
    if (this.#dated.length > 10_000) this.#sent -= this.#dated.splice(0, this.#sent).length;
  }

  /** What is seen is from when the look begins; it is answered later. */
  #look({ now, settled, before }: LookTimes): Promise<CountedSubmits> {
    const all = this.#visible();
    const counted = all.slice(0, this.#options.countMax);
    const [first, last] = [counted[0] ?? 0, counted.at(-1) ?? 0];
    const upTo = (time: Pick<Date, 'getTime'>) => counted.filter((at) => START + at <= time.getTime()).length;
    const until = counted.length < all.length ? new Date(START + last) : now;
    const submits = [
      {
        provider: 'BUSY',
        operation: 'DEPOSIT' as const,
        count: counted.length,
        since: new Date(START + first),
        settledCount: upTo(settled),
        fromBefore: upTo(before),
      },
    ];
    const answer = { submits: counted.length === 0 ? [] : submits, until };
    const result = { ...answer, settled: until < settled ? until : settled };
    return new Promise((resolve) => {
      this.#looks.push({ dueAt: this.#now + this.#options.lookMs, answer: () => resolve(result) });
    });
  }
}
