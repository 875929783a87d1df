// Gathers what a day of an operator account consists of: our movements in every cell that uses the account, and the
// operator's and the bank's lines, which are imported in this cell. Both sides are read as ordered streams of what they
// moved for each payment. Where they agree, which is nearly everywhere, nothing is kept and nothing is decrypted; what
// is kept grows with the differences, not with the day.
import type { Amount } from '../../domain/money.ts';
import { paymentKeyText, type PaymentKey } from '../../domain/payments/payment.ts';
import type { FiledBankLine } from '../../domain/reconciliation/bank-lines.ts';
import {
  DIFFERENCES_KEPT_MAX,
  nameText,
  type CloseItem,
  type Movement,
  type ReportLine,
} from '../../domain/reconciliation/daily-close.ts';
import { mergeNets, type NetStream, type PaymentNet } from '../../domain/reconciliation/payment-nets.ts';
import { inTransaction, type Database, type Tx } from '../../store/database.ts';
import type { CloseAccount, CountedLines } from '../../store/daily-close/closes.ts';
import {
  findFloatAt,
  listMovementsOf,
  listOtherMovements,
  listOwners,
  type FloatAccount,
} from '../../store/daily-close/movements.ts';
import { streamLineNets, streamMovementNets } from '../../store/daily-close/payment-nets.ts';
import {
  listBankLines,
  listReportLinesByHash,
  listReportLinesOf,
  streamUnknownLines,
  type StoredReportLine,
} from '../../store/daily-close/report-lines.ts';
import { expectWholeDay } from '../../store/daily-close/whole-day.ts';
import { freezeBooks } from '../../store/ledger/ledger-sums.ts';
import { inEveryCell, missingCells } from '../cells/in-every-cell.ts';
import type { Engine } from '../engine.ts';
import { accountSharing } from '../operators/shared-account.ts';
import { countLines, type LineSpans } from './counted-lines.ts';

/** From when the account is followed, and the day itself. */
export type DaySpan = { readonly since: Date; readonly from: Date; readonly to: Date };

/** What both sides come to, whether it agrees or not. */
export type DaySums = {
  received: Amount;
  sent: Amount;
  movementCount: number;
  reportReceived: Amount;
  reportSent: Amount;
  lineCount: number;
};

/** What differs beyond the most that is kept: its sum, and in which files it is. */
export type DayRest = {
  amount: Amount;
  bookCount: number;
  lineCount: number;
  differenceCount: number;
  readonly byFile: Map<string, number>;
};

