// Operators' transactions of a merchant's payments that another payment of the new cell has. They are not copied,
// because a transaction belongs to one payment in each cell.
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import {
  CLAIM_COLUMNS,
  listTransactionClaims,
  transactionName,
  type TransactionClaim,
} from '../../payments/attempts.ts';
import { PAYMENT_TABLES } from './copied-tables.ts';
import { KEYS, keyValues, type CopiedOf, type CopyTools } from './copy-rows.ts';

export type TakenTransaction = { readonly copied: TransactionClaim; readonly there: TransactionClaim };

/** Call it when the payments were copied: whatever could be copied is the merchant's own there by then. */
export async function listTakenTransactions(
  { from, to }: Pick<CopyTools, 'from' | 'to'>,
  of: CopiedOf,
): Promise<readonly TakenTransaction[]> {
  const copied = await CLAIM_COLUMNS.query(
    from,
    `${KEYS} select ${CLAIM_COLUMNS.namesIn('t')} from provider_transactions t where ${CLAIMS_OF_PAYMENTS}`,
    keyValues(of),
  );
  const there = await listTransactionClaims(to, copied);
  const byName = new Map(there.map((claim) => [transactionName(claim), claim]));
  return copied.flatMap((claim) => {
    const other = byName.get(transactionName(claim));
    const isTaken = other !== undefined && paymentKeyText(other) !== paymentKeyText(claim);
    return isTaken ? [{ copied: claim, there: other }] : [];
  });
}

const CLAIMS_OF_PAYMENTS =
  PAYMENT_TABLES.find(({ table }) => table === 'provider_transactions')?.where ?? 'false';
