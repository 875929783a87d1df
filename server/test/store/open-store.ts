// A store for a test: a database of its own, keys, and a merchant whose data key is loaded.
import { randomUUID } from 'node:crypto';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { insertMerchant } from '../../src/store/merchants/merchants.ts';
import { insertPaymentKeys } from '../../src/store/payments/payment-keys.ts';
import { insertPayments, type StoredPayment } from '../../src/store/payments/payments.ts';
import { Keyring } from '../../src/store/encryption/encryption.ts';
import { drawPaymentNo } from '../../src/store/timed-uuid.ts';
import { createTestDatabase } from '../database.ts';
import { TEST_KEYS } from '../gateway.ts';
import { TEST_CONNECTIONS, throughPooler } from '../pgbouncer.ts';

export type TestStore = {
  readonly url: string;
  readonly database: Database;
  readonly keyring: Keyring;
  readonly merchantId: string;
  readonly stop: () => Promise<void>;
};

/** Some time. Nothing in the store reads a clock. */
export const NOON = new Date('2026-03-01T12:00:00Z');

export function secondsAfterNoon(seconds: number): Date {
  return new Date(NOON.getTime() + seconds * 1_000);
}

export async function openTestStore(): Promise<TestStore> {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({
    url: throughPooler(url),
    connectionsMax: 12,
    applicationName: 'store test',
    connections: TEST_CONNECTIONS,
  });
  const keyring = new Keyring(TEST_KEYS);
  return {
    url,
    database,
    keyring,
    merchantId: await addMerchant({ database, keyring }),
    stop: async () => {
      await database.end();
      await drop();
    },
  };
}

export async function addMerchant({ database, keyring }: Pick<TestStore, 'database' | 'keyring'>) {
  const merchantId = randomUUID();
  const dataKey = keyring.createDataKey(merchantId);
  await insertMerchant(database, {
    merchantId,
    home: '0001',
    companyName: 'Test Shop',
    operations: ['DEPOSIT'],
    walletPerProvider: false,
    dataKey,
    createdAt: NOON,
  });
  keyring.loadDataKeys(merchantId, [{ no: 0, wrapped: dataKey }]);
  return merchantId;
}

/** An accepted deposit of 100 RWF, as core would have it stored. */
export function samplePayment(merchantId: string, changes: Partial<StoredPayment> = {}): StoredPayment {
  const paymentId = changes.paymentId ?? randomUUID();
  return {
    merchantId,
    kind: 'DEPOSIT' satisfies PaymentKind,
    paymentId,
    paymentNo: drawPaymentNo(),
    writtenId: paymentId,
    apiVersion: 'v2',
    state: 'ACCEPTED',
    amount: 1_000_000n,
    amountText: '100',
    fee: 0n,
    currency: 'RWF',
    country: 'RWA',
    provider: 'MTN_MOMO_RWA',
    connector: 'simulator',
    walletId: merchantId,
    details: { phoneNumber: '250783456789', customerMessage: 'Test Shop' },
    createdAt: NOON,
    nextAction: 'SUBMIT',
    nextActionAt: NOON,
    enquiryCount: 0,
    eventCount: 1,
    ...changes,
  };
}

/** Stores a payment and its identifier. */
export async function addPayment(
  store: Pick<TestStore, 'database' | 'keyring'>,
  payment: StoredPayment,
): Promise<StoredPayment> {
  const key = { ...payment, fingerprint: Buffer.alloc(16) };
  await insertPaymentKeys(store.database, [key]);
  await insertPayments(store.database, store.keyring, [payment]);
  return payment;
}
