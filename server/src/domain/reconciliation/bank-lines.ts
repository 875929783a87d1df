// Compares float top-ups and withdrawals with the bank's lines. A bank seldom writes the operator's reference, so that
// what has none in common is compared by its amount. Pure.
import type { Amount } from '../money.ts';
import type { CloseItem, ComparedItem, Movement } from './daily-close.ts';

/** `amount`: what it brought to the operator account. */
export type BankLine = { readonly reference: string; readonly amount: Amount; readonly at: Date };
/** With the file in which it came. `times` is -1 for what takes back a line that an earlier day counted. */
export type FiledBankLine = BankLine & { readonly fileId: string; readonly times: number };

const FROM_BANK = ['FLOAT_TOP_UP', 'FLOAT_WITHDRAWAL'];

type Side = {
  readonly reference: string;
  readonly amount: Amount;
  /** The item of the day before; null where it came today. */
  readonly brought: CloseItem | null;
  readonly fileIds: readonly string[];
};

export function compareBank(given: {
  readonly day: string;
  readonly brought: readonly CloseItem[];
  readonly movements: readonly Movement[];
  readonly lines: readonly FiledBankLine[];
}): readonly ComparedItem[] {
  const { day, brought, movements, lines } = given;
  const ours: Side[] = movements
    .filter(({ float }) => FROM_BANK.includes(float ?? ''))
    // They come in no order. Of those with the same amount the first is compared first, whenever the day is read.
    .toSorted(byTime)
    .map(({ transactionId, amount }) => ({
      reference: transactionId ?? '',
      amount,
      brought: null,
      fileIds: [],
    }));
  const theirs: Side[] = [];
  // What takes a line back settles what was carried forward for the line, or leaves our movement without it.
  for (const { reference, amount, fileId, times } of lines)
    (times < 0 ? ours : theirs).push({ reference, amount, brought: null, fileIds: [fileId] });
  for (const item of brought) {
    const side = { reference: item.reference ?? '', amount: item.amount, brought: item, fileIds: [] };
    if (item.kind === 'BANK_MISSING_LINE') ours.push({ ...side, amount: -item.amount });
    else theirs.push(side);
  }
  const items: ComparedItem[] = [];
  // A movement and what posts it back come to nothing, whatever the bank has.
  for (const back of ours.filter((our) => our.brought === null && our.amount !== 0n)) {
    const posted = ours.find((one) => one.reference === back.reference && one.amount === -back.amount);
    if (posted === undefined || !ours.includes(back) || back.reference === '') continue;
    ours.splice(ours.indexOf(back), 1);
    ours.splice(ours.indexOf(posted), 1);
    items.push(...settled(back, posted));
  }
  for (const isSame of [isSameReference, isSameAmount])
    for (const our of ours.slice()) {
      const their = theirs.find((one) => isSame(our, one));
      if (their === undefined) continue;
      ours.splice(ours.indexOf(our), 1);
      theirs.splice(theirs.indexOf(their), 1);
      items.push(...settled(our, their));
    }
  const open = (side: Side, kind: 'BANK_MISSING_LINE' | 'BANK_NOT_IN_BOOKS') => {
    const amount = kind === 'BANK_MISSING_LINE' ? -side.amount : side.amount;
    const counts =
      kind === 'BANK_MISSING_LINE' ? { bookCount: 1, lineCount: 0 } : { bookCount: 0, lineCount: 1 };
    const { reference, brought: before, fileIds } = side;
    const named = {
      ...counts,
      kind,
      name: `BANK ${reference}`,
      payment: null,
      reference,
      transactionId: null,
      fileIds,
    };
    const change = before === null ? amount : 0n;
    items.push({ ...named, amount, change, sinceDay: before?.sinceDay ?? day, otherDay: null });
  };
  for (const side of ours) open(side, 'BANK_MISSING_LINE');
  for (const side of theirs) open(side, 'BANK_NOT_IN_BOOKS');
  return items;
}

/** What both have from the same day is not an item. */
function settled(our: Side, their: Side): readonly ComparedItem[] {
  const before = our.brought ?? their.brought;
  if (before === null) return [];
  const otherDay = before.sinceDay;
  const counts = { bookCount: 1, lineCount: 1, fileIds: their.fileIds };
  return [{ ...before, ...counts, kind: 'LATE', amount: 0n, change: -before.amount, otherDay }];
}

function byTime(one: Movement, other: Movement): number {
  const ms = one.at.getTime() - other.at.getTime();
  return ms === 0 ? ((one.transactionId ?? '') < (other.transactionId ?? '') ? -1 : 1) : ms;
}

function isSameReference(one: Side, other: Side): boolean {
  return one.reference !== '' && one.reference === other.reference && one.amount === other.amount;
}

function isSameAmount(one: Side, other: Side): boolean {
  return one.amount === other.amount;
}
