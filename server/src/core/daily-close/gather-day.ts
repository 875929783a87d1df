// Gathers what a day of an operator account consists of: our movements in every cell that uses the account, and the
// operator's and the bank's lines, which are imported in this cell. Both sides are read as ordered streams of what they
// moved for each payment. Where they agree, which is nearly everywhere, nothing is kept and nothing is decrypted; what
// is kept grows with the differences, not with the day.
import type { Amount } from '../../domain/money.ts';
import { paymentKeyText, type PaymentKey } from '../../domain/payments/payment.ts';
import type { FiledBankLine } from '../../domain/reconciliation/bank-lines.ts';
import {
  nameText,
  type CloseItem,
  type Movement,
  type ReportLine,
} from '../../domain/reconciliation/daily-close.ts';
import { addMs } from '../../domain/time.ts';
import { COMMITS_WITHIN_MS, inTransaction, type Database, type Tx } from '../../store/database.ts';
import type { CloseAccount, CountedLines } from '../../store/daily-close/closes.ts';
import {
  digestMovements,
  findFloatAt,
  listMovementsOf,
  listOtherMovements,
  listOwners,
  type FloatAccount,
} from '../../store/daily-close/movements.ts';
import {
  listBankLines,
  listReportLinesByHash,
  listReportLinesOf,
  listTakenBack,
  streamUnknownLines,
  type TakenBack,
} from '../../store/daily-close/report-lines.ts';
import { expectWholeDay } from '../../store/daily-close/whole-day.ts';
import { freezeBooks } from '../../store/ledger/ledger-sums.ts';
import { inEveryCell, missingCells } from '../cells/in-every-cell.ts';
import type { Engine } from '../engine.ts';
import { accountSharing } from '../operators/shared-account.ts';
import { compareOnce, waitForComparison, BeingCompared, type Comparing } from './compare-once.ts';
import { addRest, addSums, digestOf, UnknownLines, type DayRest, type DaySums } from './compare-sides.ts';
import { countLines, type LineSpans } from './counted-lines.ts';

/** From when the account is followed, and the day itself. */
export type DaySpan = { readonly since: Date; readonly from: Date; readonly to: Date };

export type GatheredDay = {
  readonly opening: Amount;
  readonly sums: DaySums;
  readonly rest: DayRest;
  /** Of payments whose movements and lines differ, and of everything that is not about a payment. */
  readonly movements: readonly Movement[];
  readonly lines: readonly ReportLine[];
  readonly bankLines: readonly FiledBankLine[];
  /** Of files that were voided since a signed day counted them. */
  readonly takenBack: readonly TakenBack[];
  readonly counted: CountedLines;
  /** The same for the same postings in the same cells. */
  readonly movementsDigest: string;
  /** Of the days after it, what may explain these. */
  readonly later: { readonly movements: readonly Movement[]; readonly lines: readonly ReportLine[] };
  /** The time by the cell whose clock is behind all others: what any cell may still write carries no earlier one. */
  readonly readAt: Date;
  /** Cells that did not answer. Whether they use the account is not known. */
  readonly missingCells: readonly string[];
};

/** What came days later explains nothing that a person would call late. */
const LATER_MS = 7 * 24 * 3_600_000;

/** So many payments are asked about in one statement. */
const ASKED_AT_ONCE = 1_000;

/** A cell that stopped answering while the day was read. */
class CellLost extends Error {
  readonly cell: string;

  constructor(cell: string, cause: unknown) {
    super(`cell ${cell} does not answer`, { cause });
    this.cell = cell;
  }
}

type UsingCell = { readonly cell: string; readonly database: Database };
export type Snapshot = UsingCell & { readonly tx: Tx; readonly readAt: Date };

export type Gathering = Comparing & {
  /** Of the comparison that is kept: the day. */
  readonly name: string;
  readonly span: DaySpan;
  readonly spans: LineSpans;
  /** Open differences of the day before: what they are about is kept. */
  readonly brought: readonly CloseItem[];
};

