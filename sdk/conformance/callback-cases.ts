// The genuine callbacks of vectors.json: every algorithm and encoding, every kind, and addresses and bodies that are
// easily read wrongly.
import type { SignatureAlgorithm } from '../src/signing-key.ts';

export const FORMS = {
  'p256-der': { keyId: 'HTTP_EC_P256_KEY:1', algorithm: 'ecdsa-p256-sha256', encoding: 'der' },
  'p256-raw': { keyId: 'HTTP_EC_P256_KEY:1', algorithm: 'ecdsa-p256-sha256', encoding: 'raw' },
  'p384-der': { keyId: 'HTTP_EC_P384_KEY:1', algorithm: 'ecdsa-p384-sha384', encoding: 'der' },
  'p384-raw': { keyId: 'HTTP_EC_P384_KEY:1', algorithm: 'ecdsa-p384-sha384', encoding: 'raw' },
  'rsa-v1_5': { keyId: 'HTTP_RSA_KEY:1', algorithm: 'rsa-v1_5-sha256', encoding: 'rsa' },
  'rsa-pss': { keyId: 'HTTP_RSA_KEY:1', algorithm: 'rsa-pss-sha512', encoding: 'rsa' },
} as const satisfies Record<string, { keyId: string; algorithm: SignatureAlgorithm; encoding: string }>;

export type Form = keyof typeof FORMS;

/** What a verifier says about it. A statement has no `paid`: it moves no money. */
export type Expected = {
  readonly kind: string;
  readonly id: string | null;
  readonly status: string | null;
  readonly isFinal: boolean | null;
  readonly paid: boolean;
};

export type Accepted = {
  readonly name: string;
  readonly form: Form;
  readonly url: string;
  readonly payment: object;
  /** For which merchant it is signed. */
  readonly tag?: string;
  /** The merchant ID that the verifier is given. */
  readonly merchantId?: string;
  readonly digest?: 'sha-512' | 'sha-256';
  /** Whether the first number of the ECDSA signature begins with a zero byte. */
  readonly isShort?: boolean;
  readonly expected: Expected;
};

const URL_OF_SHOP = 'https://shop.example/callbacks?shop=1';
const id = (last: number) => `2f4b6c1e-0000-4000-8000-${String(last).padStart(12, '0')}`;
export const MERCHANT_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const FRANCS = { amount: '100', currency: 'RWF', country: 'RWA' };
const DEPOSIT = { depositId: id(1), status: 'COMPLETED', ...FRANCS };
const PAID = { kind: 'deposit', id: id(1), status: 'COMPLETED', isFinal: true, paid: true };
const WHY = { failureCode: 'PAYMENT_NOT_APPROVED', failureMessage: 'The payer did not approve.' };

