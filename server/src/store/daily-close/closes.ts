// Accounts whose days are closed, the days, and what did not agree.
import { parseSigned, renderAmount, type Amount } from '../../domain/money.ts';
import type { CloseItem, DifferenceKind } from '../../domain/reconciliation/daily-close.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged, oneRowInserter, rowInserter } from '../rows.ts';
import type { AccountName } from './report-lines.ts';

const accounts = columns({
  provider: 'text',
  currency: 'text',
  country: 'text',
  timeZone: 'text',
  firstDay: 'text',
  dueHours: 'int',
  startedBy: 'text',
  startedAt: 'timestamptz',
});

export type CloseAccount = Row<typeof accounts>;

export const insertCloseAccount = oneRowInserter('close_accounts', accounts.cells, 'on conflict do nothing');

const followed = columns({
  ...accounts.defs,
  lastDay: column<string | null>(
    'text null',
    `(select max(day) from day_closes c where c.provider = a.provider and c.currency = a.currency
       and c.status = 'CLOSED')`,
  ),
});

/** An account, and its last signed day; null before the first one. */
export type FollowedAccount = Row<typeof followed>;

export async function listCloseAccounts(tx: Tx): Promise<readonly FollowedAccount[]> {
  return followed.select(tx, 'from close_accounts a order by provider, currency');
}

export async function findCloseAccount(
  tx: Tx,
  { provider, currency }: AccountName,
): Promise<FollowedAccount | null> {
  return followed.find(tx, 'from close_accounts a where provider = $1 and currency = $2', [
    provider,
    currency,
  ]);
}

/** The database refuses it without an approval in the same transaction, and once a day is signed. */
export async function setFirstDay(
  tx: Tx,
  { provider, currency }: AccountName,
  firstDay: string,
): Promise<void> {
  await tx.query('update close_accounts set first_day = $3 where provider = $1 and currency = $2', [
    provider,
    currency,
    firstDay,
  ]);
}

/** What a day comes to. Theirs less ours, wherever something differs. */
export type CloseFigures = {
  readonly opening: Amount;
  readonly received: Amount;
  readonly sent: Amount;
  readonly closing: Amount;
  readonly reportReceived: Amount;
  readonly reportSent: Amount;
  readonly broughtForward: Amount;
  readonly carriedForward: Amount;
  /** Of that, what no other day explains. */
  readonly unexplained: Amount;
  readonly bankReceived: Amount;
  readonly bankSent: Amount;
  readonly bankUnexplained: Amount;
  readonly movementCount: number;
  readonly lineCount: number;
  readonly bankLineCount: number;
  /** Of reports that cover the day: what they say of it is not known. */
  readonly unreadableLineCount: number;
};

const FIGURES = [
  'opening',
  'received',
  'sent',
  'closing',
  'reportReceived',
  'reportSent',
  'broughtForward',
  'carriedForward',
  'unexplained',
  'bankReceived',
  'bankSent',
  'bankUnexplained',
] as const satisfies readonly (keyof CloseFigures)[];
const COUNTS = [
  'movementCount',
  'lineCount',
  'bankLineCount',
  'unreadableLineCount',
] as const satisfies readonly (keyof CloseFigures)[];

/** Amounts as texts. */
export type ShownFigures = {
  readonly [Name in keyof CloseFigures]: CloseFigures[Name] extends Amount ? string : number;
};

export function showFigures(figures: CloseFigures): ShownFigures {
  const amounts = FIGURES.map((name) => [name, renderAmount(figures[name])]);
  const counts = COUNTS.map((name) => [name, figures[name]]);
  return Object.fromEntries([...amounts, ...counts]) as ShownFigures;
}

function parseFigures(shown: ShownFigures): CloseFigures {
  const amounts = FIGURES.map((name) => [name, parseSigned(shown[name])]);
  const counts = COUNTS.map((name) => [name, shown[name]]);
  return Object.fromEntries([...amounts, ...counts]) as CloseFigures;
}

const closes = columns({
  closeId: 'uuid',
  provider: 'text',
  currency: 'text',
  day: 'text',
  figures: column<ShownFigures>('jsonb'),
  contentHash: 'text',
  beginsAt: 'timestamptz',
  endsAt: 'timestamptz',
  linesAfter: 'bigint null',
  linesThrough: 'bigint',
  bankLinesAfter: 'bigint null',
  bankLinesThrough: 'bigint',
  linesDigest: 'text',
  /** What the postings of the day came to in every cell that has some. */
  movementsDigest: 'text',
  /** The files that stood. */
  fileIds: 'text[]',
  note: 'text null',
  madeAt: 'timestamptz',
});
const shownCloses = columns({
  ...closes.defs,
  status: column<'REQUESTED' | 'CLOSED'>('text'),
  closedAt: 'timestamptz null',
});

export type StoredClose = Omit<Row<typeof shownCloses>, 'figures'> & { readonly figures: CloseFigures };

const insertRow = oneRowInserter('day_closes', closes.cells);

/** Which lines a day counts, or would count if it were signed. */
export type CountedLines = Pick<
  StoredClose,
  | 'beginsAt'
  | 'endsAt'
  | 'linesAfter'
  | 'linesThrough'
  | 'bankLinesAfter'
  | 'bankLinesThrough'
  | 'linesDigest'
>;