export async function gatherDay(
  engine: Engine,
  account: CloseAccount,
  gathering: Gathering,
): Promise<GatheredDay> {
  const { result, missingCells: missing } = await inUsingCells(engine, account.provider, async (cells) => {
    for (;;) {
      await waitForComparison(engine, account, gathering);
      try {
        return await inSnapshots(engine, cells, (snapshots) =>
          gatherFrom(engine, account, { ...gathering, snapshots }),
        );
      } catch (error) {
        if (!(error instanceof BeingCompared)) throw error;
      }
    }
  });
  return { ...result, missingCells: missing };
}

/** What decides whether the postings and lines that a day was compared with are still the same. */
export type DayState = {
  readonly opening: Amount;
  readonly movementsDigest: string;
  readonly linesDigest: string;
  readonly missingCells: readonly string[];
};

/** Counts the lines and postings of a day, and compares nothing. */
export async function readDayState(
  engine: Engine,
  account: CloseAccount,
  { span, spans }: { readonly span: DaySpan; readonly spans: LineSpans },
): Promise<DayState> {
  const float = floatOf(account);
  const { result, missingCells: missing } = await inUsingCells(engine, account.provider, (cells) =>
    inSnapshots(engine, cells, async (snapshots) => {
      const { linesDigest } = await countLines(homeOf(engine, snapshots).tx, account, spans);
      const { digests, opening } = await countBooks(engine, snapshots, float, span);
      return { opening, movementsDigest: digestOf(digests), linesDigest };
    }),
  );
  return { ...result, missingCells: missing };
}

/** Works with the cells that answer. A cell that stops answering meanwhile is left out, and the work begins again. */
async function inUsingCells<Result>(
  engine: Engine,
  provider: string,
  work: (cells: readonly UsingCell[]) => Promise<Result>,
): Promise<{ readonly result: Result; readonly missingCells: readonly string[] }> {
  const { using, missing } = await findUsingCells(engine, provider);
  for (let cells = using; ;) {
    try {
      return { result: await work(cells), missingCells: missing };
    } catch (error) {
      if (!(error instanceof CellLost)) throw error;
      if (error.cell === engine.home) throw error.cause;
      missing.push(error.cell);
      cells = cells.filter(({ cell }) => cell !== error.cell);
    }
  }
}

function homeOf(engine: Engine, snapshots: readonly Snapshot[]): Snapshot {
  const home = snapshots.find(({ cell }) => cell === engine.home);
  if (home === undefined) throw new Error('this cell is not among those that use the account');
  return home;
}

/** The postings of the day in each cell, and where the account stood before them. */
type CountedBooks = {
  /** Of each cell that has postings in the day. Each begins with the cell and the count. */
  readonly digests: readonly string[];
  readonly opening: Amount;
};

async function countBooks(
  engine: Engine,
  snapshots: readonly Snapshot[],
  float: FloatAccount,
  span: DaySpan,
): Promise<CountedBooks> {
  const digests: string[] = [];
  let opening = 0n;
  for (const { cell, tx } of snapshots) {
    const { count, net, digest } = await digestMovements(tx, float, span);
    if (count > 0) digests.push(`${cell} ${digest}`);
    // Where it stood afterwards, less what the day moved: its postings are read once.
    opening += (await findFloatAt(tx, float, { at: span.to, cells: engine.cells })) - net;
  }
  return { digests, opening };
}

/** Cells that are at the operator under the account of this one; this one first. */
export async function findUsingCells(
  engine: Engine,
  provider: string,
): Promise<{ readonly using: readonly UsingCell[]; readonly missing: string[] }> {
  const uses = await accountSharing(engine, provider);
  const answers = await inEveryCell(engine, async (database) => ((await uses(database)) ? database : null));
  const using = answers.flatMap((one) =>
    one.type === 'CONFIRMED' && one.answer !== null ? [{ cell: one.cell, database: one.answer }] : [],
  );
  return { using, missing: [...missingCells(answers)] };
}

