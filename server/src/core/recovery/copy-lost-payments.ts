// What one cell knows of lost payments, for another one: what people decided about them, and which of them a third cell
// has. A payment that its merchant sends again from there after all must not be sent to its operator.
import { inTransaction, type Database } from '../../store/database.ts';
import { copyDecisions, listDecisionsAfter } from '../../store/recovery/lost-payment-decisions.ts';
import { insertMarks, listMarksAfter } from '../../store/recovery/lost-payment-marks.ts';

/** As many with one statement. */
const PAGE = 1_000;

/** Before a merchant moves, and before a cell ends. Doing it twice is harmless. */
export async function copyLostPayments({
  from,
  to,
}: {
  readonly from: Database;
  readonly to: Database;
}): Promise<void> {
  await copyPages(
    (after: Awaited<ReturnType<typeof listDecisionsAfter>>[number] | null) =>
      listDecisionsAfter(from, { after, countMax: PAGE }),
    (decisions) => inTransaction(to, (tx) => copyDecisions(tx, decisions)),
  );
  await copyPages(
    (after: Awaited<ReturnType<typeof listMarksAfter>>[number] | null) =>
      listMarksAfter(from, { after, countMax: PAGE }),
    (marks) => inTransaction(to, (tx) => insertMarks(tx, marks)),
  );
}

async function copyPages<One>(
  read: (after: One | null) => Promise<readonly One[]>,
  write: (page: readonly One[]) => Promise<unknown>,
): Promise<void> {
  let after: One | null = null;
  for (;;) {
    const page: readonly One[] = await read(after);
    if (page.length === 0) return;
    await write(page);
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}