export const ACCEPTED: readonly Accepted[] = [
  { name: 'a paid deposit', form: 'p256-der', url: URL_OF_SHOP, payment: DEPOSIT, expected: PAID },
  {
    name: 'a failed payout',
    form: 'p256-raw',
    url: URL_OF_SHOP,
    payment: { payoutId: id(2), status: 'FAILED', ...FRANCS, failureReason: WHY },
    expected: { kind: 'payout', id: id(2), status: 'FAILED', isFinal: true, paid: false },
  },
  {
    name: 'a paid refund, which also names its deposit',
    form: 'p384-der',
    url: URL_OF_SHOP,
    payment: { depositId: id(1), refundId: id(3), status: 'COMPLETED', ...FRANCS },
    expected: { kind: 'refund', id: id(3), status: 'COMPLETED', isFinal: true, paid: true },
  },
  {
    name: 'a paid remittance',
    form: 'p384-raw',
    url: URL_OF_SHOP,
    payment: { remittanceId: id(4), status: 'COMPLETED', ...FRANCS },
    expected: { kind: 'remittance', id: id(4), status: 'COMPLETED', isFinal: true, paid: true },
  },
  {
    name: 'a split payment with a failed split',
    form: 'rsa-v1_5',
    url: URL_OF_SHOP,
    payment: { splitPaymentId: id(5), status: 'PAYOUT_FAILED', ...FRANCS, splits: [{ payoutId: id(6) }] },
    expected: { kind: 'splitPayment', id: id(5), status: 'PAYOUT_FAILED', isFinal: true, paid: false },
  },
  {
    name: 'an expired checkout',
    form: 'rsa-pss',
    url: URL_OF_SHOP,
    payment: { checkoutId: id(7), status: 'EXPIRED' },
    expected: { kind: 'checkout', id: id(7), status: 'EXPIRED', isFinal: true, paid: false },
  },
  {
    name: 'a deposit that waits for the payer',
    form: 'p256-der',
    url: URL_OF_SHOP,
    payment: { ...DEPOSIT, status: 'PROCESSING' },
    expected: { ...PAID, status: 'PROCESSING', isFinal: false, paid: false },
  },
  {
    name: 'a statement, which moves no money',
    form: 'p256-der',
    url: URL_OF_SHOP,
    payment: { statementId: id(8), status: 'COMPLETED' },
    expected: { kind: 'statement', id: id(8), status: 'COMPLETED', isFinal: true, paid: false },
  },
  {
    name: 'a deposit of API v1, which this SDK does not interpret',
    form: 'p256-der',
    url: URL_OF_SHOP,
    payment: { ...DEPOSIT, correspondent: 'MTN_MOMO_RWA' },
    expected: { kind: 'other', id: null, status: 'COMPLETED', isFinal: null, paid: false },
  },
  {
    name: 'a body with characters outside ASCII',
    form: 'p256-der',
    url: URL_OF_SHOP,
    payment: { ...DEPOSIT, customerMessage: 'Café № 7 – merci 🙏 "ok" \\ / \u2028' },
    expected: PAID,
  },
  {
    name: 'a digest by sha-256',
    form: 'p256-der',
    url: URL_OF_SHOP,
    payment: DEPOSIT,
    digest: 'sha-256',
    expected: PAID,
  },
  {
    name: 'an address without a path and a query',
    form: 'p256-der',
    url: 'https://shop.example',
    payment: DEPOSIT,
    expected: PAID,
  },
  {
    name: 'an address with the default port and capital letters in its host',
    form: 'p256-der',
    url: 'https://Shop.Example:443/callbacks',
    payment: DEPOSIT,
    expected: PAID,
  },
  {
    name: 'an address with another port, escapes, and parameters out of order',
    form: 'p256-der',
    url: 'http://shop.example:8080/call%20backs/caf%C3%A9?b=2&a=1&b=%2F',
    payment: DEPOSIT,
    expected: PAID,
  },
  {
    name: 'a P-256 signature in DER whose first number is short',
    form: 'p256-der',
    url: URL_OF_SHOP,
    payment: DEPOSIT,
    isShort: true,
    expected: PAID,
  },
  {
    name: 'a raw P-256 signature whose first number begins with a zero byte',
    form: 'p256-raw',
    url: URL_OF_SHOP,
    payment: DEPOSIT,
    isShort: true,
    expected: PAID,
  },
  {
    name: 'a raw P-384 signature whose first number begins with a zero byte',
    form: 'p384-raw',
    url: URL_OF_SHOP,
    payment: DEPOSIT,
    isShort: true,
    expected: PAID,
  },
  {
    name: 'a callback for the merchant of the verifier',
    form: 'p256-der',
    url: URL_OF_SHOP,
    payment: DEPOSIT,
    tag: MERCHANT_ID,
    merchantId: MERCHANT_ID,
    expected: PAID,
  },
  {
    name: 'a merchant ID in capital letters',
    form: 'p256-der',
    url: URL_OF_SHOP,
    payment: DEPOSIT,
    tag: MERCHANT_ID,
    merchantId: MERCHANT_ID.toUpperCase(),
    expected: PAID,
  },
  {
    name: 'a callback for a merchant, by a verifier that is given none',
    form: 'p256-der',
    url: URL_OF_SHOP,
    payment: DEPOSIT,
    tag: MERCHANT_ID,
    expected: PAID,
  },
];
