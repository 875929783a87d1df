// What each side moved for each payment in a span of time, in the order of payments, and page by page from a cursor: a
// day of any size takes the same memory. Nothing here is decrypted.
import type { Movement } from '../../domain/reconciliation/daily-close.ts';
import type { PaymentNet } from '../../domain/reconciliation/payment-nets.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { linesIn, spanValues, type LineSpan } from './closed-lines.ts';
import { movedIn, nameOtherMovements, SIGNED, valuesOf, type FloatAccount, type Span } from './movements.ts';
import type { AccountName } from './report-lines.ts';
import { fetchPages } from './whole-day.ts';

const nets = columns({
  merchantId: 'uuid null',
  kind: column<PaymentKind | null>('payment_kind null'),
  paymentId: 'uuid null',
  received: 'numeric',
  sent: 'numeric',
  count: 'bigint',
});
type NetRow = Row<typeof nets>;

/** The order that `mergeNets` needs. */
const IN_ORDER = 'order by payment_id, merchant_id, kind';

/** What lines say of payments that this cell knows. */
export async function* streamLineNets(
  tx: Tx,
  account: AccountName,
  span: LineSpan,
): AsyncGenerator<readonly PaymentNet[]> {
  const pages = fetchPages(tx, nets, {
    cursor: 'line_nets',
    query: `select merchant_id as "merchantId", kind, payment_id as "paymentId",
        coalesce(sum(moved * times) filter (where moved > 0), 0) as received,
        coalesce(-sum(moved * times) filter (where moved < 0), 0) as sent, sum(times)::bigint as count
      from ${linesIn('OPERATOR')} l where payment_id is not null
      group by payment_id, merchant_id, kind ${IN_ORDER}`,
    values: [...spanValues(account, span)],
  });
  for await (const page of pages) yield page.flatMap(netOf);
}

const movementNets = columns({
  ...nets.defs,
  subjectKind: 'text null',
  subjectId: 'text null',
  amount: 'numeric',
  at: 'timestamptz',
});

export type MovementPage = {
  readonly nets: readonly PaymentNet[];
  /** What is not about a payment, as movements of their own. */
  readonly others: readonly Movement[];
};

/** What our books moved: payments first, then everything else. */
export async function* streamMovementNets(
  tx: Tx,
  account: FloatAccount,
  span: Span,
): AsyncGenerator<MovementPage> {
  const pages = fetchPages(tx, movementNets, {
    cursor: 'movement_nets',
    query: `with ${movedIn(span)}, posted as (
        select subject_kind, subject_id, template, ${SIGNED} as amount, min(coalesce(settled_at, created_at)) as at
        from moved group by subject_kind, subject_id, template),
      named as (
        select p.payment_id, p.merchant_id, p.kind, m.amount, m.at,
          case when p.payment_no is null then m.subject_kind end as subject_kind,
          case when p.payment_no is null then m.subject_id::text end as subject_id,
          case when p.payment_no is null then m.template end as template
        from posted m left join payments p on p.payment_no = m.subject_id where m.amount <> 0)
      select merchant_id as "merchantId", kind, payment_id as "paymentId",
        coalesce(sum(amount) filter (where amount > 0), 0) as received,
        coalesce(-sum(amount) filter (where amount < 0), 0) as sent, count(*) as count,
        subject_kind as "subjectKind", subject_id as "subjectId", sum(amount) as amount, min(at) as at
      from named group by payment_id, merchant_id, kind, subject_kind, subject_id, template
      ${IN_ORDER}, at, subject_id, template`,
    values: valuesOf(account, span),
  });
  for await (const page of pages) {
    const unnamed = page.flatMap(({ subjectKind, subjectId, amount, at }) =>
      subjectKind === null || subjectId === null ? [] : [{ subjectKind, subjectId, amount, at }],
    );
    yield { nets: page.flatMap(netOf), others: await nameOtherMovements(tx, account.provider, unnamed) };
  }
}

function netOf({ merchantId, kind, paymentId, received, sent, count }: NetRow): readonly PaymentNet[] {
  if (merchantId === null || kind === null || paymentId === null) return [];
  return [{ merchantId, kind, paymentId, received, sent, count }];
}