/** Each cell as it is at one time, for as long as the work takes. */
async function inSnapshots<Result>(
  engine: Engine,
  cells: readonly UsingCell[],
  work: (snapshots: readonly Snapshot[]) => Promise<Result>,
  opened: readonly Snapshot[] = [],
): Promise<Result> {
  const [next, ...others] = cells;
  if (next === undefined) return work(opened);
  let isOpen = false;
  try {
    return await inTransaction(next.database, async (tx) => {
      isOpen = true;
      await freezeBooks(tx);
      await expectWholeDay(tx);
      const snapshot = { ...next, tx: watched(next.cell, tx), readAt: await engine.clock.timeOf(tx) };
      return inSnapshots(engine, others, work, [...opened, snapshot]);
    });
  } catch (error) {
    throw isOpen ? error : new CellLost(next.cell, error);
  }
}

/** A transaction whose errors say from which cell they come. */
function watched(cell: string, tx: Tx): Tx {
  return {
    query: (text, values) =>
      tx.query(text, values as never).catch((error: unknown) => {
        throw new CellLost(cell, error);
      }) as never,
  };
}

async function gatherFrom(
  engine: Engine,
  account: CloseAccount,
  gathering: Gathering & { readonly snapshots: readonly Snapshot[] },
): Promise<Omit<GatheredDay, 'missingCells'>> {
  const { spans, brought, snapshots } = gathering;
  const { since, from, to } = gathering.span;
  const { keyring } = engine.store;
  const home = homeOf(engine, snapshots);
  const float = floatOf(account);
  const readAt = new Date(Math.min(...snapshots.map((snapshot) => snapshot.readAt.getTime())));
  const lineSpan = { ...spans.lines, since };
  const counted = await countLines(home.tx, account, spans);
  const unknown = new UnknownLines();
  for await (const page of streamUnknownLines(home.tx, keyring, account, lineSpan))
    for (const line of await ownedLines(snapshots, account.provider, page)) unknown.add(line);
  const always = await keysOf(snapshots, account.provider, brought);
  const books = await countBooks(engine, snapshots, float, gathering.span);
  const compared = await compareOnce(engine, account, {
    ...gathering,
    home,
    float,
    counted,
    movementDigests: books.digests,
    unknown,
    always,
    isOver: readAt >= addMs(to, COMMITS_WITHIN_MS),
  });
  const { others } = compared;
  const payments = distinct([...always, ...compared.payments]);
  const afterwards = { from: to, to: new Date(to.getTime() + LATER_MS) };
  const laterSpan = { ...afterwards, since, late: null, through: null };
  const movements: Movement[] = [...others];
  const lines: ReportLine[] = [...unknown.lines];
  const later = { movements: [] as Movement[], lines: [] as ReportLine[] };
  for (const some of inPages(payments)) {
    lines.push(...(await listReportLinesOf(home.tx, keyring, account, lineSpan, some)));
    later.lines.push(...(await listReportLinesOf(home.tx, keyring, account, laterSpan, some)));
    for (const { tx } of snapshots) {
      movements.push(...(await listMovementsOf(tx, float, { from, to }, some)));
      later.movements.push(...(await listMovementsOf(tx, float, afterwards, some)));
    }
  }
  for (const hashes of inPages(unknown.hashesOf(payments))) {
    const found = await listReportLinesByHash(home.tx, keyring, account, lineSpan, hashes);
    lines.push(...(await ownedLines(snapshots, account.provider, found)));
  }
  if (payments.length + movements.length + lines.length + brought.length > 0) {
    const isWanted = wantedLater({ payments, movements, lines, brought });
    for await (const page of streamUnknownLines(home.tx, keyring, account, laterSpan))
      later.lines.push(...(await ownedLines(snapshots, account.provider, page)).filter(isWanted));
    for (const { tx } of snapshots)
      later.movements.push(...(await listOtherMovements(tx, float, afterwards)));
  }
  return {
    opening: books.opening,
    counted,
    movementsDigest: digestOf(books.digests),
    sums: addSums(unknown.sums, compared.sums),
    rest: addRest(unknown.rest, compared.rest),
    movements,
    lines,
    bankLines: await listBankLines(home.tx, account, spans.bankLines),
    takenBack: [
      ...(await listTakenBack(home.tx, account, 'OPERATOR', spans.lines)),
      ...(await listTakenBack(home.tx, account, 'BANK', spans.bankLines)),
    ],
    later,
    readAt,
  };
}

