// What each side moved for each payment in a span of time, in the order of payments, and page by page from a cursor: a
// day of any size takes the same memory. Nothing here is decrypted.
import type { Movement } from '../../domain/reconciliation/daily-close.ts';
import type { Net, PaymentNet } from '../../domain/reconciliation/payment-nets.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { linesIn, spanValues, type LineSpan } from './closed-lines.ts';
import {
  movedIn,
  nameOtherMovements,
  PAYMENT_SUBJECTS,
  signedSum,
  valuesOf,
  type FloatAccount,
  type Span,
} from './movements.ts';
import type { AccountName } from './report-lines.ts';
import { fetchPages } from './whole-day.ts';

const movementNets = columns({
  merchantId: 'uuid null',
  kind: column<PaymentKind | null>('payment_kind null'),
  paymentId: 'uuid null',
  received: 'numeric null',
  sent: 'numeric null',
  count: 'bigint null',
  subjectKind: 'text null',
  subjectId: 'text null',
  at: 'timestamptz null',
});

const differingNets = columns({
  ...movementNets.defs,
  reportReceived: 'numeric null',
  reportSent: 'numeric null',
  lineCount: 'bigint null',
});

/** What both sides moved for all payments together that agree. */
export type Agreed = Pick<PaymentNet, 'theirs' | 'ours'>;

export type MovementPage = {
  readonly nets: readonly PaymentNet[];
  /** What is not about a payment, as movements of their own. */
  readonly others: readonly Movement[];
  readonly agreed: readonly Agreed[];
};

/** The order that `mergeNets` needs. */
const IN_ORDER = 'order by payment_id, merchant_id, kind';

/**
 * What the postings of a span moved, for each payment; what is not about payments for each posting. Postings are added
 * up before payments are looked for, by their numbers: every payment has one row by then.
 */
function booksIn(span: Span, first: number): string {
  return `${movedIn(span, first)}, posted as (
      select subject_kind, subject_id, template, ${signedSum(first)} as amount,
        min(coalesce(settled_at, created_at)) as at
      from moved group by subject_kind, subject_id, template),
    subjects as (
      select subject_kind, subject_id, case when subject_kind not in ${PAYMENT_SUBJECTS} then template end as template,
        coalesce(sum(amount) filter (where amount > 0), 0) as received,
        coalesce(-sum(amount) filter (where amount < 0), 0) as sent, count(*) as count, min(at) as at
      from posted where amount <> 0 group by 1, 2, 3),
    books as (
      select p.payment_id, p.merchant_id, p.kind, s.received, s.sent, s.count, s.at,
        case when p.payment_no is null then s.subject_kind end as subject_kind,
        case when p.payment_no is null then s.subject_id::text end as subject_id,
        case when p.payment_no is null then s.template end as template
      from subjects s left join payments p on p.payment_no = s.subject_id)`;
}

/** What our books moved: payments first, then everything else. */
export async function* streamMovementNets(
  tx: Tx,
  account: FloatAccount,
  span: Span,
): AsyncGenerator<MovementPage> {
  const pages = fetchPages(tx, movementNets, {
    cursor: 'movement_nets',
    query: `with ${booksIn(span, 1)}
      select merchant_id as "merchantId", kind, payment_id as "paymentId", received, sent, count,
        subject_kind as "subjectKind", subject_id as "subjectId", at
      from books ${IN_ORDER}, at, subject_id, template`,
    values: valuesOf(account, span),
  });
  for await (const page of pages)
    yield {
      nets: page.flatMap((row) => paymentNet(row, { theirs: null, ours: oursOf(row) })),
      others: await othersOf(tx, account, page),
      agreed: [],
    };
}

/**
 * What the lines and the books of this cell moved, for each payment for which they differ, in one pass of the database:
 * of those that agree, which is nearly all, only the sums leave it.
 */
export async function* streamDifferingNets(
  tx: Tx,
  {
    account,
    lines,
    float,
    span,
  }: {
    readonly account: AccountName;
    readonly lines: LineSpan;
    readonly float: FloatAccount;
    readonly span: Span;
  },
): AsyncGenerator<MovementPage> {
  const lineValues = spanValues(account, lines);
  const pages = fetchPages(tx, differingNets, {
    cursor: 'differing_nets',
    query: `with ${booksIn(span, lineValues.length + 1)}, report as (
        select merchant_id, kind, payment_id, coalesce(sum(moved * times) filter (where moved > 0), 0) as received,
          coalesce(-sum(moved * times) filter (where moved < 0), 0) as sent, sum(times)::bigint as count
        from ${linesIn('OPERATOR')} l where payment_id is not null group by payment_id, merchant_id, kind),
      compared as (
        select *, coalesce(b.received - b.sent, 0) <> coalesce(r.received - r.sent, 0) as differs,
          r.received as report_received, r.sent as report_sent, r.count as line_count,
          b.received as book_received, b.sent as book_sent, b.count as book_count
        from books b full join report r using (payment_id, merchant_id, kind))
      select case when differs then merchant_id end as "merchantId", case when differs then kind end as kind,
        case when differs then payment_id end as "paymentId", sum(book_received) as received, sum(book_sent) as sent,
        sum(book_count)::bigint as count, subject_kind as "subjectKind", subject_id as "subjectId", min(at) as at,
        sum(report_received) as "reportReceived", sum(report_sent) as "reportSent",
        sum(line_count)::bigint as "lineCount"
      from compared group by 1, 2, 3, subject_kind, subject_id, template
      order by 3, 1, 2, min(at), subject_id, template`,
    values: [...lineValues, ...valuesOf(float, span)],
  });
  for await (const page of pages)
    yield {
      nets: page.flatMap((row) => paymentNet(row, { theirs: theirsOf(row), ours: oursOf(row) })),
      others: await othersOf(tx, float, page),
      agreed: page.flatMap((row) =>
        row.paymentId === null && row.subjectId === null
          ? [{ theirs: theirsOf(row), ours: oursOf(row) }]
          : [],
      ),
    };
}

type MovementRow = Row<typeof movementNets>;

function paymentNet(
  { merchantId, kind, paymentId }: MovementRow,
  sides: Pick<PaymentNet, 'theirs' | 'ours'>,
): readonly PaymentNet[] {
  if (merchantId === null || kind === null || paymentId === null) return [];
  return [{ merchantId, kind, paymentId, ...sides }];
}

function oursOf({ received, sent, count }: MovementRow): Net | null {
  return received === null || sent === null || count === null ? null : { received, sent, count };
}

function theirsOf({ reportReceived, reportSent, lineCount }: Row<typeof differingNets>): Net | null {
  return reportReceived === null || reportSent === null || lineCount === null
    ? null
    : { received: reportReceived, sent: reportSent, count: lineCount };
}

async function othersOf(
  tx: Tx,
  { provider }: FloatAccount,
  page: readonly MovementRow[],
): Promise<readonly Movement[]> {
  const unnamed = page.flatMap(({ subjectKind, subjectId, received, sent, at }) =>
    subjectKind === null || subjectId === null || at === null
      ? []
      : [{ subjectKind, subjectId, amount: (received ?? 0n) - (sent ?? 0n), at }],
  );
  return nameOtherMovements(tx, provider, unnamed);
}
