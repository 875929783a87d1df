// Both sides of a day, merged from ordered streams of what each moved for each payment. What is kept grows with the
// differences, not with the day.
import { createHash } from 'node:crypto';
import type { Amount } from '../../domain/money.ts';
import { renderAmount } from '../../domain/money.ts';
import { paymentKeyText, type PaymentKey } from '../../domain/payments/payment.ts';
import {
  DIFFERENCES_KEPT_MAX,
  type Movement,
  type ReportLine,
} from '../../domain/reconciliation/daily-close.ts';
import {
  mergeNets,
  type Net,
  type NetStream,
  type PaymentNet,
} from '../../domain/reconciliation/payment-nets.ts';
import type { StoredReportLine } from '../../store/daily-close/report-lines.ts';

/** What both sides come to, whether it agrees or not. */
export type DaySums = {
  received: Amount;
  sent: Amount;
  movementCount: number;
  reportReceived: Amount;
  reportSent: Amount;
  lineCount: number;
};

/** What differs beyond the most that is kept: its sum. */
export type RestSums = {
  amount: Amount;
  bookCount: number;
  lineCount: number;
  differenceCount: number;
};

/** The same, and in which files it is. */
export type DayRest = RestSums & { readonly byFile: ReadonlyMap<string, number> };

/** What comparing both sides came to. */
export type ComparedSides = {
  readonly sums: DaySums;
  readonly rest: RestSums;
  /** Those that differ, besides those that are kept in any case. */
  readonly payments: readonly PaymentKey[];
  /** Movements that are not about payments. */
  readonly others: readonly Movement[];
};

export function addSums(one: DaySums, other: DaySums): DaySums {
  return {
    received: one.received + other.received,
    sent: one.sent + other.sent,
    movementCount: one.movementCount + other.movementCount,
    reportReceived: one.reportReceived + other.reportReceived,
    reportSent: one.reportSent + other.reportSent,
    lineCount: one.lineCount + other.lineCount,
  };
}

export function addRest(one: DayRest, other: RestSums): DayRest {
  return {
    amount: one.amount + other.amount,
    bookCount: one.bookCount + other.bookCount,
    lineCount: one.lineCount + other.lineCount,
    differenceCount: one.differenceCount + other.differenceCount,
    byFile: one.byFile,
  };
}

function noSums(): DaySums {
  return {
    received: 0n,
    sent: 0n,
    movementCount: 0,
    reportReceived: 0n,
    reportSent: 0n,
    lineCount: 0,
  };
}

function noRest(): RestSums {
  return { amount: 0n, bookCount: 0, lineCount: 0, differenceCount: 0 };
}

/** Lines about a payment of another cell, which no stream of this cell's lines has. */
type OwnedLines = {
  readonly payment: PaymentKey;
  amount: Amount;
  count: number;
  readonly hashes: Buffer[];
};

/** The lines of a day that are about no payment that this cell knows. */
export class UnknownLines {
  readonly sums = noSums();
  readonly rest: DayRest & { readonly byFile: Map<string, number> } = { ...noRest(), byFile: new Map() };
  readonly lines: ReportLine[] = [];
  readonly #owned = new Map<string, OwnedLines>();

