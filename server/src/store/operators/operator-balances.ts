// Balances that operators reported in their own time, by the reference they were asked for under.
import { renderAmount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';
import { columns, type Row } from '../columns.ts';

const balances = columns({ amount: 'numeric', reportedAt: 'timestamptz' });

export type ReportedBalance = Row<typeof balances>;

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
  return balances.find(tx, 'from operator_balances where reference = $1', [reference]);
}
