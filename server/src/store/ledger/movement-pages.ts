// The movements of a wallet, page by page, the newest first. Each page goes on where the last one ended.
import type { Amount } from '../../domain/money.ts';
import type { PaymentKind, PaymentState } from '../../domain/payments/payment.ts';
import type { Movement } from '../../domain/wallet-statement.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric } from '../columns.ts';

/** A movement's place in the order of all. */
export type MovementPlace = Pick<Movement, 'subjectKind' | 'subjectId' | 'postingNo'> & { readonly at: Date };

export type MovementPage = {
  readonly merchantId: string;
  readonly accountId: string;
  /** Movements before this one; null for the newest. */
  readonly before: MovementPlace | null;
  readonly countMax: number;
};

/** A payment as far as its movement is told. Nothing of it is encrypted. */
export type MovedPayment = {
  readonly kind: PaymentKind;
  readonly paymentId: string;
  readonly state: PaymentState;
  readonly provider: string;
  readonly fee: Amount;
};

export type PaidMovement = Omit<Movement, 'at' | 'payment'> & {
  readonly at: Date;
  /** Null for movements that are no payment's. */
  readonly payment: MovedPayment | null;
};

const SELECTED = 'subject_kind, subject_id, leg_no, template';
const NEWEST_FIRST = 'order by at desc, subject_kind desc, subject_id desc, leg_no desc limit $6';

/** Three walks backwards along an index that holds nothing but such legs, none further than the page needs. */
const LEGS = [
  walk('credit_account_id', 'created_at', 'amount', `state = 'POSTED'`),
  // Only what a wallet pays is ever held; it moves when the hold ends.
  walk('debit_account_id', 'settled_at', '-amount', `state = 'POSTED' and settled_at is not null`),
  // In the words of the index `transfers_paid_at_once`: nothing else is paid by a wallet without a hold.
  walk(
    'debit_account_id',
    'created_at',
    '-amount',
    `state = 'POSTED' and settled_at is null
       and (leg_no >= 10 or subject_kind not in ('DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'))`,
  ),
];

function walk(account: string, at: string, change: string, where: string): string {
  return `(select ${at} as at, ${SELECTED}, ${change} as change from transfers
    where ${account} = $1 and ${where} and ${at} <= $2
      and (${at}, subject_kind, subject_id, leg_no) < ($2::timestamptz, $3::text, $4::uuid, $5::int)
    ${NEWEST_FIRST})`;
}

type Row = {
  at: Date;
  subject_kind: string;
  subject_id: string;
  posting_no: number;
  template: string;
  change: string;
  kind: PaymentKind | null;
  payment_id: string;
  state: PaymentState;
  provider: string;
  fee: string;
};

/** Behind everything. */
const NEWEST: MovementPlace = {
  at: new Date('9999-01-01T00:00:00Z'),
  subjectKind: '',
  subjectId: '00000000-0000-0000-0000-000000000000',
  postingNo: 0,
};

/** The amount and its fee. */
const LEGS_OF_MOVEMENT = 2;

export async function listMovements(tx: Tx, page: MovementPage): Promise<readonly PaidMovement[]> {
  const { merchantId, accountId, before, countMax } = page;
  const { at, subjectKind, subjectId, postingNo } = before ?? NEWEST;
  const legsMax = countMax * LEGS_OF_MOVEMENT;
  const { rows } = await tx.query<Row>(
    `select m.*, p.kind, p.payment_id, p.state, p.provider, p.fee from (
       select at, subject_kind, subject_id, leg_no / 10 as posting_no, min(template) as template,
         sum(change) as change
       from (select * from (${LEGS.join(' union all ')}) legs ${NEWEST_FIRST}) newest
       group by 1, 2, 3, 4) m
     left join payments p on p.merchant_id = $7 and p.payment_id = m.subject_id and p.kind = (
       case when m.subject_kind = any (enum_range(null::payment_kind)::text[])
         then m.subject_kind::payment_kind end)
     order by m.at desc, m.subject_kind desc, m.subject_id desc, m.posting_no desc limit $8`,
    [accountId, at, subjectKind, subjectId, postingNo * 10, legsMax, merchantId, countMax],
  );
  return rows.map(movementOf);
}

function movementOf(row: Row): PaidMovement {
  return {
    at: row.at,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    postingNo: row.posting_no,
    template: row.template,
    net: amountOfNumeric(row.change),
    payment:
      row.kind === null
        ? null
        : {
            kind: row.kind,
            paymentId: row.payment_id,
            state: row.state,
            provider: row.provider,
            fee: amountOfNumeric(row.fee),
          },
  };
}
