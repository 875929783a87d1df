// Which of the operator's and the bank's lines a day counts, and whether they are still those that were compared.
import type { Tx } from '../../store/database.ts';
import { digestLines, type LineSource, type LineSpan } from '../../store/daily-close/closed-lines.ts';
import type { CountedLines, StoredClose } from '../../store/daily-close/closes.ts';
import type { AccountName } from '../../store/daily-close/report-lines.ts';
import type { DaySpan } from './gather-day.ts';

export type LineSpans = { readonly lines: LineSpan; readonly bankLines: LineSpan };

/**
 * What a day counts that is not signed. `signed` is the day before it: what came late for days until then is counted
 * in this one. Without it, only the lines of the day's own time are.
 */
export function openSpans({ since, from, to }: DaySpan, signed: StoredClose | null): LineSpans {
  const span = (after: number): LineSpan => ({
    from,
    to,
    late: signed === null ? null : { since, after },
    through: null,
  });
  return {
    lines: span(signed?.linesThrough ?? 0),
    bankLines: span(signed?.bankLinesThrough ?? 0),
  };
}

/** What a day counted that is signed, or would count as it is requested. */
export function countedSpans({ since }: DaySpan, counted: CountedLines): LineSpans {
  const span = (after: number | null, through: number): LineSpan => ({
    from: counted.beginsAt,
    to: counted.endsAt,
    late: after === null ? null : { since, after },
    through,
  });
  return {
    lines: span(counted.linesAfter, counted.linesThrough),
    bankLines: span(counted.bankLinesAfter, counted.bankLinesThrough),
  };
}

/** What is kept of the lines of a day when it is signed. */
export async function countLines(tx: Tx, account: AccountName, spans: LineSpans): Promise<CountedLines> {
  const count = async (source: LineSource, span: LineSpan) => {
    const { last, digest } = await digestLines(tx, source, account, span);
    const after = span.late?.after ?? null;
    // A day without lines counts as far as the day before it.
    return { after, through: Math.max(after ?? 0, last ?? 0), digest };
  };
  const lines = await count('OPERATOR', spans.lines);
  const bankLines = await count('BANK', spans.bankLines);
  return {
    beginsAt: spans.lines.from,
    endsAt: spans.lines.to,
    linesAfter: lines.after,
    linesThrough: lines.through,
    bankLinesAfter: bankLines.after,
    bankLinesThrough: bankLines.through,
    linesDigest: `${lines.digest}; ${bankLines.digest}`,
  };
}
