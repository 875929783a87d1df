// What moved a wallet, in the order of time. A movement counts from when it was posted: what was held before counts at
// its settlement, everything else at its making.
import type { Amount } from '../../domain/money.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { Movement, StatedPayment } from '../../domain/wallet-statement.ts';
import type { Tx } from '../database.ts';
import { openDetails } from '../payments/payments.ts';
import { amountOfNumeric, column, columns, type Row } from '../columns.ts';
import type { Keyring } from '../encryption/encryption.ts';

/** From the first time on, before the second; without it, up to everything the transaction sees. */
export type WalletSpan = { readonly accountId: string; readonly from: Date; readonly until: Date | null };

/** Legs of one fetch. What is in memory at a time is short-lived, so that the process need not grow for it. */
const FETCHED_AT_ONCE = 50;

const SELECTED = 'subject_kind, subject_id, leg_no, template';

/** Only what a wallet pays is ever held. Three ranges of three indexes, each in the order of time. */
const LEGS = `
  select created_at as at, ${SELECTED}, amount as change from transfers
  where credit_account_id = $1 and created_at >= $2 and created_at < $3 and state = 'POSTED'
  union all
  select created_at, ${SELECTED}, -amount from transfers
  where debit_account_id = $1 and created_at >= $2 and created_at < $3 and state = 'POSTED' and settled_at is null
  union all
  select settled_at, ${SELECTED}, -amount from transfers
  where debit_account_id = $1 and settled_at >= $2 and settled_at < $3 and state = 'POSTED'`;

/** What a wallet gained in a span of time. */
export async function sumMovements(tx: Tx, span: WalletSpan): Promise<Amount> {
  const { rows } = await tx.query<{ change: string }>(
    `select coalesce(sum(change), 0) as change from (${LEGS}) legs`,
    valuesOf(span),
  );
  return amountOfNumeric(rows[0]?.change ?? '0');
}

/** What is posted in a wallet. One that no one made has nothing. */
export async function readPosted(tx: Tx, accountId: string): Promise<Amount> {
  const { rows } = await tx.query<{ posted: string }>('select posted from wallets where account_id = $1', [
    accountId,
  ]);
  return amountOfNumeric(rows[0]?.posted ?? '0');
}

/** As times are shown: with milliseconds, which is what ours have. */
function timeText(time: string): string {
  return `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const movements = columns({
  at: column<string>('text', timeText('legs.at')),
  subjectKind: 'text',
  subjectId: 'uuid',
  postingNo: column<number>('int', 'leg_no / 10'),
  template: 'text',
  net: column<Amount>('numeric', 'change'),
  writtenId: 'text null',
  paymentId: 'uuid null',
  /** Null for what is no payment's, and so are all that follow. */
  state: 'payment_state null',
  amount: 'numeric',
  fee: 'numeric',
  provider: 'text',
  createdAt: column<string>('text', timeText('p.created_at')),
  providerTransactionId: 'text null',
  encryptedDetails: 'bytea',
});
type LegRow = Row<typeof movements>;

/** Subjects that are no payments, top-ups for example, have no payment's number. */
const MOVEMENTS = `
  select ${movements.names} from (${LEGS}) legs
  left join payments p on p.payment_no = subject_id
  order by legs.at, subject_kind, subject_id, leg_no`;

/**
 * Page by page, from a cursor: the transaction must last as long as the reading. Legs of one posting are one. The
 * merchant's data key must be loaded.
 */
export async function* readMovements(
  tx: Tx,
  keyring: Keyring,
  span: WalletSpan & { readonly merchantId: string },
): AsyncGenerator<readonly Movement[]> {
  const { merchantId } = span;
  await tx.query(`declare movements no scroll cursor for ${MOVEMENTS}`, valuesOf(span));
  let last: Movement | undefined;
  for (;;) {
    const rows = await movements.query(tx, `fetch ${FETCHED_AT_ONCE} from movements`);
    const page: Movement[] = [];
    for (const row of rows) {
      if (last !== undefined && isSamePosting(last, row)) {
        last = { ...last, net: last.net + row.net };
        continue;
      }
      if (last !== undefined) page.push(last);
      last = movementOf(row, paymentOf(keyring, merchantId, row));
    }
    if (rows.length < FETCHED_AT_ONCE) {
      await tx.query('close movements');
      yield last === undefined ? page : [...page, last];
      return;
    }
    yield page;
  }
}

function valuesOf({ accountId, from, until }: WalletSpan): unknown[] {
  return [accountId, from, until ?? 'infinity'];
}

function movementOf(row: LegRow, payment: StatedPayment | null): Movement {
  const { subjectKind, subjectId, postingNo, template, at, net } = row;
  return { subjectKind, subjectId, postingNo, template, at, net, payment };
}

function paymentOf(keyring: Keyring, merchantId: string, row: LegRow): StatedPayment | null {
  const { state, amount, fee, provider, createdAt, providerTransactionId } = row;
  const { paymentId } = row;
  if (state === null || paymentId === null) return null;
  const key = { merchantId, kind: row.subjectKind as PaymentKind, paymentId };
  const details = openDetails(keyring, key, row.encryptedDetails);
  const writtenId = row.writtenId ?? paymentId;
  return { writtenId, state, amount, fee, provider, createdAt, providerTransactionId, details };
}

/** A subject's postings have ten numbers each for their legs. */
function isSamePosting(last: Movement, row: LegRow): boolean {
  return (
    last.subjectKind === row.subjectKind &&
    last.subjectId === row.subjectId &&
    last.postingNo === row.postingNo
  );
}
