// Split payments as rows. Their state is that of their parts and is not stored twice.
import type { ApiVersion, PaymentDetails, PaymentKey, PaymentState } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import type { Keyring } from '../encryption/encryption.ts';

/** A part as accepted: the payout it becomes when the money is there. */
export type SplitPart = {
  readonly payoutId: string;
  readonly writtenId: string;
  readonly amountText: string;
  readonly feeText: string;
  readonly country: string;
  readonly provider: string;
  readonly connector: string;
  readonly details: PaymentDetails;
};

export type SplitPayment = {
  readonly merchantId: string;
  readonly splitPaymentId: string;
  readonly writtenId: string;
  readonly apiVersion: ApiVersion;
  readonly createdAt: Date;
  readonly parts: readonly SplitPart[];
  readonly isAnnounced: boolean;
};

export async function insertSplitPayment(
  tx: Tx,
  keyring: Keyring,
  split: Omit<SplitPayment, 'isAnnounced'>,
): Promise<void> {
  const encrypted = keyring.encrypt(identityOf(split), JSON.stringify(split.parts));
  await tx.query(
    `insert into split_payments (merchant_id, split_payment_id, written_id, api_version, created_at, encrypted_parts)
     values ($1, $2, $3, $4, $5, $6)`,
    [split.merchantId, split.splitPaymentId, split.writtenId, split.apiVersion, split.createdAt, encrypted],
  );
}

export type SplitKey = Pick<SplitPayment, 'merchantId' | 'splitPaymentId'>;

export async function findSplitPayment(
  tx: Tx,
  keyring: Keyring,
  key: SplitKey,
): Promise<SplitPayment | null> {
  return selectSplitPayment(tx, keyring, key, '');
}

/** Locked after payments and wallets. */
export async function lockSplitPayment(
  tx: Tx,
  keyring: Keyring,
  key: SplitKey,
): Promise<SplitPayment | null> {
  return selectSplitPayment(tx, keyring, key, 'for update');
}

export async function markSplitAnnounced(tx: Tx, key: SplitKey, now: Date): Promise<void> {
  await tx.query(
    'update split_payments set announced_at = $3 where merchant_id = $1 and split_payment_id = $2',
    [key.merchantId, key.splitPaymentId, now],
  );
}

/** Of a split payment whose lock is held. */
export async function replaceSplitParts(
  tx: Tx,
  keyring: Keyring,
  { parts, ...key }: SplitKey & { readonly parts: readonly SplitPart[] },
): Promise<void> {
  await tx.query(
    'update split_payments set encrypted_parts = $3 where merchant_id = $1 and split_payment_id = $2',
    [key.merchantId, key.splitPaymentId, keyring.encrypt(identityOf(key), JSON.stringify(parts))],
  );
}

/** The states of the payments a split consists of so far. */
export async function listSplitStates(
  tx: Tx,
  key: SplitKey,
): Promise<
  readonly { readonly kind: PaymentKey['kind']; readonly paymentId: string; readonly state: PaymentState }[]
> {
  const { rows } = await tx.query<{ kind: PaymentKey['kind']; payment_id: string; state: PaymentState }>(
    'select kind, payment_id, state from payments where merchant_id = $1 and split_payment_id = $2',
    [key.merchantId, key.splitPaymentId],
  );
  return rows.map((row) => ({ kind: row.kind, paymentId: row.payment_id, state: row.state }));
}

async function selectSplitPayment(
  tx: Tx,
  keyring: Keyring,
  key: SplitKey,
  suffix: string,
): Promise<SplitPayment | null> {
  const { rows } = await tx.query<{
    written_id: string;
    api_version: ApiVersion;
    created_at: Date;
    encrypted_parts: Buffer;
    announced_at: Date | null;
  }>(
    `select written_id, api_version, created_at, encrypted_parts, announced_at from split_payments
     where merchant_id = $1 and split_payment_id = $2 ${suffix}`,
    [key.merchantId, key.splitPaymentId],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    ...key,
    writtenId: row.written_id,
    apiVersion: row.api_version,
    createdAt: row.created_at,
    parts: JSON.parse(keyring.open(identityOf(key), row.encrypted_parts).toString()) as SplitPart[],
    isAnnounced: row.announced_at !== null,
  };
}

function identityOf({ merchantId, splitPaymentId }: SplitKey) {
  return { merchantId, row: `split_payments/${splitPaymentId}` };
}
