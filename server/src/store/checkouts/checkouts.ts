// Checkouts as rows. Their attempts are deposits that name them; only one of those can be in progress or have
// succeeded.
import type { CheckoutStatus, ReturnMethod } from '../../domain/checkouts/checkout.ts';
import type { PageOrder } from '../../domain/checkouts/page-terms.ts';
import type { ApiVersion } from '../../domain/payments/payment.ts';
import type { ProcessTime } from '../../domain/clock.ts';
import { livesHere } from '../cells/migration-locks.ts';
import type { Tx } from '../database.ts';
import { column, columns, type Row } from '../columns.ts';
import { isAmong, oneRowInserter, paymentKeys, valuesOf } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

/** What a checkout was made for. The code is the last part of its address, and so a secret of the payer's. */
export type CheckoutOrder = PageOrder & {
  readonly code: string;
  readonly redirectUrl: string;
  readonly returnMethod: ReturnMethod;
  readonly expiresAfterMinutes: number;
};

const checkoutKeys = columns({ merchantId: 'uuid', checkoutId: 'uuid' });
export type CheckoutKey = Row<typeof checkoutKeys>;

const checkouts = columns({
  ...checkoutKeys.defs,
  writtenId: 'text',
  apiVersion: column<ApiVersion>('text'),
  status: column<CheckoutStatus>('text'),
  encryptedOrder: 'bytea',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  endedAt: 'timestamptz null',
});

export type EncryptedCheckout = Row<typeof checkouts>;
export type Checkout = Omit<EncryptedCheckout, 'encryptedOrder'>;

const insertEncrypted = oneRowInserter(
  'checkouts',
  columns({ ...checkouts.without('endedAt').defs, codeHash: 'bytea' }).cells,
);

export async function insertCheckout(
  tx: Tx,
  keyring: Keyring,
  checkout: Omit<Checkout, 'status' | 'endedAt'> & {
    readonly codeHash: Buffer;
    readonly order: CheckoutOrder;
  },
): Promise<void> {
  const encryptedOrder = keyring.encrypt(identityOf(checkout), JSON.stringify(checkout.order));
  await insertEncrypted(tx, { ...checkout, status: 'WAITING_PAYMENT', encryptedOrder });
}

export async function findCheckout(tx: Tx, key: CheckoutKey): Promise<EncryptedCheckout | null> {
  const tail = 'from checkouts where merchant_id = $1 and checkout_id = $2';
  return checkouts.find(tx, tail, [key.merchantId, key.checkoutId]);
}

export async function findCheckoutByCode(tx: Tx, codeHash: Buffer): Promise<EncryptedCheckout | null> {
  return checkouts.find(tx, 'from checkouts where code_hash = $1', [codeHash]);
}

/** In the order of their keys, after payments, wallets and split payments. Unknown keys are left out. */
export async function lockCheckouts(
  tx: Tx,
  keys: readonly CheckoutKey[],
): Promise<readonly EncryptedCheckout[]> {
  if (keys.length === 0) return [];
  const tail = `from checkouts where ${isAmong(checkoutKeys.cells)} order by merchant_id, checkout_id for update`;
  return checkouts.select(tx, tail, valuesOf(checkoutKeys.cells, keys));
}

/** Those that have not ended, by their identifiers. One that has ended never goes on. */
export async function listOpenCheckouts(tx: Tx, keys: readonly CheckoutKey[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const tail = `from checkouts where ended_at is null and ${isAmong(checkoutKeys.cells)}`;
  const rows = await checkoutKeys.select(tx, tail, valuesOf(checkoutKeys.cells, keys));
  return new Set(rows.map(({ checkoutId }) => checkoutId));
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
  { before, countMax }: { readonly before: ProcessTime; readonly countMax: number },
): Promise<readonly CheckoutKey[]> {
  return checkoutKeys.select(
    tx,
    `from checkouts c where ended_at is null and expires_at <= $1
       and ${livesHere('c')} and (status = 'WAITING_PAYMENT' or not exists (
         select 1 from payments p where p.merchant_id = c.merchant_id and p.checkout_id = c.checkout_id
           and p.state not in ('COMPLETED', 'FAILED')))
     order by expires_at limit $2`,
    [before, countMax],
  );
}

const attempts = columns({ ...paymentKeys.defs, checkoutId: 'uuid', state: 'payment_state' });
export type CheckoutAttempt = Row<typeof attempts>;

/** The attempts of these checkouts, in their order. Under the checkouts' locks, no other can appear. */
export async function listAttempts(
  tx: Tx,
  keys: readonly CheckoutKey[],
): Promise<readonly CheckoutAttempt[]> {
  if (keys.length === 0) return [];
  return attempts.select(
    tx,
    `from payments where ${isAmong(checkoutKeys.cells)}
     order by created_at, state = 'FAILED' desc, payment_id`,
    valuesOf(checkoutKeys.cells, keys),
  );
}

/** The merchant's data key must be loaded. */
export function openCheckoutOrder(keyring: Keyring, checkout: EncryptedCheckout): CheckoutOrder {
  return keyring.openJson(identityOf(checkout), checkout.encryptedOrder) as CheckoutOrder;
}

function identityOf({ merchantId, checkoutId }: CheckoutKey) {
  return { merchantId, row: `checkouts/${checkoutId}` };
}
