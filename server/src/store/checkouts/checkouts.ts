// Checkouts as rows. Their attempts are deposits that name them; only one of those can be in progress or have
// succeeded.
import type { CheckoutStatus, ReturnMethod } from '../../domain/checkouts/checkout.ts';
import type { PageOrder } from '../../domain/checkouts/page-terms.ts';
import type { ApiVersion, PaymentKey, PaymentState } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import type { Column } from '../columns.ts';
import { unnested, valuesOf } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

/** What a checkout was made for. The code is the last part of its address, and so a secret of the payer's. */
export type CheckoutOrder = PageOrder & {
  readonly code: string;
  readonly redirectUrl: string;
  readonly returnMethod: ReturnMethod;
  readonly expiresAfterMinutes: number;
};

export type CheckoutKey = { readonly merchantId: string; readonly checkoutId: string };

export type Checkout = CheckoutKey & {
  readonly writtenId: string;
  readonly apiVersion: ApiVersion;
  readonly status: CheckoutStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
};

export type EncryptedCheckout = Checkout & { readonly encryptedOrder: Buffer };

type CheckoutRow = {
  merchant_id: string;
  checkout_id: string;
  written_id: string;
  api_version: ApiVersion;
  status: CheckoutStatus;
  encrypted_order: Buffer;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
};

const SELECTED =
  'merchant_id, checkout_id, written_id, api_version, status, encrypted_order, created_at, expires_at, ended_at';

const keyColumns: readonly Column<CheckoutKey>[] = [
  ['merchant_id', 'uuid', (key) => key.merchantId],
  ['checkout_id', 'uuid', (key) => key.checkoutId],
];

export async function insertCheckout(
  tx: Tx,
  keyring: Keyring,
  checkout: Omit<Checkout, 'status' | 'endedAt'> & {
    readonly codeHash: Buffer;
    readonly order: CheckoutOrder;
  },
): Promise<void> {
  await tx.query(
    `insert into checkouts (merchant_id, checkout_id, written_id, api_version, code_hash, status, encrypted_order,
       created_at, expires_at)
     values ($1, $2, $3, $4, $5, 'WAITING_PAYMENT', $6, $7, $8)`,
    [
      checkout.merchantId,
      checkout.checkoutId,
      checkout.writtenId,
      checkout.apiVersion,
      checkout.codeHash,
      keyring.encrypt(identityOf(checkout), JSON.stringify(checkout.order)),
      checkout.createdAt,
      checkout.expiresAt,
    ],
  );
}

export async function findCheckout(tx: Tx, key: CheckoutKey): Promise<EncryptedCheckout | null> {
  const { rows } = await tx.query<CheckoutRow>(
    `select ${SELECTED} from checkouts where merchant_id = $1 and checkout_id = $2`,
    [key.merchantId, key.checkoutId],
  );
  return rows[0] === undefined ? null : checkoutOf(rows[0]);
}

export async function findCheckoutByCode(tx: Tx, codeHash: Buffer): Promise<EncryptedCheckout | null> {
  const { rows } = await tx.query<CheckoutRow>(`select ${SELECTED} from checkouts where code_hash = $1`, [
    codeHash,
  ]);
  return rows[0] === undefined ? null : checkoutOf(rows[0]);
}

/** In the order of their keys, after payments, wallets and split payments. Unknown keys are left out. */
export async function lockCheckouts(
  tx: Tx,
  keys: readonly CheckoutKey[],
): Promise<readonly EncryptedCheckout[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<CheckoutRow>(
    `select ${SELECTED} from checkouts
     where (merchant_id, checkout_id) in (select * from ${unnested(keyColumns)})
     order by merchant_id, checkout_id for update`,
    valuesOf(keyColumns, keys),
  );
  return rows.map(checkoutOf);
}

/** Of a checkout whose lock is held. `endedAt` with a final status. */
export async function setCheckoutStatus(
  tx: Tx,
  key: CheckoutKey,
  to: { readonly status: CheckoutStatus; readonly endedAt: Date | null },
): Promise<void> {
  await tx.query(
    'update checkouts set status = $3, ended_at = $4 where merchant_id = $1 and checkout_id = $2',
    [key.merchantId, key.checkoutId, to.status, to.endedAt],
  );
}

/** Of a checkout whose lock is held. The merchant's data key must be loaded. */
export async function replaceCheckoutOrder(
  tx: Tx,
  keyring: Keyring,
  { order, ...key }: CheckoutKey & { readonly order: CheckoutOrder },
): Promise<void> {
  await tx.query('update checkouts set encrypted_order = $3 where merchant_id = $1 and checkout_id = $2', [
    key.merchantId,
    key.checkoutId,
    keyring.encrypt(identityOf(key), JSON.stringify(order)),
  ]);
}

/** Checkouts whose time is over and in which no attempt runs, the oldest first. */
export async function listCheckoutsToEnd(
  tx: Tx,
  { before, countMax }: { readonly before: Date; readonly countMax: number },
): Promise<readonly CheckoutKey[]> {
  const { rows } = await tx.query<{ merchant_id: string; checkout_id: string }>(
    `select merchant_id, checkout_id from checkouts c where ended_at is null and expires_at <= $1
       and not exists (
         select 1 from migration_locks f where f.merchant_id = c.merchant_id and f.state <> 'COPYING')
       and (status = 'WAITING_PAYMENT' or not exists (
         select 1 from payments p where p.merchant_id = c.merchant_id and p.checkout_id = c.checkout_id
           and p.state not in ('COMPLETED', 'FAILED')))
     order by expires_at limit $2`,
    [before, countMax],
  );
  return rows.map((row) => ({ merchantId: row.merchant_id, checkoutId: row.checkout_id }));
}

export type CheckoutAttempt = PaymentKey & { readonly checkoutId: string; readonly state: PaymentState };

/** The attempts of these checkouts, in their order. Under the checkouts' locks, no other can appear. */
export async function listAttempts(
  tx: Tx,
  keys: readonly CheckoutKey[],
): Promise<readonly CheckoutAttempt[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<{
    merchant_id: string;
    payment_id: string;
    checkout_id: string;
    state: PaymentState;
  }>(
    `select merchant_id, payment_id, checkout_id, state from payments
     where (merchant_id, checkout_id) in (select * from ${unnested(keyColumns)})
     order by created_at, state = 'FAILED' desc, payment_id`,
    valuesOf(keyColumns, keys),
  );
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    kind: 'DEPOSIT',
    paymentId: row.payment_id,
    checkoutId: row.checkout_id,
    state: row.state,
  }));
}

/** The merchant's data key must be loaded. */
export function openCheckoutOrder(keyring: Keyring, checkout: EncryptedCheckout): CheckoutOrder {
  return JSON.parse(keyring.open(identityOf(checkout), checkout.encryptedOrder).toString()) as CheckoutOrder;
}

function checkoutOf(row: CheckoutRow): EncryptedCheckout {
  return {
    merchantId: row.merchant_id,
    checkoutId: row.checkout_id,
    writtenId: row.written_id,
    apiVersion: row.api_version,
    status: row.status,
    encryptedOrder: row.encrypted_order,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
  };
}

function identityOf({ merchantId, checkoutId }: CheckoutKey) {
  return { merchantId, row: `checkouts/${checkoutId}` };
}
