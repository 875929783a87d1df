// Payments that operators made in time that was lost, as their statements tell them: what of each stands in the books
// in its place until it is known again. Nothing here names a person.
import { renderAmount } from '../../domain/money.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import type { Direction, Moved } from '../../domain/ledger/postings.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric, type Column } from '../columns.ts';
import { rowInserter, unnested, valuesOf } from '../rows.ts';

/** By what a payment is known to its operator and to anyone who can derive its reference. */
export type UnmatchedName = {
  readonly provider: string;
  readonly reference: string;
  readonly direction: Direction;
};

export type Unmatched = UnmatchedName &
  Moved & {
    /** The line of a statement that says so. */
    readonly lineHash: Buffer;
    readonly occurredAt: Date;
    /** Whether its money went into SUSPENSE. */
    readonly isPosted: boolean;
    /** The payment that has taken its place; null while no one has sent it again. */
    readonly releasedTo: PaymentKey | null;
  };

type UnmatchedRow = UnmatchedName & {
  lineHash: Buffer;
  country: string;
  currency: string;
  amount: string;
  occurredAt: Date;
  isPosted: boolean;
  merchantId: string | null;
  kind: PaymentKey['kind'] | null;
  paymentId: string | null;
};

const SELECTED = `provider, reference, direction, line_hash as "lineHash", country, currency, amount,
  occurred_at as "occurredAt", posted_at is not null as "isPosted", merchant_id as "merchantId", kind,
  payment_id as "paymentId"`;

const nameColumns: readonly Column<UnmatchedName>[] = [
  ['provider', 'text', (one) => one.provider],
  ['reference', 'text', (one) => one.reference],
  ['direction', 'text', (one) => one.direction],
];

type NewUnmatched = Omit<Unmatched, 'isPosted' | 'releasedTo'> & { readonly foundAt: Date };

/** A line that says the same of a payment in other words adds nothing. */
export const insertUnmatched = rowInserter<NewUnmatched>(
  'unmatched_payments',
  [
    ...nameColumns,
    ['line_hash', 'bytea', (one) => one.lineHash],
    ['country', 'text', (one) => one.country],
    ['currency', 'text', (one) => one.currency],
    ['amount', 'numeric', (one) => renderAmount(one.amount)],
    ['occurred_at', 'timestamptz', (one) => one.occurredAt],
    ['found_at', 'timestamptz', (one) => one.foundAt],
  ],
  'on conflict do nothing',
);

const IN_ORDER = 'order by provider, reference, direction for update';

/** What was found and not yet posted, locked in the order of names. */
export async function lockUnposted(tx: Tx, provider: string): Promise<readonly Unmatched[]> {
  const { rows } = await tx.query<UnmatchedRow>(
    `select ${SELECTED} from unmatched_payments
     where provider = $1 and posted_at is null and released_at is null ${IN_ORDER}`,
    [provider],
  );
  return rows.map(unmatchedOf);
}

/** Those of them that were found and not released, locked in the order of names, after payments and before accounts. */
export async function lockUnreleased(tx: Tx, names: readonly UnmatchedName[]): Promise<readonly Unmatched[]> {
  if (names.length === 0) return [];
  const { rows } = await tx.query<UnmatchedRow>(
    `select ${SELECTED} from unmatched_payments
     where (provider, reference, direction) in (select * from ${unnested(nameColumns)}) and released_at is null
     ${IN_ORDER}`,
    valuesOf(nameColumns, names),
  );
  return rows.map(unmatchedOf);
}

/** The same without a lock. */
export async function listUnreleased(tx: Tx, names: readonly UnmatchedName[]): Promise<readonly Unmatched[]> {
  if (names.length === 0) return [];
  const { rows } = await tx.query<UnmatchedRow>(
    `select ${SELECTED} from unmatched_payments
     where (provider, reference, direction) in (select * from ${unnested(nameColumns)}) and released_at is null`,
    valuesOf(nameColumns, names),
  );
  return rows.map(unmatchedOf);
}

/** Whatever was found under references, at any provider. */
export async function listUnmatchedByReference(
  tx: Tx,
  references: readonly string[],
): Promise<readonly Unmatched[]> {
  const { rows } = await tx.query<UnmatchedRow>(
    `select ${SELECTED} from unmatched_payments where reference = any($1)`,
    [references],
  );
  return rows.map(unmatchedOf);
}

/** What stands in SUSPENSE and waits for its merchant, the oldest first. */
export async function listStanding(tx: Tx, countMax: number): Promise<readonly Unmatched[]> {
  const { rows } = await tx.query<UnmatchedRow>(
    `select ${SELECTED} from unmatched_payments where posted_at is not null and released_at is null
     order by occurred_at, reference limit $1`,
    [countMax],
  );
  return rows.map(unmatchedOf);
}

export async function markPosted(tx: Tx, names: readonly UnmatchedName[], now: Date): Promise<void> {
  await tx.query(
    `update unmatched_payments set posted_at = $4
     where (provider, reference, direction) in (select * from ${unnested(nameColumns)})`,
    [...valuesOf(nameColumns, names), now],
  );
}

export type Release = UnmatchedName & { readonly to: PaymentKey };

/** Its payment speaks for itself from now on, and its line is the payment's. The database refuses a second time. */
export async function markReleased(tx: Tx, releases: readonly Release[], now: Date): Promise<void> {
  if (releases.length === 0) return;
  const columns: readonly Column<Release>[] = [
    ...nameColumns,
    ['merchant_id', 'uuid', ({ to }) => to.merchantId],
    ['kind', 'payment_kind', ({ to }) => to.kind],
    ['payment_id', 'uuid', ({ to }) => to.paymentId],
  ];
  await tx.query(
    `update unmatched_payments f
     set released_at = $7, merchant_id = r.merchant_id, kind = r.kind, payment_id = r.payment_id
     from ${unnested(columns)} as r (provider, reference, direction, merchant_id, kind, payment_id)
     where (f.provider, f.reference, f.direction) = (r.provider, r.reference, r.direction)`,
    [...valuesOf(columns, releases), now],
  );
  await tx.query(
    `update operator_statement_lines l set merchant_id = f.merchant_id, kind = f.kind, payment_id = f.payment_id
     from unmatched_payments f
     where (f.provider, f.reference, f.direction) in (select * from ${unnested(nameColumns)})
       and (l.provider, l.line_hash) = (f.provider, f.line_hash)`,
    valuesOf(nameColumns, releases),
  );
}

function unmatchedOf({ amount, merchantId, kind, paymentId, ...row }: UnmatchedRow): Unmatched {
  const isReleased = merchantId !== null && kind !== null && paymentId !== null;
  return {
    ...row,
    amount: amountOfNumeric(amount),
    releasedTo: isReleased ? { merchantId, kind, paymentId } : null,
  };
}
