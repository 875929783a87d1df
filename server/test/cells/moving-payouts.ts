// Payouts of a merchant that moves, made without workers.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { listPayments } from '../../src/store/payments/payments.ts';
import type { TestCell } from '../two-cells.ts';

export async function addPayout(
  { engine }: TestCell,
  merchantId: string,
  kind: 'PAYOUT' | 'DEPOSIT' = 'PAYOUT',
): Promise<PaymentKey> {
  const paymentId = randomUUID();
  const [answer] = await initiate(engine, [
    {
      paymentNo: randomUUID(),
      merchant: (await engine.directory.merchant(merchantId))!,
      apiVersion: 'v2',
      writtenId: paymentId,
      kind,
      amount: 1_000_000n,
      amountText: '100',
      currency: 'RWF',
      provider: 'MTN_MOMO_RWA',
      details: { phoneNumber: '250783456789' },
    },
  ]);
  expect(answer!.type).toBe('ACCEPTED');
  return { merchantId, kind, paymentId };
}

export async function endPayout(cell: TestCell, key: PaymentKey): Promise<void> {
  // Where it was claimed before, this does nothing.
  await advance(cell.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
  await advance(cell.engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
  expect(await stateOf(cell, key)).toBe('COMPLETED');
}

export async function stateOf({ engine }: TestCell, key: PaymentKey): Promise<string | undefined> {
  const [payment] = await listPayments(engine.store.database, engine.store.keyring, [key]);
  return payment?.state;
}
