// Payments that have ended, written straight into the tables: for what only counts and adds them up.
import { randomUUID } from 'node:crypto';
import type { PaymentKind } from '../src/domain/payments/payment.ts';
import type { Tx } from '../src/store/database.ts';

export type EndedPayment = {
  readonly merchantId: string;
  readonly finalAt: Date;
  readonly tookMs?: number;
  readonly kind?: PaymentKind;
  readonly provider?: string;
  readonly currency?: string;
  readonly amount?: string;
  readonly fee?: string;
  /** Null: it COMPLETED. */
  readonly failureCode?: string | null;
};

export async function insertEnded(tx: Tx, payment: EndedPayment): Promise<string> {
  const { merchantId, finalAt, tookMs = 1_500, kind = 'DEPOSIT', amount = '100' } = payment;
  const { provider = 'MTN_MOMO_RWA', currency = 'RWF', failureCode = null, fee = '0' } = payment;
  const paymentId = randomUUID();
  const createdAt = new Date(finalAt.getTime() - tookMs);
  await tx.query(
    `insert into payment_keys (merchant_id, kind, payment_id, created_at, payment_no, fingerprint)
     values ($1, $2, $3, $4, $3, '\\x00')`,
    [merchantId, kind, paymentId, createdAt],
  );
  await tx.query(
    `insert into payments (merchant_id, kind, payment_id, payment_no, api_version, state, amount, amount_text, fee,
       currency, country, provider, connector, encrypted_details, created_at, final_at, failure_code, deposit_id)
     values ($1, $2, $3, $3, 'v2', $4, $5::text::numeric, $5::text, $12::numeric, $6, 'RWA', $7, 'simulator',
       '\\x00', $8, $9, $10, $11)`,
    [
      merchantId,
      kind,
      paymentId,
      failureCode === null ? 'COMPLETED' : 'FAILED',
      amount,
      currency,
      provider,
      createdAt,
      finalAt,
      failureCode,
      kind === 'REFUND' ? randomUUID() : null,
      fee,
    ],
  );
  return paymentId;
}
