// What happened in each second of a run, as merchants saw it.
import { stepOf } from '../../benchmarks/gateway/statistics.ts';

export type Count = 'offered' | 'accepted' | 'shed' | 'checksShed' | 'otherwise';

/** Seconds of a run, without the last one. */
export type Span = { readonly fromSecond: number; readonly toSecond: number };

export type Second = Readonly<Record<Count, number>> & {
  /** Since the beginning of the run. */
  readonly second: number;
  /** The 99th percentile of the status checks due in it; null if there were none. */
  readonly statusP99Ms: number | null;
  readonly initiationP99Ms: number | null;
};

type Entry = Record<Count, number> & { readonly statusMs: number[]; readonly initiationMs: number[] };

export class Tally {
  readonly #beganAt = performance.now();
  readonly #entries = new Map<number, Entry>();

  get nowSecond(): number {
    return this.#secondOf(performance.now());
  }

  /** Everything is counted in the second in which it was due, whenever its answer came. */
  count(what: Count, dueAt: number): void {
    this.#entryAt(dueAt)[what] += 1;
  }

  time(what: 'statusMs' | 'initiationMs', dueAt: number): void {
    this.#entryAt(dueAt)[what].push(performance.now() - dueAt);
  }

  seconds(): readonly Second[] {
    return [...this.#entries]
      .toSorted(([one], [other]) => one - other)
      .map(([second, { statusMs, initiationMs, ...counts }]) => {
        return { second, ...counts, statusP99Ms: p99(statusMs), initiationP99Ms: p99(initiationMs) };
      });
  }

  #secondOf(at: number): number {
    return Math.floor((at - this.#beganAt) / 1_000);
  }

  #entryAt(at: number): Entry {
    const second = this.#secondOf(at);
    const entry = this.#entries.get(second) ?? {
      offered: 0,
      accepted: 0,
      shed: 0,
      checksShed: 0,
      otherwise: 0,
      statusMs: [],
      initiationMs: [],
    };
    this.#entries.set(second, entry);
    return entry;
  }
}

function p99(ms: readonly number[]): number | null {
  return ms.length === 0 ? null : stepOf(ms).p99Ms;
}

export function within(seconds: readonly Second[], { fromSecond, toSecond }: Span): readonly Second[] {
  return seconds.filter(({ second }) => second >= fromSecond && second < toSecond);
}

export function sum(seconds: readonly Second[], count: Count): number {
  return seconds.reduce((total, one) => total + one[count], 0);
}

/** The share of offered deposits that was shed once it had time to settle. */
export type ShedShare = {
  readonly mean: number;
  /** How far a window of two seconds was from the mean. */
  readonly deviationMax: number;
};

const SETTLING_SECONDS = 10;
const WINDOW_SECONDS = 2;

/** Null if the span is too short for two windows. */
export function shedShareOf(seconds: readonly Second[], { fromSecond, toSecond }: Span): ShedShare | null {
  const settled = within(seconds, { fromSecond: fromSecond + SETTLING_SECONDS, toSecond });
  if (settled.length < 2 * WINDOW_SECONDS) return null;
  const share = (some: readonly Second[]) => sum(some, 'shed') / Math.max(1, sum(some, 'offered'));
  const mean = share(settled);
  const windows = settled.slice(WINDOW_SECONDS - 1).map((_, index) => {
    return share(settled.slice(index, index + WINDOW_SECONDS));
  });
  return { mean, deviationMax: Math.max(...windows.map((one) => Math.abs(one - mean))) };
}
