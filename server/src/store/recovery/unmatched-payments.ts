// Payments that operators made in time that was lost, as lines of their reports say. Each line has a row of its own.
// While any row of a payment is live, the payment is not sent; its money is in the books once one of them is approved.
// Nothing here names a person.
import type { PaymentKey } from '../../domain/payments/payment.ts';
import type { Direction } from '../../domain/ledger/postings.ts';
import type { Tx } from '../database.ts';
import { column, columns, type Row } from '../columns.ts';
import { isAmong, isChanged, paymentKeys, rowInserter, unnested, valuesOf } from '../rows.ts';

/** By what a payment is known to its operator and to anyone who can derive its reference. */
export const names = columns({ provider: 'text', reference: 'text', direction: column<Direction>('text') });
export type UnmatchedName = Row<typeof names>;

const found = columns({
  unmatchedId: 'uuid',
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
  /** Whether its line needed no approval, or has one. */
  isApproved: column<boolean>('bool', 'approved_at is not null'),
  merchantId: 'uuid null',
  kind: 'payment_kind null',
  paymentId: 'uuid null',
});

export type Unmatched = Omit<Row<typeof unmatched>, keyof PaymentKey> & {
  /** The payment that has replaced it; null while no one has sent it again. */
  readonly releasedTo: PaymentKey | null;
};

/** A line that has a row already gets no second one. */
export const insertUnmatched = rowInserter(
  'unmatched_payments',
  columns({ ...found.defs, foundAt: 'timestamptz' }).cells,
  'on conflict (provider, line_hash) where withdrawn_at is null do nothing',
);

async function select(tx: Tx, where: string, values: readonly unknown[]): Promise<readonly Unmatched[]> {
  const rows = await unmatched.select(tx, `from unmatched_payments where ${where}`, values);
  return rows.map(({ merchantId, kind, paymentId, ...row }) => {
    const isReleased = merchantId !== null && kind !== null && paymentId !== null;
    return { ...row, releasedTo: isReleased ? { merchantId, kind, paymentId } : null };
  });
}

/** Its line counts, its payment is not in the books yet, and nobody has decided whose its money is. */
export const IS_LIVE = 'released_at is null and withdrawn_at is null and decided_at is null';

/** The row that was approved comes before those that only propose the same, and the posted one before all. */
const BEST_FIRST = 'posted_at is null, approved_at is null, found_at, unmatched_id';
const IN_ORDER = `order by provider, reference, direction, ${BEST_FIRST} for update`;

const IS_NAMED = isAmong(names.cells);

/**
 * Of a row `u`: it was approved, and the money of its payment is in no books: neither posted here nor the payment's.
 * Counted, because EXISTS can be planned as one reading of all payments.
 */
export const IS_UNPOSTED = `u.approved_at is not null and u.posted_at is null and u.released_at is null
  and u.withdrawn_at is null and u.decided_at is null
  and (select count(*) from payment_attempts a where a.reference = u.reference) = 0
  and (select count(*) from unmatched_payments p where p.posted_at is not null and p.withdrawn_at is null
    and p.provider = u.provider and p.reference = u.reference and p.direction = u.direction) = 0`;

/** The names of a provider's payments that were approved and could not be posted so far. */
export async function listUnposted(tx: Tx, provider: string): Promise<readonly UnmatchedName[]> {
  return names.query(
    tx,
    `select distinct ${names.namesIn('u')} from unmatched_payments u where u.provider = $1 and ${IS_UNPOSTED}`,
    [provider],
  );
}

/** Live rows of these names, locked in the order of names: after payments and before accounts. */
export async function lockUnreleased(tx: Tx, known: readonly UnmatchedName[]): Promise<readonly Unmatched[]> {
  if (known.length === 0) return [];
  return select(tx, `${IS_NAMED} and ${IS_LIVE} ${IN_ORDER}`, valuesOf(names.cells, known));
}

/** The same without a lock. Of each name, what was approved comes first. */
export async function listUnreleased(tx: Tx, known: readonly UnmatchedName[]): Promise<readonly Unmatched[]> {
  if (known.length === 0) return [];
  return select(tx, `${IS_NAMED} and ${IS_LIVE} order by ${BEST_FIRST}`, valuesOf(names.cells, known));
}

/** One row for each name that lines give under these references, at any provider. */
export async function listUnmatchedByReference(
  tx: Tx,
  references: readonly string[],
): Promise<readonly Unmatched[]> {
  return firstOfEach(
    await select(tx, `reference = any($1) and withdrawn_at is null order by ${BEST_FIRST}`, [references]),
  );
}

