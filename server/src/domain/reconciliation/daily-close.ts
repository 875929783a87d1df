// Compares a day of an operator account with the operator's lines. What does not agree is an item with its payment, and
// stays one on the next days until something makes it agree. Pure.
import type { Amount } from '../money.ts';
import { paymentKeyText, type PaymentKey } from '../payments/payment.ts';

/**
 * MISSING_LINE: our books have it, the report does not. NOT_IN_BOOKS: the other way round. DOUBLED_LINE: the report has
 * it more often. OTHER_AMOUNT: both have it, with different amounts. CHARGE: the operator charged it, and it is not
 * posted. LATE: both have it, on different days. The bank's: between its lines and our float top-ups and withdrawals.
 * OPENING: our books of the signed day before have changed. REST: the sum of what is more than is kept.
 */
export const DIFFERENCE_KINDS = [
  'MISSING_LINE',
  'NOT_IN_BOOKS',
  'DOUBLED_LINE',
  'OTHER_AMOUNT',
  'CHARGE',
  'LATE',
  'BANK_MISSING_LINE',
  'BANK_NOT_IN_BOOKS',
  'OPENING',
  'REST',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** How one side names what it moved. */
type Named = {
  readonly payment: PaymentKey | null;
  readonly reference: string | null;
  readonly transactionId: string | null;
};

/** What our books moved at once, or what a line says. Above zero it came to us. */
export type Movement = Named & {
  readonly amount: Amount;
  readonly at: Date;
  /** What is not about a payment: a float top-up, a charge. */
  readonly float: string | null;
};
export type ReportLine = Movement & {
  /** In which report it came. */
  readonly fileId: string;
  /** How often it stands in the file. */
  readonly times: number;
  /** An earlier day was signed with a line about the same payment. */
  readonly isRepeated: boolean;
};

export type CloseItem = Named & {
  readonly kind: DifferenceKind;
  /** By which it is found again on a later day. */
  readonly name: string;
  /** Theirs less ours at the end of the day, and how much of that came in it. */
  readonly amount: Amount;
  readonly change: Amount;
  readonly sinceDay: string;
  readonly otherDay: string | null;
  readonly bookCount: number;
  readonly lineCount: number;
};

/** What people are shown of a difference: what is open at the end of the day, or what came in it and is settled. */
export function shownAmount({ kind, amount, change }: Pick<CloseItem, 'kind' | 'amount' | 'change'>): Amount {
  return kind === 'LATE' || kind === 'OPENING' ? change : amount;
}

/** A difference as it was compared, with the files whose lines have a part in it. */
export type ComparedItem = CloseItem & { readonly fileIds: readonly string[] };

/**
 * So many are kept with a signature and brought forward into the next day: about 40 MB of rows each time. Of an account
 * with more of them only the sum of the rest is kept. When its reports are right again, the day is opened again.
 */
export const DIFFERENCES_KEPT_MAX = 100_000;

/** That the books of the signed day before have changed: what is signed with this day, so that the next opens right. */
export function openingItem(day: string, signedDay: string, change: Amount): ComparedItem {
  const unnamed = { payment: null, reference: null, transactionId: null, fileIds: [] };
  const counts = { bookCount: 0, lineCount: 0 };
  // Our books alone differ, from themselves: nothing is left to be explained by the operator's lines.
  const amounts = { amount: 0n, change };
  return {
    ...unnamed,
    ...counts,
    ...amounts,
    kind: 'OPENING',
    name: 'OPENING',
    sinceDay: day,
    otherDay: signedDay,
  };
}

/**
 * Of more differences than are kept, the first ones and the sum of the rest, with the sum that was brought forward of
 * an earlier rest. `name`: of that sum.
 */
export function keepDifferences(
  items: readonly ComparedItem[],
  rested: {
    readonly day: string;
    readonly broughtRest: CloseItem | null;
    readonly name: string;
    /** What was too much to be compared one by one. */
    readonly uncompared?: Pick<CloseItem, 'amount' | 'bookCount' | 'lineCount'> | undefined;
  },
): readonly ComparedItem[] {
  const { day, broughtRest, name, uncompared = { amount: 0n, bookCount: 0, lineCount: 0 } } = rested;
  const kept = items.slice(0, DIFFERENCES_KEPT_MAX);
  const rest = items.slice(DIFFERENCES_KEPT_MAX);
  if (rest.length === 0 && broughtRest === null && uncompared.bookCount + uncompared.lineCount === 0)
    return items;
  const sum = (of: (item: CloseItem) => Amount) => rest.reduce((total, item) => total + of(item), 0n);
  const count = (of: (item: CloseItem) => number) => rest.reduce((total, item) => total + of(item), 0);
  return [
    ...kept,
    {
      kind: 'REST',
      name,
      payment: null,
      reference: null,
      transactionId: null,
      amount: sum(({ amount }) => amount) + uncompared.amount + (broughtRest?.amount ?? 0n),
      change: sum(({ change }) => change) + uncompared.amount,
      sinceDay: broughtRest?.sinceDay ?? day,
      otherDay: null,
      bookCount: count(({ bookCount }) => bookCount) + uncompared.bookCount + (broughtRest?.bookCount ?? 0),
      lineCount: count(({ lineCount }) => lineCount) + uncompared.lineCount + (broughtRest?.lineCount ?? 0),
      fileIds: [],
    },
  ];
}

export type DayInput = {
  readonly day: string;
  /** Open items of the day before. */
  readonly brought: readonly CloseItem[];
  readonly movements: readonly Movement[];
  readonly lines: readonly ReportLine[];
  /** What is known already of the days after it. */
  readonly later: { readonly movements: readonly Movement[]; readonly lines: readonly ReportLine[] };
  readonly dayOf: (time: Date) => string;
};

type Tally = {
  readonly name: string;
  payment: PaymentKey | null;
  reference: string | null;
  transactionId: string | null;
  brought: Amount;
  change: Amount;
  later: Amount;
  laterDay: string | null;
  bookCount: number;
  lineCount: number;
  isCharge: boolean;
  isRepeated: boolean;
  sinceDay: string;
  readonly fileIds: Set<string>;
};

export function compareDay({
  day,
  brought,
  movements,
  lines,
  later,
  dayOf,
}: DayInput): readonly ComparedItem[] {
  const names = new Names([...brought, ...movements, ...lines, ...later.movements, ...later.lines]);
  const tallies = new Map<string, Tally>();
  const tallyOf = (named: Nameable) => {
    const name = names.of(named);
    const { payment, reference, transactionId } = named;
    const known = tallies.get(name) ?? newTally(name, day);
    tallies.set(name, known);
    known.payment ??= payment;
    known.reference ??= reference;
    known.transactionId ??= transactionId;
    return known;
  };
  for (const item of brought) {
    const tally = tallyOf(item);
    tally.brought += item.amount;
    tally.bookCount += item.bookCount;
    tally.lineCount += item.lineCount;
    if (item.sinceDay < tally.sinceDay) tally.sinceDay = item.sinceDay;
    if (item.kind === 'CHARGE') tally.isCharge = true;
    if (item.kind === 'DOUBLED_LINE') tally.isRepeated = true;
  }
  for (const movement of movements) {
    const tally = tallyOf(movement);
    tally.change -= movement.amount;
    tally.bookCount += 1;
  }
  for (const line of lines) {
    const tally = tallyOf(line);
    tally.change += line.amount * BigInt(line.times);
    tally.lineCount += line.times;
    tally.fileIds.add(line.fileId);
    if (line.float === 'OPERATOR_CHARGE') tally.isCharge = true;
    if (line.isRepeated) tally.isRepeated = true;
  }
  const come = (named: Movement, amount: Amount) => {
    const tally = tallies.get(names.of(named));
    if (tally === undefined) return;
    tally.later += amount;
    tally.laterDay ??= dayOf(named.at);
  };
  for (const movement of later.movements) come(movement, -movement.amount);
  for (const line of later.lines) come(line, line.amount * BigInt(line.times));
  return [...tallies.values()].flatMap(itemOf).toSorted(byKind);
}

function newTally(name: string, day: string): Tally {
  return {
    name,
    payment: null,
    reference: null,
    transactionId: null,
    brought: 0n,
    change: 0n,
    later: 0n,
    laterDay: null,
    bookCount: 0,
    lineCount: 0,
    isCharge: false,
    isRepeated: false,
    sinceDay: day,
    fileIds: new Set(),
  };
}

function itemOf(tally: Tally): readonly ComparedItem[] {
  const { name, payment, reference, transactionId, brought, change, sinceDay, bookCount, lineCount } = tally;
  const amount = brought + change;
  if (amount === 0n && brought === 0n) return [];
  const isLate = amount === 0n || (tally.later !== 0n && amount + tally.later === 0n);
  const kind = isLate ? 'LATE' : kindOf(tally);
  const otherDay = isLate ? (amount === 0n ? sinceDay : tally.laterDay) : null;
  const named = { name, payment, reference, transactionId };
  const fileIds = [...tally.fileIds];
  return [{ ...named, kind, amount, change, sinceDay, otherDay, bookCount, lineCount, fileIds }];
}

function kindOf({ isCharge, isRepeated, bookCount, lineCount }: Tally): DifferenceKind {
  if (lineCount === 0) return 'MISSING_LINE';
  if (bookCount === 0 && isCharge) return 'CHARGE';
  if (lineCount > bookCount && (bookCount > 0 || isRepeated)) return 'DOUBLED_LINE';
  return bookCount === 0 ? 'NOT_IN_BOOKS' : 'OTHER_AMOUNT';
}

function byKind(one: CloseItem, other: CloseItem): number {
  const order = DIFFERENCE_KINDS.indexOf(one.kind) - DIFFERENCE_KINDS.indexOf(other.kind);
  if (order !== 0) return order;
  return one.name < other.name ? -1 : 1;
}

type Nameable = Named & { readonly float?: string | null; readonly name?: string };

/** Of what is named differently on both sides, one name: the payment's, where either side knows it. */
class Names {
  readonly #aliases = new Map<string, string>();
  readonly #floats = new Set<string>();

  constructor(all: readonly Nameable[]) {
    const others: Nameable[] = [];
    for (const one of all) {
      const float = floatName(one);
      if (float !== null) this.#floats.add(float);
      else if (one.payment === null) others.push(one);
      else for (const alias of aliasesOf(one)) this.#aliases.set(alias, paymentName(one.payment));
    }
    // Of what no payment is known, one side may know the transaction and both the reference.
    for (const one of others) {
      const [first, second] = aliasesOf(one);
      if (first !== undefined && second !== undefined && !this.#aliases.has(second))
        this.#aliases.set(second, this.#aliases.get(first) ?? first);
    }
  }

  of(one: Nameable): string {
    const float = floatName(one);
    if (float !== null) return float;
    if (one.payment !== null) return paymentName(one.payment);
    const aliases = aliasesOf(one);
    const known = aliases.flatMap((alias) => this.#aliases.get(alias) ?? [])[0];
    const asFloat = `FLOAT ${nameText(one.transactionId ?? '')}`;
    return known ?? (this.#floats.has(asFloat) ? asFloat : (aliases[0] ?? 'UNNAMED'));
  }
}

/** What is not about a payment is named by its own transaction, also where it is charged for a payment. */
function floatName({ float = null, transactionId, name }: Nameable): string | null {
  if (name?.startsWith('FLOAT ') === true) return name;
  return float === null || transactionId === null ? null : `FLOAT ${nameText(transactionId)}`;
}

function paymentName(payment: PaymentKey): string {
  return `PAYMENT ${paymentKeyText(payment)}`;
}

function aliasesOf({ transactionId, reference }: Named): readonly string[] {
  return [
    ...(transactionId === null ? [] : [`TRANSACTION ${nameText(transactionId)}`]),
    ...(reference === null ? [] : [`REFERENCE ${nameText(reference)}`]),
  ];
}

/** As references of money are compared everywhere: without spaces, in capital letters. */
export function nameText(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}
