// The movements of a wallet, page by page, the newest first. Each page goes on where the last one ended.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { PaymentKind, PaymentState } from '../../domain/payments/payment.ts';
import type { Movement } from '../../domain/wallet-statement.ts';
import type { Tx } from '../database.ts';
import { column, columns } from '../columns.ts';

/** A movement's cursor in the order of all. */
export type MovementCursor = Pick<Movement, 'subjectKind' | 'subjectId' | 'postingNo'> & {
  readonly at: Date;
  /** The wallet's balance before it, where nothing can change that any more. */
  readonly settledBefore: Amount | null;
};

export type MovementPage = {
  readonly merchantId: string;
  readonly accountId: string;
  /** Movements before this one; null for the newest. */
  readonly before: MovementCursor | null;
  readonly countMax: number;
};

/** A payment as far as its movement says. Nothing of it is encrypted. */
export type MovedPayment = {
  readonly kind: PaymentKind;
  readonly paymentId: string;
  readonly state: PaymentState;
  readonly provider: string;
  readonly fee: Amount;
};

export type PaidMovement = Omit<Movement, 'at' | 'payment'> & {
  readonly at: Date;
  /** What was posted in the wallet after it. */
  readonly balance: Amount;
  /** Null for movements that are no payment's. */
  readonly payment: MovedPayment | null;
};

const SELECTED = 'subject_kind, subject_id, leg_no, template';
const NEWEST_FIRST = 'order by at desc, subject_kind desc, subject_id desc, leg_no desc limit $6';

/** Three walks backwards along an index that holds nothing but such legs, none further than the page needs. */
const LEGS = legs(
  (leg, at) => `(${leg} and ${at} <= $2
    and (${at}, subject_kind, subject_id, leg_no) < ($2::timestamptz, $3::text, $4::uuid, $5::int)
    ${NEWEST_FIRST})`,
);

/** What came after: looked for only where the balance before the page may still change, so it is minutes old. */
const NEWER = legs(
  (leg, at) => `(${leg} and ${at} >= $2
    and (${at}, subject_kind, subject_id, leg_no) >= ($2::timestamptz, $3::text, $4::uuid, $5::int))`,
);

function legs(within: (leg: string, at: string) => string): string {
  const leg = (account: string, at: string, change: string, where: string) =>
    within(
      `select ${at} as at, ${SELECTED}, ${change} as change from transfers
       where ${account} = $1 and state = 'POSTED' and ${where}`,
      at,
    );
  return [
    leg('credit_account_id', 'created_at', 'amount', 'true'),
    // Only what a wallet pays is ever held; it moves when the hold ends.
    leg('debit_account_id', 'settled_at', '-amount', 'settled_at is not null'),
    // In the words of the index `transfers_paid_at_once`: nothing else is paid by a wallet without a hold.
    leg(
      'debit_account_id',
      'created_at',
      '-amount',
      `settled_at is null
       and (leg_no >= 10 or subject_kind not in ('DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'))`,
    ),
  ].join(' union all ');
}

const movements = columns({
  at: 'timestamptz',
  subjectKind: 'text',
  subjectId: 'uuid',
  postingNo: 'int',
  template: 'text',
  net: column<Amount>('numeric', 'm.change'),
  /** Of the wallet, after the newest movement of the page. */
  first: column<Amount>('numeric', 'coalesce($8::numeric, posted.balance)'),
  /** Null for what is no payment's, and so are all that follow. */
  kind: column<PaymentKind | null>('payment_kind null', 'p.kind'),
  paymentId: column<string>('uuid', 'p.payment_id'),
  state: column<PaymentState>('payment_state', 'p.state'),
  provider: column<string>('text', 'p.provider'),
  fee: column<Amount>('numeric', 'p.fee'),
});

/** Behind everything. */
const NEWEST: MovementCursor = {
  at: new Date('9999-01-01T00:00:00Z'),
  subjectKind: '',
  subjectId: '00000000-0000-0000-0000-000000000000',
  postingNo: 0,
  settledBefore: null,
};

/** The amount and its fee. */
const LEGS_OF_MOVEMENT = 2;

/**
 * In one statement, so that balances and movements are of the same moment. A page goes on from the balance that the
 * last one ended with; where that may have changed since, the balance is counted back from what the wallet has now.
 */
export async function listMovements(tx: Tx, page: MovementPage): Promise<readonly PaidMovement[]> {
  const { accountId, before, countMax } = page;
  const { at, subjectKind, subjectId, postingNo, settledBefore } = before ?? NEWEST;
  const legsMax = countMax * LEGS_OF_MOVEMENT;
  const rows = await movements.query(
    tx,
    `select ${movements.namesIn('m')} from (
       select at, subject_kind, subject_id, leg_no / 10 as posting_no, min(template) as template,
         sum(change) as change
       from (select * from (${LEGS}) legs ${NEWEST_FIRST}) newest
       group by 1, 2, 3, 4) m
     left join (
       select posted - coalesce((select sum(change) from (${NEWER}) newer), 0) as balance
       from wallets where account_id = $1 and $8::numeric is null) posted on true
     left join payments p on p.payment_no = m.subject_id
     order by m.at desc, m.subject_kind desc, m.subject_id desc, m.posting_no desc limit $7`,
    [
      accountId,
      at,
      subjectKind,
      subjectId,
      postingNo * 10,
      legsMax,
      countMax,
      settledBefore === null ? null : renderAmount(settledBefore),
    ],
  );
  let balance = rows[0]?.first ?? 0n;
  return rows.map(({ kind, paymentId, state, provider, fee, first: _first, ...movement }) => {
    const payment = kind === null ? null : { kind, paymentId, state, provider, fee };
    const after = balance;
    balance -= movement.net;
    return { ...movement, balance: after, payment };
  });
}