function distinct(payments: readonly PaymentKey[]): readonly PaymentKey[] {
  return [...new Map(payments.map((key) => [paymentKeyText(key), key])).values()];
}

/** The payments of what was brought forward, also where an item is named only by what the operator called it. */
async function keysOf(
  snapshots: readonly Snapshot[],
  provider: string,
  brought: readonly CloseItem[],
): Promise<readonly PaymentKey[]> {
  const known = brought.flatMap(({ payment }) => payment ?? []);
  const found: PaymentKey[] = [];
  const unnamed = brought.filter(({ payment }) => payment === null);
  for (const some of inPages(unnamed)) {
    const named = {
      provider,
      references: some.flatMap(({ reference }) => reference ?? []),
      transactionIds: some.flatMap(({ transactionId }) => transactionId ?? []),
    };
    for (const { tx } of snapshots) {
      const { byReference, byTransaction } = await listOwners(tx, named);
      found.push(...byReference.values(), ...byTransaction.values());
    }
  }
  return [...known, ...found];
}

/** Lines of later days that may explain what differs: of the same payments, or of what has the same names. */
function wantedLater(differing: {
  readonly payments: readonly PaymentKey[];
  readonly movements: readonly Movement[];
  readonly lines: readonly ReportLine[];
  readonly brought: readonly CloseItem[];
}): (line: ReportLine) => boolean {
  const payments = new Set(differing.payments.map(paymentKeyText));
  const names = new Set([...differing.movements, ...differing.lines, ...differing.brought].flatMap(namesOf));
  return (line) =>
    (line.payment !== null && payments.has(paymentKeyText(line.payment))) ||
    namesOf(line).some((name) => names.has(name));
}

function namesOf({
  reference,
  transactionId,
}: Pick<Movement, 'reference' | 'transactionId'>): readonly string[] {
  return [reference, transactionId].flatMap((name) => (name === null ? [] : nameText(name)));
}

function* inPages<One>(all: readonly One[]): Generator<readonly One[]> {
  for (let first = 0; first < all.length; first += ASKED_AT_ONCE)
    yield all.slice(first, first + ASKED_AT_ONCE);
}

export function floatOf({ provider, currency, country }: CloseAccount): FloatAccount {
  return { type: 'FLOAT', provider, currency, country };
}

/** What lines name that this cell knows no payment of. A charge may name the payment it was charged for. */
function namesIn(provider: string, lines: readonly ReportLine[]) {
  const open = lines.filter(({ payment }) => payment === null);
  return {
    provider,
    references: open.flatMap(({ reference }) => reference ?? []),
    transactionIds: open.flatMap(({ transactionId, float }) => (float === null ? (transactionId ?? []) : [])),
  };
}

/** Lines with the payments of any cell that they are about. */
export async function ownedLines<Line extends ReportLine>(
  cells: readonly { readonly tx: Tx }[],
  provider: string,
  lines: readonly Line[],
): Promise<readonly Line[]> {
  const names = namesIn(provider, lines);
  if (names.references.length + names.transactionIds.length === 0) return lines;
  const owners = await Promise.all(cells.map(({ tx }) => listOwners(tx, names)));
  return lines.map(ownedBy(owners));
}

type Owners = Awaited<ReturnType<typeof listOwners>>;

function ownedBy(owners: readonly Owners[]): <Line extends ReportLine>(line: Line) => Line {
  const find = (of: (one: Owners) => PaymentKey | undefined) => owners.flatMap((one) => of(one) ?? [])[0];
  return (line) => {
    const { payment, reference, transactionId, float } = line;
    const byTransaction =
      float === null ? find((one) => one.byTransaction.get(transactionId ?? '')) : undefined;
    return {
      ...line,
      payment: payment ?? byTransaction ?? find((one) => one.byReference.get(reference ?? '')) ?? null,
    };
  };
}
