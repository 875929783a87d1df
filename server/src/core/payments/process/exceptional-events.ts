// Events that become others because of what the database knows beside the payment: an operator's transaction that is
// not the payment's alone, and a wallet that does not cover what it owes.
import type { PaymentEvent } from '../../../domain/payments/lifecycle.ts';
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import type { Tx } from '../../../store/database.ts';
import { listOwing } from '../../../store/payments/owing-payments.ts';
import type { Advance } from './advance.ts';
import type { Change } from './decide.ts';
import { findConflictingTransactions, type Conflicts } from './conflicting-transactions.ts';

export async function findExceptions(
  tx: Tx,
  advances: readonly Advance[],
  changes: ReadonlyMap<string, Change>,
  now: Date,
): Promise<Conflicts<Advance>> {
  const payments = new Map([...changes].map(([name, { payment }]) => [name, payment]));
  const { instead, beside } = await findConflictingTransactions(tx, advances, { payments, now });
  return { instead: new Map([...instead, ...(await findOwing(tx, advances))]), beside };
}

/** Whatever leaves waits while its wallet has less than must stay in it. A deposit brings money. */
const WALLET_OWES: PaymentEvent = { type: 'PROVIDER_DELAYED', because: 'WALLET_OWES' };

async function findOwing(
  tx: Tx,
  advances: readonly Advance[],
): Promise<readonly (readonly [Advance, PaymentEvent])[]> {
  const claims = advances.filter(
    ({ key, event }) => event.type === 'SUBMIT_CLAIMED' && key.kind !== 'DEPOSIT',
  );
  const owing = await listOwing(
    tx,
    claims.map(({ key }) => key),
  );
  return claims.flatMap((claim) =>
    owing.has(paymentKeyText(claim.key)) ? [[claim, WALLET_OWES] as const] : [],
  );
}