export type GatheredDay = {
  readonly opening: Amount;
  readonly sums: DaySums;
  readonly rest: DayRest;
  /** Of payments whose movements and lines differ, and of everything that is not about a payment. */
  readonly movements: readonly Movement[];
  readonly lines: readonly ReportLine[];
  readonly bankLines: readonly FiledBankLine[];
  readonly counted: CountedLines;
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
type Snapshot = UsingCell & { readonly tx: Tx; readonly readAt: Date };

export type Gathering = {
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
  const { using, missing } = await findUsingCells(engine, account.provider);
  for (let cells = using; ;) {
    try {
      const gathered = await inSnapshots(engine, cells, (snapshots) =>
        gatherFrom(engine, account, { ...gathering, snapshots }),
      );
      return { ...gathered, missingCells: missing };
    } catch (error) {
      if (!(error instanceof CellLost)) throw error;
      if (error.cell === engine.home) throw error.cause;
      missing.push(error.cell);
      cells = cells.filter(({ cell }) => cell !== error.cell);
    }
  }
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
  {
    span: { since, from, to },
    spans,
    brought,
    snapshots,
  }: Gathering & { readonly snapshots: readonly Snapshot[] },
): Promise<Omit<GatheredDay, 'missingCells'>> {
  const { keyring } = engine.store;
  const home = snapshots.find(({ cell }) => cell === engine.home);
  if (home === undefined) throw new Error('this cell is not among those that use the account');
  const float = floatOf(account);
  const lineSpan = { ...spans.lines, since };
  const counted = await countLines(home.tx, account, spans);
  const kept = new KeptDay(await keysOf(snapshots, account.provider, brought));
  for await (const page of streamUnknownLines(home.tx, keyring, account, lineSpan))
    for (const line of await ownedLines(snapshots, account.provider, page)) kept.addUnknown(line);
  const others: Movement[] = [];
  await mergeNets(
    [
      streamLineNets(home.tx, account, spans.lines),
      ...snapshots.map(({ tx }) => netsOf(tx, float, { from, to }, others)),
    ],
    ([theirs = null, ...ours]) =>
      kept.compare(
        theirs,
        ours.flatMap((one) => one ?? []),
      ),
  );
  kept.addOthers(others);
  const payments = kept.differing();
  const afterwards = { from: to, to: new Date(to.getTime() + LATER_MS) };
  const laterSpan = { ...afterwards, since, late: null, through: null };
  const movements: Movement[] = [...others];
  const lines: ReportLine[] = [...kept.unknown];
  const later = { movements: [] as Movement[], lines: [] as ReportLine[] };
  for (const some of inPages(payments)) {
    lines.push(...(await listReportLinesOf(home.tx, keyring, account, lineSpan, some)));
    later.lines.push(...(await listReportLinesOf(home.tx, keyring, account, laterSpan, some)));
    for (const { tx } of snapshots) {
      movements.push(...(await listMovementsOf(tx, float, { from, to }, some)));
      later.movements.push(...(await listMovementsOf(tx, float, afterwards, some)));
    }
  }
  for (const hashes of inPages(kept.hashesOf(payments))) {
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
  let opening = 0n;
  for (const { tx } of snapshots) opening += await findFloatAt(tx, float, { at: from, cells: engine.cells });
  return {
    opening,
    counted,
    sums: kept.sums,
    rest: kept.rest,
    movements,
    lines,
    bankLines: await listBankLines(home.tx, account, spans.bankLines),
    later,
    readAt: new Date(Math.min(...snapshots.map(({ readAt }) => readAt.getTime()))),
  };
}

/** The nets of one cell; what is not about payments goes into `others`. */
async function* netsOf(
  tx: Tx,
  float: FloatAccount,
  span: { readonly from: Date; readonly to: Date },
  others: Movement[],
): NetStream & AsyncGenerator<readonly PaymentNet[]> {
  for await (const page of streamMovementNets(tx, float, span)) {
    others.push(...page.others);
    yield page.nets;
  }
}

/** Lines about a payment of another cell, which no stream of this cell's lines has. */
type OwnedLines = {
  readonly payment: PaymentKey;
  amount: Amount;
  count: number;
  readonly hashes: Buffer[];
};

/** What is kept of a day while both sides are read. */
class KeptDay {
  readonly sums: DaySums = {
    received: 0n,
    sent: 0n,
    movementCount: 0,
    reportReceived: 0n,
    reportSent: 0n,
    lineCount: 0,
  };
  readonly rest: DayRest = {
    amount: 0n,
    bookCount: 0,
    lineCount: 0,
    differenceCount: 0,
    byFile: new Map(),
  };
  readonly unknown: ReportLine[] = [];
  readonly #owned = new Map<string, OwnedLines>();
  readonly #differing = new Map<string, PaymentKey>();
  readonly #hashes = new Map<string, readonly Buffer[]>();
  readonly #always: ReadonlySet<string>;

  /** `always`: payments that are kept also where both sides agree. */
  constructor(always: readonly PaymentKey[]) {
    this.#always = new Set(always.map(paymentKeyText));
    for (const key of always) this.#differing.set(paymentKeyText(key), key);
  }

  addUnknown(line: StoredReportLine): void {
    const { payment, times, float, transactionId, hash, fileId } = line;
    const amount = line.amount * BigInt(times);
    this.#addToReport(amount > 0n ? amount : 0n, amount < 0n ? -amount : 0n, times);
    // What is not about a payment is named by its own transaction, also where it is charged for a payment.
    if (payment === null || (float !== null && transactionId !== null)) {
      if (this.unknown.length < DIFFERENCES_KEPT_MAX) this.unknown.push(line);
      else {
        this.#addToRest({ amount, bookCount: 0, lineCount: times });
        this.rest.byFile.set(fileId, (this.rest.byFile.get(fileId) ?? 0) + 1);
      }
      return;
    }
    const name = paymentKeyText(payment);
    const owned = this.#owned.get(name) ?? { payment, amount: 0n, count: 0, hashes: [] };
    this.#owned.set(name, owned);
    owned.amount += amount;
    owned.count += times;
    owned.hashes.push(hash);
  }

  addOthers(movements: readonly Movement[]): void {
    for (const { amount } of movements)
      this.#addToBooks(amount > 0n ? amount : 0n, amount < 0n ? -amount : 0n, 1);
  }

  /** What lines say of a payment, and what the books of each cell have of it. */
  compare(theirs: PaymentNet | null, ours: readonly PaymentNet[]): void {
    const payment = theirs ?? ours[0];
    if (payment === undefined) return;
    const name = paymentKeyText(payment);
    const owned = this.#owned.get(name);
    this.#owned.delete(name);
    let amount = owned?.amount ?? 0n;
    let lineCount = owned?.count ?? 0;
    if (theirs !== null) {
      this.#addToReport(theirs.received, theirs.sent, theirs.count);
      amount += theirs.received - theirs.sent;
      lineCount += theirs.count;
    }
    let bookCount = 0;
    for (const { received, sent, count } of ours) {
      this.#addToBooks(received, sent, count);
      amount -= received - sent;
      bookCount += count;
    }
    const { merchantId, kind, paymentId } = payment;
    const key = { merchantId, kind, paymentId };
    this.#keep({ name, key, amount, bookCount, lineCount, hashes: owned?.hashes ?? [] });
  }

  /** Payments whose sides differ, once both were read whole. */
  differing(): readonly PaymentKey[] {
    for (const [name, { payment: key, amount, count: lineCount, hashes }] of this.#owned)
      this.#keep({ name, key, amount, bookCount: 0, lineCount, hashes });
    this.#owned.clear();
    return [...this.#differing.values()];
  }

  /** The lines about payments of other cells among these. */
  hashesOf(payments: readonly PaymentKey[]): readonly Buffer[] {
    return payments.flatMap((key) => this.#hashes.get(paymentKeyText(key)) ?? []);
  }

  #keep(one: {
    readonly name: string;
    readonly key: PaymentKey;
    readonly amount: Amount;
    readonly bookCount: number;
    readonly lineCount: number;
    readonly hashes: readonly Buffer[];
  }): void {
    const { name, key, amount, hashes } = one;
    if (amount === 0n && !this.#always.has(name)) return;
    if (this.#differing.size >= DIFFERENCES_KEPT_MAX && !this.#always.has(name)) return this.#addToRest(one);
    this.#differing.set(name, key);
    if (hashes.length > 0) this.#hashes.set(name, hashes);
  }

  #addToReport(received: Amount, sent: Amount, count: number): void {
    this.sums.reportReceived += received;
    this.sums.reportSent += sent;
    this.sums.lineCount += count;
  }

  #addToBooks(received: Amount, sent: Amount, count: number): void {
    this.sums.received += received;
    this.sums.sent += sent;
    this.sums.movementCount += count;
  }

  #addToRest(one: { readonly amount: Amount; readonly bookCount: number; readonly lineCount: number }): void {
    this.rest.amount += one.amount;
    this.rest.bookCount += one.bookCount;
    this.rest.lineCount += one.lineCount;
    this.rest.differenceCount += 1;
  }
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
