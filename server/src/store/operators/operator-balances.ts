// Balances that operators told in their own time, by the reference they were asked for under.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric } from '../rows.ts';

export type ToldBalance = { readonly amount: Amount; readonly toldAt: Date };

/** The newest counts, in whichever order they are applied. */
export async function keepBalance(
  tx: Tx,
  { reference, amount, toldAt }: ToldBalance & { readonly reference: string },
): Promise<void> {
  await tx.query(
    `insert into operator_balances as kept (reference, amount, told_at) values ($1, $2, $3)
     on conflict (reference) do update set amount = excluded.amount, told_at = excluded.told_at
     where kept.told_at <= excluded.told_at`,
    [reference, renderAmount(amount), toldAt],
  );
}

export async function findBalance(tx: Tx, reference: string): Promise<ToldBalance | null> {
  const { rows } = await tx.query<{ amount: string; told_at: Date }>(
    'select amount, told_at from operator_balances where reference = $1',
    [reference],
  );
  const row = rows[0];
  return row === undefined ? null : { amount: amountOfNumeric(row.amount), toldAt: row.told_at };
}
