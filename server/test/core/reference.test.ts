import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isNotificationSecret,
  notificationSecret,
  referenceFor,
  type ReferenceOf,
} from '../../src/core/operators/reference.ts';
import { PAYMENT_KINDS } from '../../src/domain/payments/payment.ts';

const KEY = Buffer.alloc(32, 3);

const arbitraryReference: fc.Arbitrary<ReferenceOf> = fc.record({
  key: fc.record({
    merchantId: fc.uuid(),
    kind: fc.constantFrom(...PAYMENT_KINDS),
    paymentId: fc.uuid(),
  }),
  attemptNo: fc.integer({ min: 1, max: 20 }),
  home: fc.integer({ min: 0, max: 0xffff }).map((home) => home.toString(16).padStart(4, '0')),
  shape: fc.constantFrom('UUID', 'TOKEN'),
});

const sample: ReferenceOf = {
  key: {
    merchantId: '11111111-1111-4111-8111-111111111111',
    kind: 'DEPOSIT',
    paymentId: '22222222-2222-4222-8222-222222222222',
  },
  attemptNo: 1,
  home: '0001',
  shape: 'TOKEN',
};

describe('a reference', () => {
  test('a reference follows from payment, attempt and key alone, so that a restored database makes the same one', () => {
    fc.assert(
      fc.property(arbitraryReference, (of) => {
        expect(referenceFor(KEY, structuredClone(of))).toBe(referenceFor(KEY, of));
      }),
    );
    // References already sent to operators never change: neither may these.
    expect(referenceFor(KEY, sample)).toBe('0001dc8a98b3d8d8bb4c77cf5f606fe8');
    expect(referenceFor(KEY, { ...sample, shape: 'UUID' })).toBe('0001dc8a-98b3-48d8-8b4c-77cf5f606fe8');
  });

  test('a reference differs for another merchant, kind, payment, attempt or key', () => {
    const { key } = sample;
    const others: readonly ReferenceOf[] = [
      { ...sample, key: { ...key, merchantId: key.paymentId } },
      { ...sample, key: { ...key, kind: 'PAYOUT' } },
      { ...sample, key: { ...key, paymentId: key.merchantId } },
      { ...sample, attemptNo: 2 },
    ];
    const references = [sample, ...others].map((of) => referenceFor(KEY, of));
    expect(new Set([...references, referenceFor(randomBytes(32), sample)]).size).toBe(6);
  });

  test('a reference begins with the home of its merchant, in either shape', () => {
    fc.assert(
      fc.property(arbitraryReference, (of) => {
        expect(referenceFor(KEY, of).slice(0, 4)).toBe(of.home);
      }),
    );
  });

  test('as a TOKEN is 32 hex digits, as a UUID a valid one of version 4', () => {
    fc.assert(
      fc.property(arbitraryReference, (of) => {
        expect(referenceFor(KEY, { ...of, shape: 'TOKEN' })).toMatch(/^[0-9a-f]{32}$/);
        expect(referenceFor(KEY, { ...of, shape: 'UUID' })).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });

  test('a reference shows nothing of the payment it is for', () => {
    fc.assert(
      fc.property(arbitraryReference, (of) => {
        const reference = referenceFor(KEY, of).replaceAll('-', '');
        for (const id of [of.key.merchantId, of.key.paymentId]) {
          expect(reference).not.toContain(id.replaceAll('-', '').slice(0, 12));
        }
      }),
    );
  });
});

describe('the secret of an attempt’s notifications', () => {
  test('the secret of an attempt’s notifications differs for each reference and each key, and is not the reference', () => {
    const [first, second] = [1, 2].map((attemptNo) => referenceFor(KEY, { ...sample, attemptNo }));
    const secrets = [
      notificationSecret(KEY, first!),
      notificationSecret(KEY, second!),
      notificationSecret(randomBytes(32), first!),
      first!,
    ];
    expect(new Set(secrets).size).toBe(4);
    expect(secrets[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(first).not.toContain(secrets[0]!.slice(0, 8));
  });

  test('the secret of an attempt’s notifications is recognised, and nothing else is', () => {
    const reference = referenceFor(KEY, sample);
    const secret = notificationSecret(KEY, reference);
    expect(isNotificationSecret(KEY, reference, secret)).toBe(true);
    const others = ['', secret.slice(1), `${secret}0`, secret.toUpperCase(), reference, 'é'.repeat(16)];
    for (const other of others) expect(isNotificationSecret(KEY, reference, other), other).toBe(false);
    expect(isNotificationSecret(KEY, `${reference}0`, secret)).toBe(false);
    expect(isNotificationSecret(randomBytes(32), reference, secret)).toBe(false);
  });
});
