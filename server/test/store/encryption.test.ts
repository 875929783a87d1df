// Personal data at rest: it opens only with its merchant's key, in its own row, as it was encrypted.
import { createCipheriv, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchValue, searchValuesOf } from '../../src/core/payments/search-terms.ts';
import { insertSearchEntries, searchPayments } from '../../src/store/payments/payment-search.ts';
import { listPayments } from '../../src/store/payments/payments.ts';
import {
  PLATFORM,
  Keyring,
  KeysUnavailable,
  type EncryptionKey,
} from '../../src/store/encryption/encryption.ts';
import { addMerchant, addPayment, openTestStore, samplePayment, secondsAfterNoon } from './open-store.ts';
import type { TestStore } from './open-store.ts';

const SEARCH_KEY = randomBytes(32);
const [oldKey, newKey]: [EncryptionKey, EncryptionKey] = [
  { id: 1, key: randomBytes(32) },
  { id: 2, key: randomBytes(32) },
];

const keyringOf = (...encryptionKeys: readonly EncryptionKey[]) =>
  new Keyring({ encryptionKeys, searchKey: SEARCH_KEY });

/** A keyring with the data keys of these merchants loaded. */
function loadedKeyring(...merchantIds: readonly string[]): Keyring {
  const keyring = keyringOf(oldKey);
  for (const merchantId of merchantIds)
    keyring.loadDataKeys(merchantId, [{ no: 0, wrapped: keyring.createDataKey(merchantId) }]);
  return keyring;
}

describe('an encrypted value', () => {
  const [merchantId, otherId] = [randomUUID(), randomUUID()];
  const keyring = loadedKeyring(merchantId, otherId);
  const identity = { merchantId, row: 'payments/DEPOSIT/1' };

  test('an encrypted value opens to what was encrypted, whatever it was', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, row) => {
        const encrypted = keyring.encrypt({ merchantId, row }, Buffer.from(bytes));
        expect(keyring.open({ merchantId, row }, encrypted)).toEqual(Buffer.from(bytes));
      }),
    );
    expect(keyring.open(identity, keyring.encrypt(identity, 'Zoë 250783456789')).toString()).toBe(
      'Zoë 250783456789',
    );
  });

  test('an encrypted value does not show what it holds, and is never encrypted twice the same way', () => {
    const [first, second] = [
      keyring.encrypt(identity, '250783456789'),
      keyring.encrypt(identity, '250783456789'),
    ];
    expect(first.includes('250783')).toBe(false);
    expect(first.equals(second)).toBe(false);
  });

  test('an encrypted value does not open in another row, nor for another merchant', () => {
    const encrypted = keyring.encrypt(identity, 'x');
    expect(() => keyring.open({ ...identity, row: 'payments/DEPOSIT/2' }, encrypted)).toThrow();
    expect(() => keyring.open({ ...identity, merchantId: otherId }, encrypted)).toThrow();
    expect(() => keyring.open({ ...identity, merchantId: randomUUID() }, encrypted)).toThrow(/is not loaded/);
  });

  test('an encrypted value does not open when any bit of it was changed', () => {
    const encrypted = keyring.encrypt(identity, 'x');
    for (let bit = 0; bit < encrypted.length * 8; bit += 1) {
      const changed = Buffer.from(encrypted);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => keyring.open(identity, changed), `bit ${bit}`).toThrow();
    }
  });

  test('an encrypted value does not open when it was cut short, not even where that leaves a short tag', () => {
    const encrypted = keyring.encrypt(identity, '');
    expect(keyring.open(identity, encrypted)).toHaveLength(0);
    for (let length = 0; length < encrypted.length; length += 1) {
      expect(() => keyring.open(identity, encrypted.subarray(0, length)), `${length} bytes`).toThrow();
    }
  });
});

