// Reading a whole day, however many lines it has: page by page, from cursors of one transaction.
import type { Columns } from '../columns.ts';
import { waitForAnswers, type Tx } from '../database.ts';

/** A page is handled at once, so it must not keep other requests waiting: a few milliseconds. */
const FETCHED_AT_ONCE = 1_000;

/** What the statements below may take at the server, and a little more. */
const ANSWERS_WITHIN_MS = 305_000;

/**
 * Settings of a transaction that walks through a whole day. A sort of a million rows takes seconds, on a busy machine
 * minutes, and all of its rows are wanted, not the first ones early.
 */
export async function expectWholeDay(tx: Tx): Promise<void> {
  waitForAnswers(tx, ANSWERS_WITHIN_MS);
  await tx.query(
    `select set_config('statement_timeout', '5min', true),
       set_config('idle_in_transaction_session_timeout', '5min', true),
       set_config('cursor_tuple_fraction', '1', true), set_config('work_mem', '64MB', true)`,
  );
}

/** Rows of a query, page by page. The transaction must last as long as the reading. `cursor`: a name of its own. */
export async function* fetchPages<Defs>(
  tx: Tx,
  rows: Columns<Defs>,
  { cursor, query, values }: { readonly cursor: string; readonly query: string; readonly values: unknown[] },
): AsyncGenerator<Awaited<ReturnType<Columns<Defs>['query']>>> {
  await tx.query(`declare ${cursor} no scroll cursor for ${query}`, values);
  for (;;) {
    const page = await rows.query(tx, `fetch ${FETCHED_AT_ONCE} from ${cursor}`);
    if (page.length > 0) yield page;
    if (page.length === FETCHED_AT_ONCE) continue;
    await tx.query(`close ${cursor}`);
    return;
  }
}
