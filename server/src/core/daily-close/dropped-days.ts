// What is lost from view when an account begins to be followed with a later day: its days before that are never signed,
// and nothing that differs in them is carried on.
import { addDays, countDays, startOfDay } from '../../domain/time-zone.ts';
import { renderAmount } from '../../domain/money.ts';
import type { DroppedDays } from '../../domain/approval.ts';
import type { FollowedAccount } from '../../store/daily-close/closes.ts';
import { forgetComparison } from '../../store/daily-close/comparisons.ts';
import type { Tx } from '../../store/database.ts';
import type { Engine } from '../engine.ts';
import type { Comparing } from './compare-once.ts';
import { openSpans } from './counted-lines.ts';
import { readDayState, type DaySpan } from './gather-day.ts';
import { compareSpan, isBank, isOpen } from './read-close.ts';

type Dropping = { readonly account: FollowedAccount; readonly firstDay: string };

/** The days are compared as if they were one. Null where some cell is silent, so that nothing can be said of them. */
export async function readDropped(
  engine: Engine,
  { account, firstDay }: Dropping,
  comparing: Comparing,
): Promise<
  | { readonly type: 'READ'; readonly dropped: DroppedDays }
  | { readonly type: 'CELL_SILENT'; readonly cell: string }
> {
  const span = spanOfDropped({ account, firstDay });
  const last = addDays(firstDay, -1);
  const { gathered, figures, items } = await compareSpan(engine, account, {
    ...comparing,
    name: comparisonOf({ account, firstDay }),
    day: last,
    span,
    signed: null,
  });
  const [cell] = gathered.missingCells;
  if (cell !== undefined) return { type: 'CELL_SILENT', cell };
  const open = items.filter(isOpen);
  const { rest, counted, movementsDigest } = gathered;
  return {
    type: 'READ',
    dropped: {
      days: countDays(account.firstDay, last),
      movementCount: figures.movementCount,
      lineCount: figures.lineCount,
      received: renderAmount(figures.reportReceived),
      sent: renderAmount(figures.reportSent),
      bankLineCount: figures.bankLineCount,
      bankReceived: renderAmount(figures.bankReceived),
      bankSent: renderAmount(figures.bankSent),
      differenceCount: open.filter((item) => !isBank(item)).length + rest.differenceCount,
      differing: renderAmount(figures.carriedForward),
      bankDifferenceCount: open.filter(isBank).length,
      bankDiffering: renderAmount(figures.bankUnexplained),
      linesDigest: counted.linesDigest,
      movementsDigest,
    },
  };
}

/** Counts lines and postings of the days again. They differ where anything came, went or changed. */
export async function readDroppedState(engine: Engine, { account, firstDay }: Dropping) {
  const span = spanOfDropped({ account, firstDay });
  return readDayState(engine, account, { span, spans: openSpans(span, null) });
}

/** Which lines are counted as those of dropped days. */
export function spansOfDropped(dropping: Dropping) {
  return openSpans(spanOfDropped(dropping), null);
}

/** What was kept of the comparison is not needed when the request is decided. */
export async function forgetDropped(tx: Tx, dropping: Dropping): Promise<void> {
  const { provider, currency } = dropping.account;
  await forgetComparison(tx, { provider, currency, day: comparisonOf(dropping) });
}

/** A name of its own, because the last of the days alone may be compared as well. */
function comparisonOf({ account, firstDay }: Dropping): string {
  return `${account.firstDay}/${addDays(firstDay, -1)}`;
}

function spanOfDropped({ account: { firstDay: before, timeZone }, firstDay }: Dropping): DaySpan {
  const from = startOfDay(before, timeZone);
  return { since: from, from, to: startOfDay(firstDay, timeZone) };
}