test('a value encrypted by an earlier version, under a key of its row, still opens', () => {
  const row = 'operator_notifications/1';
  const platformKey = Buffer.from(hkdfSync('sha256', oldKey.key, Buffer.alloc(0), 'malipo/house', 32));
  const rowKey = createHmac('sha256', platformKey).update(`row/${PLATFORM}/${row}`).digest();
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', rowKey, iv).setAAD(Buffer.from(`${PLATFORM}/${row}`));
  const ciphertext = Buffer.concat([cipher.update('said before'), cipher.final()]);
  const encrypted = Buffer.concat([Buffer.from([1, oldKey.id]), iv, cipher.getAuthTag(), ciphertext]);
  const keyring = keyringOf(newKey, oldKey);
  expect(keyring.open({ merchantId: PLATFORM, row }, encrypted).toString()).toBe('said before');
  expect(() => keyring.open({ merchantId: PLATFORM, row: 'another' }, encrypted)).toThrow();
});

describe('data keys', () => {
  const merchantId = randomUUID();
  const identity = { merchantId, row: 'x' };

  test('data keys are wrapped by the first key and carry its number', () => {
    expect(keyringOf(oldKey, newKey).createDataKey(merchantId)[1]).toBe(1);
    expect(keyringOf(newKey, oldKey).createDataKey(merchantId)[1]).toBe(2);
  });

  test('wrapped by an older key still open after a rotation, and so does what was encrypted with them', () => {
    const before = keyringOf(oldKey);
    const wrapped = before.createDataKey(merchantId);
    before.loadDataKeys(merchantId, [{ no: 0, wrapped }]);
    const encrypted = before.encrypt(identity, 'kept');
    const after = keyringOf(newKey, oldKey);
    after.loadDataKeys(merchantId, [{ no: 0, wrapped }]);
    expect(after.open(identity, encrypted).toString()).toBe('kept');
  });

  test('wrapped by a key that is gone, or by another key of the same number, are refused', () => {
    const wrapped = keyringOf(oldKey).createDataKey(merchantId);
    expect(() => keyringOf(newKey).loadDataKeys(merchantId, [{ no: 0, wrapped }])).toThrow(
      'encryption key 1 is not configured',
    );
    const impostor = { id: 1, key: randomBytes(32) };
    expect(() => keyringOf(impostor).loadDataKeys(merchantId, [{ no: 0, wrapped }])).toThrow();
  });

  test('belong to one merchant', () => {
    const wrapped = keyringOf(oldKey).createDataKey(merchantId);
    expect(() => keyringOf(oldKey).loadDataKeys(randomUUID(), [{ no: 0, wrapped }])).toThrow();
  });

  test('data keys are drawn at random: what was encrypted with one does not open with the next', () => {
    const encrypted = loadedKeyring(merchantId).encrypt(identity, 'x');
    expect(() => loadedKeyring(merchantId).open(identity, encrypted)).toThrow();
  });

  test('a keyring neither encrypts nor opens before it is given encryption keys, nor after they are dropped', () => {
    const keyring = keyringOf();
    const [platform, own] = [PLATFORM, merchantId].map((owner) => ({ merchantId: owner, row: 'a' }));
    const uses = (encrypted: Buffer) => [
      () => keyring.encrypt(platform!, 'raw'),
      () => keyring.encrypt(own!, 'raw'),
      () => keyring.open(own!, encrypted),
      () => keyring.createDataKey(merchantId),
      () => keyring.encryptionKeys,
    ];
    for (const use of uses(Buffer.alloc(40))) expect(use).toThrow(KeysUnavailable);
    const provided = { id: 1, key: Buffer.from(oldKey.key) };
    keyring.provide([provided]);
    keyring.loadDataKeys(merchantId, [{ no: 0, wrapped: keyring.createDataKey(merchantId) }]);
    const encrypted = keyring.encrypt(own!, 'raw');
    for (const use of uses(encrypted)) expect(use).not.toThrow();
    let forgotten = 0;
    keyring.onDrop(() => (forgotten += 1));
    keyring.drop();
    for (const use of uses(encrypted)) expect(use).toThrow(KeysUnavailable);
    expect([forgotten, provided.key]).toEqual([1, Buffer.alloc(32)]);
    expect(keyring.searchHash(merchantId, 'a')).toHaveLength(16);
  });

  test('what belongs to no merchant is encrypted under the oldest key, so that a rotation leaves it readable', () => {
    const platform = { merchantId: PLATFORM, row: 'operator_notifications/1' };
    const encrypted = keyringOf(oldKey).encrypt(platform, 'raw');
    expect(keyringOf(newKey, oldKey).open(platform, encrypted).toString()).toBe('raw');
    expect(() => keyringOf(newKey).open(platform, encrypted)).toThrow();
  });
});

