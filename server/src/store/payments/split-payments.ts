// Split payments as rows. Their state is that of their parts and is not stored twice.
import type { ApiVersion, PaymentDetails } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { oneRowInserter } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';
import { packCounters } from '../limits/limit-counters.ts';

/** A part as accepted: the payout it becomes when the money is there. */
export type SplitPart = {
  readonly payoutId: string;
  /** The number its payout gets. */
  readonly paymentNo: string;
  readonly writtenId: string;
  readonly amountText: string;
  readonly feeText: string;
  readonly country: string;
  readonly provider: string;
  readonly connector: string;
  readonly details: PaymentDetails;
  /** The counters of limits that it counts in since the split payment was accepted. */
  readonly countedIn?: readonly string[];
};

const splits = columns({
  merchantId: 'uuid',
  splitPaymentId: 'uuid',
  writtenId: 'text',
  apiVersion: column<ApiVersion>('text'),
  createdAt: 'timestamptz',
  encryptedParts: 'bytea',
});
const newSplits = columns({ ...splits.defs, countedIn: 'bytea?' });
const storedSplits = columns({
  ...splits.defs,
  isAnnounced: column<boolean>('bool', 'announced_at is not null'),
});

export type SplitPayment = Omit<Row<typeof storedSplits>, 'encryptedParts'> & {
  readonly parts: readonly SplitPart[];
};

const insertEncrypted = oneRowInserter('split_payments', newSplits.cells);

export async function insertSplitPayment(
  tx: Tx,
  keyring: Keyring,
  split: Omit<SplitPayment, 'isAnnounced'>,
): Promise<void> {
  const counted = [...new Set(split.parts.flatMap(({ countedIn = [] }) => countedIn))];
  await insertEncrypted(tx, {
    ...split,
    encryptedParts: encryptParts(keyring, split),
    ...(counted.length > 0 && { countedIn: packCounters(counted) }),
  });
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
  split: Pick<SplitPayment, keyof SplitKey | 'parts'>,
): Promise<void> {
  await tx.query(
    'update split_payments set encrypted_parts = $3 where merchant_id = $1 and split_payment_id = $2',
    [split.merchantId, split.splitPaymentId, encryptParts(keyring, split)],
  );
}

const states = columns({ kind: 'payment_kind', paymentId: 'uuid', state: 'payment_state' });

/** The states of the payments a split consists of so far. */
export async function listSplitStates(tx: Tx, key: SplitKey): Promise<readonly Row<typeof states>[]> {
  const tail = 'from payments where merchant_id = $1 and split_payment_id = $2';
  return states.select(tx, tail, [key.merchantId, key.splitPaymentId]);
}

async function selectSplitPayment(
  tx: Tx,
  keyring: Keyring,
  key: SplitKey,
  suffix: string,
): Promise<SplitPayment | null> {
  const tail = `from split_payments where merchant_id = $1 and split_payment_id = $2 ${suffix}`;
  const found = await storedSplits.find(tx, tail, [key.merchantId, key.splitPaymentId]);
  if (found === null) return null;
  const { encryptedParts, ...split } = found;
  return {
    ...split,
    parts: keyring.openJson(identityOf(key), encryptedParts) as SplitPart[],
  };
}

function encryptParts(keyring: Keyring, split: Pick<SplitPayment, keyof SplitKey | 'parts'>): Buffer {
  return keyring.encrypt(identityOf(split), JSON.stringify(split.parts));
}

function identityOf({ merchantId, splitPaymentId }: SplitKey) {
  return { merchantId, row: `split_payments/${splitPaymentId}` };
}
