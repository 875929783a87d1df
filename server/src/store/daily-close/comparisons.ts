// What comparing both sides of a day came to. It can always be computed again: any row may go at any time.
import { parseSigned, renderAmount, type Amount } from '../../domain/money.ts';
import type { PaymentKey, PaymentKind } from '../../domain/payments/payment.ts';
import type { Movement } from '../../domain/reconciliation/daily-close.ts';
import { column, columns } from '../columns.ts';
import type { Tx } from '../database.ts';
import { oneRowInserter } from '../rows.ts';
import type { AccountName } from './report-lines.ts';

type DayName = AccountName & { readonly day: string };

/** What is kept. `payments` are those that differ, `others` the movements that are not about payments. */
export type KeptComparison = {
  readonly sums: Readonly<Record<(typeof SUMS)[number], Amount> & Record<(typeof COUNTS)[number], number>>;
  readonly rest: {
    readonly amount: Amount;
    readonly bookCount: number;
    readonly lineCount: number;
    readonly differenceCount: number;
  };
  readonly payments: readonly PaymentKey[];
  readonly others: readonly Movement[];
};

const SUMS = ['received', 'sent', 'reportReceived', 'reportSent'] as const;
const COUNTS = ['movementCount', 'lineCount'] as const;

/** As it is in the row: amounts and times are texts. */
type Written = {
  readonly sums: Readonly<Record<string, string | number>>;
  readonly rest: Omit<KeptComparison['rest'], 'amount'> & { readonly amount: string };
  readonly payments: readonly (readonly [merchantId: string, kind: PaymentKind, paymentId: string])[];
  readonly others: readonly (Omit<Movement, 'amount' | 'at'> & {
    readonly amount: string;
    readonly at: string;
  })[];
};

const comparisons = columns({
  provider: 'text',
  currency: 'text',
  day: 'text',
  basis: 'text',
  result: column<Written>('jsonb'),
  comparedAt: 'timestamptz',
});

const putRow = oneRowInserter(
  'day_comparisons',
  comparisons.cells,
  `on conflict (provider, currency, day) do update
   set basis = excluded.basis, result = excluded.result, compared_at = excluded.compared_at`,
);

/** Replaces what was kept of the day. `basis`: a digest of all that was compared. */
export async function keepComparison(
  tx: Tx,
  kept: DayName & KeptComparison & { readonly basis: string; readonly comparedAt: Date },
): Promise<void> {
  const { provider, currency, day, basis, comparedAt, sums, rest, payments, others } = kept;
  await putRow(tx, {
    provider,
    currency,
    day,
    basis,
    comparedAt,
    result: {
      sums: {
        ...Object.fromEntries(SUMS.map((name) => [name, renderAmount(sums[name])])),
        ...Object.fromEntries(COUNTS.map((name) => [name, sums[name]])),
      },
      rest: { ...rest, amount: renderAmount(rest.amount) },
      payments: payments.map(({ merchantId, kind, paymentId }) => [merchantId, kind, paymentId] as const),
      others: others.map((one) => ({ ...one, amount: renderAmount(one.amount), at: one.at.toISOString() })),
    },
  });
}

/**
 * Null where nothing was kept of the day, or something that was compared with another `basis`. That is used only where
 * it was kept after `keptSince`, which is given for days that cannot be signed.
 */
export async function findComparison(
  tx: Tx,
  {
    provider,
    currency,
    day,
    basis,
    keptSince,
  }: DayName & { readonly basis: string; readonly keptSince: Date | null },
): Promise<KeptComparison | null> {
  const found = await comparisons.find(
    tx,
    `from day_comparisons where provider = $1 and currency = $2 and day = $3
       and (basis = $4 or compared_at > $5)`,
    [provider, currency, day, basis, keptSince],
  );
  if (found === null) return null;
  const { sums, rest, payments, others } = found.result;
  const amountOf = (name: string) => parseSigned(String(sums[name]));
  return {
    sums: {
      received: amountOf('received'),
      sent: amountOf('sent'),
      reportReceived: amountOf('reportReceived'),
      reportSent: amountOf('reportSent'),
      movementCount: Number(sums['movementCount']),
      lineCount: Number(sums['lineCount']),
    },
    rest: { ...rest, amount: parseSigned(rest.amount) },
    payments: payments.map(([merchantId, kind, paymentId]) => ({ merchantId, kind, paymentId })),
    others: others.map((one) => ({ ...one, amount: parseSigned(one.amount), at: new Date(one.at) })),
  };
}

/** A signed day is not compared again. */
export async function forgetComparison(tx: Tx, { provider, currency, day }: DayName): Promise<void> {
  await tx.query('delete from day_comparisons where provider = $1 and currency = $2 and day = $3', [
    provider,
    currency,
    day,
  ]);
}

const LOCK = `hashtextextended('day_comparisons/' || $1 || '/' || $2, 0)`;

/** Until the transaction ends no other one compares a day of the account. Answers false where one does. */
export async function takeComparing(tx: Tx, { provider, currency }: AccountName): Promise<boolean> {
  const { rows } = await tx.query<{ taken: boolean }>(`select pg_try_advisory_xact_lock(${LOCK}) as taken`, [
    provider,
    currency,
  ]);
  return rows[0]?.taken === true;
}

/** Whether a day of the account is being compared. */
export async function isComparing(tx: Tx, account: AccountName): Promise<boolean> {
  return !(await takeComparing(tx, account));
}