describe('search hashes', () => {
  const keyring = keyringOf(oldKey);

  test('search hashes are equal for equal values of one merchant, and differ for others', () => {
    const [merchantId, otherId] = [randomUUID(), randomUUID()];
    const hash = keyring.searchHash(merchantId, 'phoneNumber:250783456789');
    expect(hash).toHaveLength(16);
    expect(keyring.searchHash(merchantId, 'phoneNumber:250783456789')).toEqual(hash);
    expect(keyring.searchHash(otherId, 'phoneNumber:250783456789')).not.toEqual(hash);
    expect(keyring.searchHash(merchantId, 'phoneNumber:250783456788')).not.toEqual(hash);
  });

  test('search hashes need the search key, not the encryption keys', () => {
    const merchantId = randomUUID();
    const rotated = keyringOf(newKey);
    expect(rotated.searchHash(merchantId, 'x')).toEqual(keyring.searchHash(merchantId, 'x'));
    const guesser = new Keyring({ encryptionKeys: [oldKey], searchKey: randomBytes(32) });
    expect(guesser.searchHash(merchantId, 'x')).not.toEqual(keyring.searchHash(merchantId, 'x'));
  });
});

describe('in the database', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore();
  });
  afterAll(() => store.stop());

  test('details copied from one payment to another do not open there', async () => {
    const [first, second] = [samplePayment(store.merchantId), samplePayment(store.merchantId)];
    await addPayment(store, first);
    await addPayment(store, second);
    await store.database.query(
      `update payments set encrypted_details = (select encrypted_details from payments where payment_id = $1)
       where payment_id = $2`,
      [first.paymentId, second.paymentId],
    );
    expect(await listPayments(store.database, store.keyring, [first])).toEqual([first]);
    await expect(listPayments(store.database, store.keyring, [second])).rejects.toThrow();
  });

  test('a payment is found by a whole value of its own merchant and field, the newest first, and by nothing less', async () => {
    const details = {
      phoneNumber: '250783456789',
      customerMessage: 'Lunch',
      clientReferenceId: 'INV-7',
      metadata: [{ name: 'order', value: 'A-1', isPii: false }],
    };
    const [older, newer] = [0, 1].map((seconds) =>
      samplePayment(store.merchantId, { details, createdAt: secondsAfterNoon(seconds) }),
    );
    const foreign = samplePayment(await addMerchant(store), { details });
    for (const payment of [older!, newer!, foreign]) await addPayment(store, payment);
    const entries = [older!, newer!, foreign].flatMap(searchValuesOf);
    await insertSearchEntries(store.database, store.keyring, entries);
    const find = async (value: string, countMax = 10) => {
      const found = await searchPayments(store.database, store.keyring, {
        merchantId: store.merchantId,
        value,
        countMax,
      });
      return found.map(({ paymentId }) => paymentId);
    };
    const both = [newer!.paymentId, older!.paymentId];
    expect(await find(searchValue('phoneNumber', '250783456789'))).toEqual(both);
    expect(await find(searchValue('clientReferenceId', 'INV-7'))).toEqual(both);
    expect(await find(searchValue('metadata', 'A-1'))).toEqual(both);
    expect(await find(searchValue('phoneNumber', '250783456789'), 1)).toEqual([newer!.paymentId]);
    const misses = [
      searchValue('phoneNumber', '25078345678'),
      searchValue('phoneNumber', '+250783456789'),
      searchValue('clientReferenceId', 'inv-7'),
      searchValue('clientReferenceId', 'INV-%'),
      searchValue('metadata', '250783456789'),
      searchValue('metadata', 'order'),
      '250783456789',
      '',
    ];
    for (const miss of misses) expect(await find(miss), miss).toEqual([]);
    const { rows } = await store.database.query('select * from payment_search');
    expect(rows).toHaveLength(9);
    expect(JSON.stringify(rows.map((row) => row.value_hash.toString('latin1')))).not.toContain('250783');
  });
});
