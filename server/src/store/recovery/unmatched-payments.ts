// Payments that operators made in time that was lost, as their reports say: what of each stands in the books until
// it is known again. Nothing here names a person.
import type { PaymentKey } from '../../domain/payments/payment.ts';
import type { Direction } from '../../domain/ledger/postings.ts';
import type { Tx } from '../database.ts';
import { column, columns, type Row } from '../columns.ts';
import { isAmong, isChanged, paymentKeys, rowInserter, unnested, valuesOf } from '../rows.ts';

/** By what a payment is known to its operator and to anyone who can derive its reference. */
const names = columns({ provider: 'text', reference: 'text', direction: column<Direction>('text') });
export type UnmatchedName = Row<typeof names>;

const found = columns({
  ...names.defs,
  /** The line of a report that says so. */
  lineHash: 'bytea',
  country: 'text',
  currency: 'text',
  amount: 'numeric',
  occurredAt: 'timestamptz',
});
const unmatched = columns({
  ...found.defs,
  /** Whether its money went into SUSPENSE. */
  isPosted: column<boolean>('bool', 'posted_at is not null'),
  /** Whether its report needed no approval, or has one. */
  isApproved: column<boolean>('bool', 'approved_at is not null'),
  merchantId: 'uuid null',
  kind: 'payment_kind null',
  paymentId: 'uuid null',
});

export type Unmatched = Omit<Row<typeof unmatched>, keyof PaymentKey> & {
  /** The payment that has replaced it; null while no one has sent it again. */
  readonly releasedTo: PaymentKey | null;
};

/** A line that says the same of a payment in other words adds nothing. */
export const insertUnmatched = rowInserter(
  'unmatched_payments',
  columns({ ...found.defs, foundAt: 'timestamptz' }).cells,
  'on conflict do nothing',
);

async function select(tx: Tx, where: string, values: readonly unknown[]): Promise<readonly Unmatched[]> {
  const rows = await unmatched.select(tx, `from unmatched_payments where ${where}`, values);
  return rows.map(({ merchantId, kind, paymentId, ...row }) => {
    const isReleased = merchantId !== null && kind !== null && paymentId !== null;
    return { ...row, releasedTo: isReleased ? { merchantId, kind, paymentId } : null };
  });
}

const IN_ORDER = 'order by provider, reference, direction for update';

/** What was found and not yet posted, locked in the order of names. */
export async function lockUnposted(tx: Tx, provider: string): Promise<readonly Unmatched[]> {
  const where = `provider = $1 and posted_at is null and released_at is null ${IN_ORDER}`;
  return select(tx, where, [provider]);
}

const IS_NAMED = isAmong(names.cells);

/** Those of them that were found and not released, locked in the order of names, after payments and before accounts. */
export async function lockUnreleased(tx: Tx, known: readonly UnmatchedName[]): Promise<readonly Unmatched[]> {
  if (known.length === 0) return [];
  return select(tx, `${IS_NAMED} and released_at is null ${IN_ORDER}`, valuesOf(names.cells, known));
}

/** The same without a lock. */
export async function listUnreleased(tx: Tx, known: readonly UnmatchedName[]): Promise<readonly Unmatched[]> {
  if (known.length === 0) return [];
  return select(tx, `${IS_NAMED} and released_at is null`, valuesOf(names.cells, known));
}

/** Whatever was found under references, at any provider. */
export async function listUnmatchedByReference(
  tx: Tx,
  references: readonly string[],
): Promise<readonly Unmatched[]> {
  return select(tx, 'reference = any($1)', [references]);
}

/** What stands in SUSPENSE and waits for its merchant, the oldest first. */
export async function listStanding(tx: Tx, countMax: number): Promise<readonly Unmatched[]> {
  const where = 'posted_at is not null and released_at is null order by occurred_at, reference limit $1';
  return select(tx, where, [countMax]);
}

/** Whether any payment that an operator made is still to be sent again by its merchant. */
export async function isAnyUnreleased(tx: Tx): Promise<boolean> {
  return isChanged(tx, 'select 1 from unmatched_payments where released_at is null limit 1', []);
}

const approvedLines = columns({ ...names.defs, lineHash: 'bytea' }).cells;

/** From now on what the approved line says counts. */
export async function markApproved(
  tx: Tx,
  approved: readonly (UnmatchedName & { readonly lineHash: Buffer })[],
  now: Date,
): Promise<void> {
  await tx.query(
    `update unmatched_payments f set approved_at = $5, line_hash = a.line_hash
     from ${unnested(approvedLines, 'a')}
     where (f.provider, f.reference, f.direction) = (a.provider, a.reference, a.direction)`,
    [...valuesOf(approvedLines, approved), now],
  );
}

export async function markPosted(tx: Tx, known: readonly UnmatchedName[], now: Date): Promise<void> {
  const text = `update unmatched_payments set posted_at = $4 where ${IS_NAMED}`;
  await tx.query(text, [...valuesOf(names.cells, known), now]);
}

export type Release = UnmatchedName & { readonly to: PaymentKey };

const released = columns({ ...names.defs, ...paymentKeys.defs }).cells;

/** Its payment speaks for itself from now on, and its line is the payment's. The database refuses a second time. */
export async function markReleased(tx: Tx, releases: readonly Release[], now: Date): Promise<void> {
  if (releases.length === 0) return;
  await tx.query(
    `update unmatched_payments f
     set released_at = $7, merchant_id = r.merchant_id, kind = r.kind, payment_id = r.payment_id
     from ${unnested(released, 'r')}
     where (f.provider, f.reference, f.direction) = (r.provider, r.reference, r.direction)`,
    [
      ...valuesOf(
        released,
        releases.map(({ to, ...name }) => ({ ...name, ...to })),
      ),
      now,
    ],
  );
  await tx.query(
    `update operator_report_lines l set merchant_id = f.merchant_id, kind = f.kind, payment_id = f.payment_id
     from unmatched_payments f
     where (f.provider, f.reference, f.direction) in (select * from ${unnested(names.cells)})
       and (l.provider, l.line_hash) = (f.provider, f.line_hash)`,
    valuesOf(names.cells, releases),
  );
}
