// Balances that operators told in their own time, by the reference they were asked for under.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric } from '../columns.ts';

export type ReportedBalance = { readonly amount: Amount; readonly reportedAt: Date };

/** The newest counts, in whichever order they are applied. */
export async function keepBalance(
  tx: Tx,
  { reference, amount, reportedAt }: ReportedBalance & { readonly reference: string },
): Promise<void> {
  await tx.query(
    `insert into operator_balances as kept (reference, amount, reported_at) values ($1, $2, $3)
     on conflict (reference) do update set amount = excluded.amount, reported_at = excluded.reported_at
     where kept.reported_at <= excluded.reported_at`,
    [reference, renderAmount(amount), reportedAt],
  );
}

export async function findBalance(tx: Tx, reference: string): Promise<ReportedBalance | null> {
  const { rows } = await tx.query<{ amount: string; reported_at: Date }>(
    'select amount, reported_at from operator_balances where reference = $1',
    [reference],
  );
  const row = rows[0];
  return row === undefined ? null : { amount: amountOfNumeric(row.amount), reportedAt: row.reported_at };
}