/** Payments that no merchant has sent again, one row of each name, the oldest first. */
export async function listStanding(tx: Tx, countMax: number): Promise<readonly Unmatched[]> {
  return select(
    tx,
    `unmatched_id in (select distinct on (provider, reference, direction) unmatched_id
       from unmatched_payments where ${IS_LIVE} order by provider, reference, direction, ${BEST_FIRST})
     order by occurred_at, reference limit $1`,
    [countMax],
  );
}

function firstOfEach(rows: readonly Unmatched[]): readonly Unmatched[] {
  const nameOf = ({ provider, reference, direction }: Unmatched) => `${provider}/${reference}/${direction}`;
  return [...Map.groupBy(rows, nameOf).values()].flatMap(([first]) => first ?? []);
}

/** Whether any payment that an operator made, as lines say, is still to be sent again by its merchant. */
export async function isAnyUnreleased(tx: Tx): Promise<boolean> {
  return isChanged(tx, `select 1 from unmatched_payments where ${IS_LIVE} limit 1`, []);
}

/** From now on what these lines say counts. Those that were approved before stay as they are. */
export async function markApproved(tx: Tx, unmatchedIds: readonly string[], now: Date): Promise<void> {
  await tx.query(
    'update unmatched_payments set approved_at = $2 where unmatched_id = any($1::uuid[]) and approved_at is null',
    [unmatchedIds, now],
  );
}

export async function markPosted(tx: Tx, unmatchedIds: readonly string[], now: Date): Promise<void> {
  await tx.query('update unmatched_payments set posted_at = $2 where unmatched_id = any($1::uuid[])', [
    unmatchedIds,
    now,
  ]);
}

/** What lines of this report said of lost payments, and nobody approved, counts for nothing any more. */
export async function withdrawUnapproved(
  tx: Tx,
  { provider, reportId }: { readonly provider: string; readonly reportId: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `update unmatched_payments u set withdrawn_at = $3
     from operator_report_lines l
     where l.provider = $1 and l.report_id = $2 and l.finding = 'TO_APPROVE' and l.effect = 'LOST_PAYMENT'
       and (u.provider, u.line_hash) = (l.provider, l.line_hash)
       and u.approved_at is null and u.released_at is null and u.withdrawn_at is null and u.decided_at is null`,
    [provider, reportId, now],
  );
}

/** What voided lines said of lost payments, and nobody approved, counts for nothing any more. */
export async function withdrawVoided(
  tx: Tx,
  { provider, lineHashes }: { readonly provider: string; readonly lineHashes: readonly Buffer[] },
  now: Date,
): Promise<void> {
  if (lineHashes.length === 0) return;
  await tx.query(
    `update unmatched_payments set withdrawn_at = $3
     where provider = $1 and line_hash = any($2) and approved_at is null and released_at is null
       and withdrawn_at is null and decided_at is null`,
    [provider, lineHashes, now],
  );
}

/** The same of single rows. */
export async function markWithdrawn(tx: Tx, unmatchedIds: readonly string[], now: Date): Promise<void> {
  await tx.query('update unmatched_payments set withdrawn_at = $2 where unmatched_id = any($1::uuid[])', [
    unmatchedIds,
    now,
  ]);
}

/** Two people decided whose the money of this name is: its lines keep no merchant from moving any more. */
export async function markDecided(tx: Tx, name: UnmatchedName, now: Date): Promise<void> {
  await tx.query(
    `update unmatched_payments set decided_at = $4
     where provider = $1 and reference = $2 and direction = $3 and ${IS_LIVE}`,
    [name.provider, name.reference, name.direction, now],
  );
}

export type Release = UnmatchedName & { readonly to: PaymentKey };

const released = columns({ ...names.defs, ...paymentKeys.defs }).cells;

/**
 * These payments speak for themselves from now on, and the lines about them are the payments'. Releases every live row
 * of each name. The database refuses a second time.
 */
export async function markReleased(tx: Tx, releases: readonly Release[], now: Date): Promise<void> {
  if (releases.length === 0) return;
  await tx.query(
    `update unmatched_payments f
     set released_at = $7, merchant_id = r.merchant_id, kind = r.kind, payment_id = r.payment_id
     from ${unnested(released, 'r')}
     where (f.provider, f.reference, f.direction) = (r.provider, r.reference, r.direction) and ${IS_LIVE}`,
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
       and f.released_at is not null and (l.provider, l.line_hash) = (f.provider, f.line_hash)`,
    valuesOf(names.cells, releases),
  );
}
