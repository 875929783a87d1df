// How much time a statement about transfers covers, so that it reads neither many of them nor next to none.
import { addMs } from '../../domain/time.ts';

/** A quarter of a million take about half a second; the pool ends a statement after 30 s. */
const TRANSFERS_AT_ONCE = 250_000;
const FIRST_SPAN_MS = 600_000;
const SPAN_MIN_MS = 1_000;
const SPAN_MAX_MS = 86_400_000;

export type SpanOptions = {
  readonly transfersAtOnce?: number;
  /** Asked before each statement: a process that is to end must not be kept by what another can do. */
  readonly isStopping?: () => boolean;
};

export type LedgerSpan = {
  /** Where the next statement ends; null where there is no time left, or nothing to begin with. */
  readonly endAfter: (from: Date | null, end: Date) => Date | null;
  /** By how many transfers the last one read. */
  readonly adapt: (transferCount: number) => void;
};

export function createSpan({ transfersAtOnce = TRANSFERS_AT_ONCE }: SpanOptions): LedgerSpan {
  let spanMs = FIRST_SPAN_MS;
  return {
    endAfter: (from, end) => {
      if (from === null || from >= end) return null;
      const next = addMs(from, spanMs);
      return next < end ? next : end;
    },
    adapt: (transferCount) => {
      const factor = Math.min(transfersAtOnce / Math.max(transferCount, 1), 2);
      spanMs = Math.round(Math.min(Math.max(spanMs * factor, SPAN_MIN_MS), SPAN_MAX_MS));
    },
  };
}
