// What events are about, read when they are shown: the feed itself copies nothing.
import type { PaymentState } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { LEGS_PER_POSTING } from '../ledger/moved-wallets.ts';

export type SubjectNo = { readonly subjectId: string; readonly no: number };

const statuses = columns({
  subjectId: column<string>('uuid', 'e.payment_no'),
  no: column<number>('int', 'e.event_no'),
  occurredAt: column<Date>('timestamptz', 'e.occurred_at'),
  status: column<PaymentState>('payment_state', 'e.to_state'),
});

export type StatusEvent = Row<typeof statuses>;

export async function listStatusEvents(tx: Tx, named: readonly SubjectNo[]): Promise<readonly StatusEvent[]> {
  if (named.length === 0) return [];
  return statuses.select(
    tx,
    `from unnest($1::uuid[], $2::int[]) as u (subject_id, no)
     join payment_events e on e.payment_no = u.subject_id and e.event_no = u.no`,
    valuesOf(named),
  );
}

const movements = columns({
  subjectId: column<string>('uuid', 'u.subject_id'),
  no: column<number>('int', 'u.no'),
  occurredAt: column<Date>('timestamptz', 'max(coalesce(t.settled_at, t.created_at))'),
  subjectKind: column<string>('text', 'min(t.subject_kind)'),
  template: column<string>('text', '(array_agg(t.template order by t.leg_no))[1]'),
  country: column<string>('text', 'min(coalesce(c.country, d.country))'),
  currency: column<string>('text', 'min(coalesce(c.currency, d.currency))'),
  provider: column<string>('text', 'min(coalesce(c.provider, d.provider))'),
  /** What the wallet gained, with fees taken off; negative where it paid. */
  net: column<bigint>('numeric', 'sum(case when c.account_id is null then -t.amount else t.amount end)'),
});

export type MovementEvent = Row<typeof movements>;

/** The legs of one posting are one movement. All of them are of one wallet. */
export async function listMovementEvents(
  tx: Tx,
  named: readonly SubjectNo[],
): Promise<readonly MovementEvent[]> {
  if (named.length === 0) return [];
  return movements.select(
    tx,
    `from unnest($1::uuid[], $2::int[]) as u (subject_id, no)
     join transfers t on t.subject_id = u.subject_id and t.leg_no >= u.no * ${LEGS_PER_POSTING}
       and t.leg_no < (u.no + 1) * ${LEGS_PER_POSTING} and t.state = 'POSTED'
     left join accounts d on d.account_id = t.debit_account_id and d.type = 'WALLET'
     left join accounts c on c.account_id = t.credit_account_id and c.type = 'WALLET'
     where d.account_id is not null or c.account_id is not null group by u.subject_id, u.no`,
    valuesOf(named),
  );
}

function valuesOf(named: readonly SubjectNo[]): unknown[] {
  return [named.map(({ subjectId }) => subjectId), named.map(({ no }) => no)];
}
