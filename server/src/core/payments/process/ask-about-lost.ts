// Whether other cells know payments that a report here names and nobody here knows. A merchant may have moved away
// since the restore: what it sent there is no lost payment, and what it has not sent again yet must not be sent there.
import { inTransaction } from '../../../store/database.ts';
import {
  deleteMark,
  insertMarks,
  listKnown,
  listMarks,
  type KnownAs,
  type LostPaymentMark,
} from '../../../store/recovery/lost-payment-marks.ts';
import { copyDecisions, listDecisions } from '../../../store/recovery/lost-payment-decisions.ts';
import { listUnreleased, type UnmatchedName } from '../../../store/recovery/unmatched-payments.ts';
import { askCell, askOtherCells, type CellsPart, type CellSilent } from '../../cells/ask-other-cells.ts';
import type { Engine } from '../../engine.ts';
import { inTimedTransaction } from '../../timed-transaction.ts';

type AskingPart = CellsPart & Pick<Engine, 'clock' | 'store'>;

export function nameOf({ provider, reference, direction }: UnmatchedName): string {
  return `${provider}/${reference}/${direction}`;
}

/** What the other cells know of a name, and which of them knows the most. */
export type KnownElsewhere = { readonly cell: string; readonly as: KnownAs };

const MOST_FIRST: readonly KnownAs[] = ['BOOKED', 'PAYMENT', 'DECIDED', 'LOST', 'NOTED'];

/** By their names, those that another cell knows. Never call it inside a transaction. */
export async function findElsewhere(
  engine: Pick<AskingPart, 'home' | 'cells' | 'databaseOf'>,
  names: readonly UnmatchedName[],
): Promise<{ readonly type: 'ANSWERED'; readonly known: ReadonlyMap<string, KnownElsewhere> } | CellSilent> {
  if (names.length === 0) return { type: 'ANSWERED', known: new Map() };
  const others = await askOtherCells(engine, (database) => listKnown(database, names));
  return others.type === 'CELL_SILENT' ? others : { type: 'ANSWERED', known: mostOf(others.answers) };
}

type Answers = readonly {
  readonly cell: string;
  readonly answer: Awaited<ReturnType<typeof listKnown>>;
}[];

function mostOf(answers: Answers): ReadonlyMap<string, KnownElsewhere> {
  const known = new Map<string, KnownElsewhere>();
  const all = answers.flatMap(({ cell, answer }) => answer.map((one) => ({ cell, ...one })));
  for (const as of MOST_FIRST.toReversed())
    for (const one of all.filter((other) => other.as === as)) known.set(nameOf(one), { cell: one.cell, as });
  return known;
}

/**
 * The same, and marks in every other cell the names that are lost here, so that none is sent from there. Two cells may
 * read the same report: the one whose line was approved first has the payment, and before that the one that comes first
 * by its name. The other one is marked. A silent cell decides nothing.
 */
export async function claimLost(
  engine: AskingPart,
  names: readonly UnmatchedName[],
): Promise<
  { readonly type: 'ANSWERED'; readonly elsewhere: ReadonlyMap<string, KnownElsewhere> } | CellSilent
> {
  if (names.length === 0) return { type: 'ANSWERED', elsewhere: new Map() };
  const { home } = engine;
  const sorted = names.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  const others = await askOtherCells(engine, (database, cell) =>
    inTransaction(database, async (tx) => {
      const known = await listKnown(tx, sorted);
      const yielded = new Set(known.filter(({ as }) => isTheirs(as, { cell, home })).map(nameOf));
      const markedAt = await engine.clock.timeOf(tx);
      await insertMarks(
        tx,
        sorted
          .filter((name) => !yielded.has(nameOf(name)))
          .map((name) => ({ ...name, cell: home, markedAt })),
      );
      return known.filter((one) => yielded.has(nameOf(one)));
    }),
  );
  if (others.type === 'CELL_SILENT') return others;
  const elsewhere = mostOf(others.answers);
  await inTimedTransaction(engine, (tx, markedAt) =>
    insertMarks(
      tx,
      sorted.flatMap((name) => {
        const known = elsewhere.get(nameOf(name));
        const isPayment = known?.as === 'BOOKED' || known?.as === 'PAYMENT';
        return known !== undefined && !isPayment ? [{ ...name, cell: known.cell, markedAt }] : [];
      }),
    ),
  );
  return { type: 'ANSWERED', elsewhere };
}

function isTheirs(as: KnownAs, { cell, home }: { readonly cell: string; readonly home: string }): boolean {
  return as !== 'NOTED' || cell < home;
}

/**
 * Whether a payment with this name must not be sent because another cell has it as lost. Asks that cell: what was
 * decided there is brought here, and what it no longer has is no reason any more. A silent cell is one.
 */
export async function isMarked(engine: AskingPart, name: UnmatchedName): Promise<boolean> {
  const { database } = engine.store;
  const marks = await listMarks(database, [name]);
  const answers = await Promise.all(marks.map((mark) => isStillLost(engine, mark)));
  return answers.includes(true);
}

async function isStillLost(engine: AskingPart, mark: LostPaymentMark): Promise<boolean> {
  const { database } = engine.store;
  const { cell } = mark;
  // A cell that has left the settings has ended: nothing was undecided there.
  const told = engine.cells.includes(cell)
    ? await askCell(cell, async () => {
        const there = engine.databaseOf(cell);
        return {
          live: await listUnreleased(there, [mark]),
          decisions: await listDecisions(there, [mark]),
        };
      })
    : ({ type: 'ANSWERED', answer: { live: [], decisions: [] } } as const);
  if (told.type === 'CELL_SILENT') return true;
  const { live, decisions } = told.answer;
  if (live.length > 0) return true;
  await inTransaction(database, async (tx) => {
    await copyDecisions(tx, decisions);
    await deleteMark(tx, mark);
  });
  return false;
}