  add(line: StoredReportLine): void {
    const { payment, times, float, transactionId, hash, fileId } = line;
    const amount = line.amount * BigInt(times);
    // What takes a line back makes less of the same sum.
    if (line.amount > 0n) this.sums.reportReceived += amount;
    else this.sums.reportSent -= amount;
    this.sums.lineCount += times;
    // What is not about a payment is named by its own transaction, also where it is charged for a payment.
    if (payment === null || (float !== null && transactionId !== null)) {
      if (this.lines.length < DIFFERENCES_KEPT_MAX) this.lines.push(line);
      else {
        this.rest.amount += amount;
        this.rest.lineCount += times;
        this.rest.differenceCount += 1;
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

  /** What lines of this cell say of payments of other cells, by payment. */
  get owned(): ReadonlyMap<string, Readonly<OwnedLines>> {
    return this.#owned;
  }

  /** The lines about payments of other cells among these. */
  hashesOf(payments: readonly PaymentKey[]): readonly Buffer[] {
    return payments.flatMap((key) => this.#owned.get(paymentKeyText(key))?.hashes ?? []);
  }

  /** The same for the same lines about the same payments of other cells. */
  digest(): string {
    return digestOf(
      [...this.#owned].map(([name, { amount, count }]) => `${name} ${renderAmount(amount)} ${count}`),
    );
  }
}

/** The same for the same texts in any order. */
export function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts.toSorted()) hash.update(text).update('\n');
  return hash.digest('hex');
}

/** The sides of a day, of one cell each. What agrees within a cell may be left out. */
export type Sides = {
  readonly nets: readonly NetStream[];
  readonly owned: UnknownLines['owned'];
  /** Payments that are kept also where both sides agree. */
  readonly always: readonly PaymentKey[];
  /** Told after each payment how many there were. */
  readonly onPayments?: ((done: number) => void) | undefined;
};

/** Merges the sides, and keeps the payments for which they differ. */
export async function compareSides(sides: Sides): Promise<Omit<ComparedSides, 'others'>> {
  const sums = noSums();
  const rest = noRest();
  const kept: PaymentKey[] = [];
  const always = new Set(sides.always.map(paymentKeyText));
  const compared = new Set<string>();
  let done = 0;
  const keep = (one: {
    readonly name: string;
    readonly key: PaymentKey;
    readonly amount: Amount;
    readonly bookCount: number;
    readonly lineCount: number;
  }) => {
    const { name, key, amount, bookCount, lineCount } = one;
    if (amount === 0n || always.has(name)) return;
    if (always.size + kept.length < DIFFERENCES_KEPT_MAX) return void kept.push(key);
    rest.amount += amount;
    rest.bookCount += bookCount;
    rest.lineCount += lineCount;
    rest.differenceCount += 1;
  };
  const compare = (nets: readonly PaymentNet[]) => {
    const [payment] = nets;
    if (payment === undefined) return;
    const name = paymentKeyText(payment);
    const owned = sides.owned.get(name);
    if (owned !== undefined) compared.add(name);
    let amount = owned?.amount ?? 0n;
    let lineCount = owned?.count ?? 0;
    let bookCount = 0;
    for (const { theirs, ours } of nets) {
      addNets(sums, { theirs, ours });
      amount += netOf(theirs) - netOf(ours);
      lineCount += theirs?.count ?? 0;
      bookCount += ours?.count ?? 0;
    }
    const { merchantId, kind, paymentId } = payment;
    keep({ name, key: { merchantId, kind, paymentId }, amount, bookCount, lineCount });
    done += 1;
    sides.onPayments?.(done);
  };
  await mergeNets(sides.nets, (nets) => compare(nets.flatMap((one) => one ?? [])));
  for (const [name, { payment: key, amount, count: lineCount }] of sides.owned)
    if (!compared.has(name)) keep({ name, key, amount, bookCount: 0, lineCount });
  return { sums, rest, payments: kept };
}

/** What both sides moved for one payment, or for many that agree. */
export function addNets(sums: DaySums, { theirs, ours }: Pick<PaymentNet, 'theirs' | 'ours'>): void {
  sums.reportReceived += theirs?.received ?? 0n;
  sums.reportSent += theirs?.sent ?? 0n;
  sums.lineCount += theirs?.count ?? 0;
  sums.received += ours?.received ?? 0n;
  sums.sent += ours?.sent ?? 0n;
  sums.movementCount += ours?.count ?? 0;
}

function netOf(net: Net | null): Amount {
  return net === null ? 0n : net.received - net.sent;
}

/** Of movements that are not about payments. */
export function addOthers(sums: DaySums, movements: readonly Movement[]): void {
  for (const { amount } of movements) {
    if (amount > 0n) sums.received += amount;
    else sums.sent -= amount;
    sums.movementCount += 1;
  }
}