/** The day as it is to be signed. */
export async function insertClose(
  tx: Tx,
  close: Omit<StoredClose, 'status' | 'closedAt'> & { readonly items: readonly CloseItem[] },
): Promise<void> {
  await insertRow(tx, { ...close, figures: showFigures(close.figures) });
  await insertItems(
    tx,
    close.items.map((item, index) => ({
      ...item,
      closeId: close.closeId,
      itemNo: index + 1,
      merchantId: item.payment?.merchantId ?? null,
      paymentKind: item.payment?.kind ?? null,
      paymentId: item.payment?.paymentId ?? null,
    })),
  );
}

export async function endClose(
  tx: Tx,
  {
    closeId,
    status,
    closedAt,
  }: {
    readonly closeId: string;
    readonly status: 'CLOSED' | 'REJECTED';
    readonly closedAt: Date | null;
  },
): Promise<boolean> {
  return isChanged(
    tx,
    `update day_closes set status = $2, closed_at = $3 where close_id = $1 and status = 'REQUESTED'`,
    [closeId, status, closedAt],
  );
}

/** The signed one, or the one that is to be signed. */
export async function findClose(
  tx: Tx,
  { provider, currency, day }: AccountName & { readonly day: string },
): Promise<StoredClose | null> {
  const found = await shownCloses.find(
    tx,
    `from day_closes where provider = $1 and currency = $2 and day = $3 and status in ('REQUESTED', 'CLOSED')
     order by status limit 1`,
    [provider, currency, day],
  );
  return found === null ? null : { ...found, figures: parseFigures(found.figures) };
}

const signedDays = columns({ provider: 'text', currency: 'text', day: 'text' });

export type SignedDay = Row<typeof signedDays>;

/** Signed days that end after this time, in the order in which they are reopened. */
export async function listSignedAfter(tx: Tx, at: Date): Promise<readonly SignedDay[]> {
  const tail = `from day_closes where status = 'CLOSED' and ends_at > $1 order by provider, currency, day desc`;
  return signedDays.select(tx, tail, [at]);
}

/** Takes a signature back. The database refuses it without an approval in the same transaction. */
export async function reopenClose(
  tx: Tx,
  reopened: {
    readonly closeId: string;
    readonly reopenedAt: Date;
    readonly approvalId: string;
    readonly reason: string;
  },
): Promise<boolean> {
  const { closeId, reopenedAt, approvalId, reason } = reopened;
  return isChanged(
    tx,
    `update day_closes set status = 'REOPENED', reopened_at = $2, reopened_by = $3, reopen_reason = $4
     where close_id = $1 and status = 'CLOSED'`,
    [closeId, reopenedAt, approvalId, reason],
  );
}

const DIFFERENCE_COUNT = column<number>(
  'int',
  '(select count(*)::int from day_close_items i where i.close_id = c.close_id)',
);

const reopened = columns({
  closeId: 'uuid',
  contentHash: 'text',
  figures: column<ShownFigures>('jsonb'),
  note: 'text null',
  closedAt: 'timestamptz',
  reopenedAt: 'timestamptz',
  /** The approval by which it was reopened. */
  approvalId: column<string>('uuid', 'reopened_by'),
  reason: column<string>('text', 'reopen_reason'),
  differenceCount: DIFFERENCE_COUNT,
});

/** A signature of a day that was taken back. */
export type ReopenedClose = Row<typeof reopened>;

/** The last one first. */
export async function listReopened(
  tx: Tx,
  { provider, currency, day }: AccountName & { readonly day: string },
): Promise<readonly ReopenedClose[]> {
  return reopened.select(
    tx,
    `from day_closes c where provider = $1 and currency = $2 and day = $3 and status = 'REOPENED'
     order by reopened_at desc`,
    [provider, currency, day],
  );
}

const listed = columns({
  day: 'text',
  status: column<'REQUESTED' | 'CLOSED'>('text'),
  figures: column<ShownFigures>('jsonb'),
  closedAt: 'timestamptz null',
  differenceCount: DIFFERENCE_COUNT,
});

/** A day that is signed, or is to be signed. */
export type ListedClose = Row<typeof listed>;

/** Of these days, both included. */
export async function listCloses(
  tx: Tx,
  { provider, currency }: AccountName,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<readonly ListedClose[]> {
  return listed.select(
    tx,
    `from day_closes c where provider = $1 and currency = $2 and day between $3 and $4
       and status in ('REQUESTED', 'CLOSED')
     order by day desc, status`,
    [provider, currency, first, last],
  );
}

const items = columns({
  kind: column<DifferenceKind>('text'),
  name: 'text',
  merchantId: 'uuid null',
  paymentKind: column<PaymentKey['kind'] | null>('payment_kind null'),
  paymentId: 'uuid null',
  reference: 'text null',
  transactionId: column<string | null>('text null', 'provider_transaction_id'),
  amount: 'numeric',
  change: 'numeric',
  sinceDay: 'text',
  otherDay: 'text null',
  bookCount: 'int',
  lineCount: 'int',
});

const insertItems = rowInserter(
  'day_close_items',
  columns({ closeId: 'uuid', itemNo: 'int', ...items.defs }).cells,
);

export async function listItems(tx: Tx, closeId: string): Promise<readonly CloseItem[]> {
  const rows = await items.select(tx, 'from day_close_items where close_id = $1 order by item_no', [closeId]);
  return rows.map(({ merchantId, paymentKind: kind, paymentId, ...item }) => ({
    ...item,
    payment:
      merchantId === null || kind === null || paymentId === null ? null : { merchantId, kind, paymentId },
  }));
}
