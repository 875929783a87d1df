// The database rows for a verdict.
import { parseAmount, type Amount } from '../../../server/src/domain/money.ts';
import type { Tx } from '../../../server/src/store/database.ts';

export type PaymentRow = {
  readonly merchant_id: string;
  readonly kind: 'DEPOSIT' | 'PAYOUT' | 'REFUND' | 'REMITTANCE';
  readonly payment_id: string;
  readonly final_at: Date | null;
  readonly state: string;
  readonly amount: string;
  readonly fee: string;
  readonly currency: string;
  readonly provider: string;
  readonly connector: string;
  readonly next_action: string | null;
  readonly split_payment_id: string | null;
  readonly deposit_id: string | null;
  readonly reference: string | null;
  /** The operator's reference, if it was received. */
  readonly provider_reference: string | null;
  readonly send_deadline_at: Date | null;
  readonly evidences: readonly string[];
  /** Ended by a person, or because the payment it depends on failed. */
  readonly is_cancelled: boolean;
  /** Of a refund: whether the deposit has an operator reference that a refund needs. */
  readonly has_refund_reference: boolean;
  /** What moved it to reconciliation, if it is there. */
  readonly reason: string | null;
};

/** All of them, or those in one state. */
export async function readPayments(
  database: Tx,
  state: string | null = null,
): Promise<readonly PaymentRow[]> {
  const { rows } = await database.query<PaymentRow>(
    `with evidenced as (
       select merchant_id, kind, payment_id, array_agg(evidence) as evidences from cases group by 1, 2, 3),
     receipts as (
       select d.merchant_id, d.payment_id as deposit_id, min(n.received_at) as received_at
       from payment_attempts d join operator_notifications n using (reference)
       where d.kind = 'DEPOSIT' and n.reading = 'RECEIPT' group by 1, 2)
     select p.merchant_id, p.kind::text, p.payment_id, p.final_at, p.state::text, p.amount::text, p.fee::text,
            p.currency, p.provider, p.connector, p.next_action::text, p.split_payment_id, p.deposit_id, a.reference,
            a.provider_reference, a.send_deadline_at, coalesce(c.evidences, '{}') as evidences,
            exists (select from payment_events e
              where e.payment_no = p.payment_no and e.event = 'CANCELLED') as is_cancelled,
            p.provider <> 'MPESA_KEN' or coalesce(r.received_at < p.final_at, false) as has_refund_reference,
            (select coalesce(e.detail, e.event) from payment_events e
             where e.payment_no = p.payment_no and e.to_state = 'IN_RECONCILIATION'
             order by e.event_no limit 1) as reason
     from payments p left join payment_attempts a using (payment_no)
       left join evidenced c on (c.merchant_id, c.kind, c.payment_id) = (p.merchant_id, p.kind, p.payment_id)
       left join receipts r on (r.merchant_id, r.deposit_id) = (p.merchant_id, p.deposit_id)
     where $1::text is null or p.state::text = $1`,
    [state],
  );
  return rows;
}

export async function readSplits(database: Tx): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ id: string }>('select split_payment_id as id from split_payments');
  return new Set(rows.map(({ id }) => id));
}

export function isFinal({ state }: PaymentRow): boolean {
  return state === 'COMPLETED' || state === 'FAILED';
}

export function nameOf({ kind, payment_id: id }: Pick<PaymentRow, 'kind' | 'payment_id'>): string {
  return `${kind} ${id}`;
}

export function amountOf(text: string): Amount {
  const amount = parseAmount(text);
  if (amount === null) throw new Error(`"${text}" is not an amount`);
  return amount;
}
