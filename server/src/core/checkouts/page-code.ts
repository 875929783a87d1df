// The last part of a hosted page's address: the merchant's home, then letters and digits that no one guesses. Only its
// hash is looked up, so that anyone who reads the table cannot open the page.
import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { CheckoutKey } from '../../store/checkouts/checkouts.ts';
import type { PaymentLinkKey } from '../../store/checkouts/payment-links.ts';
import type { KeyList } from '../access/link-keys.ts';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** With four of the home eighteen, as clients expect of a checkoutCode: 83 random bits. */
const RANDOM_LENGTH = 14;

const SHAPE = /^[0-9a-f]{4}[0-9A-Za-z]{14}$/;

export function createPageCode(home: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length)));
  return `${home}${random.join('')}`;
}

export function isPageCode(text: string): boolean {
  return SHAPE.test(text);
}

/** A plain hash is enough for 83 random bits that live for an hour. */
export function hashPageCode(code: string): Buffer {
  return createHash('sha256').update(`page/${code}`).digest();
}

/**
 * The identifier of a checkout's attempt. It follows from the checkout and the number, so that a form sent twice is one
 * deposit, also when the answer to COMMIT was lost. Shaped like the identifiers merchants choose.
 */
export function attemptDepositId(
  referenceKey: Buffer,
  { merchantId, checkoutId }: CheckoutKey,
  attemptNo: number,
): string {
  return identifierFor(referenceKey, `checkout-attempt/${merchantId}/${checkoutId}/${attemptNo}`);
}

/** The identifier of the checkout that a visit to a payment link opens. It names no other checkout of the merchant. */
export function visitCheckoutId(
  referenceKey: Buffer,
  { merchantId, linkId }: PaymentLinkKey,
  visit: string,
): string {
  return identifierFor(referenceKey, `link-visit/${merchantId}/${linkId}/${visit}`);
}

function identifierFor(referenceKey: Buffer, name: string): string {
  const hex = createHmac('sha256', referenceKey).update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

type FormOf = { readonly path: string; readonly attemptNo: number };

/** Proves that a form was rendered by us, for this page and this attempt. */
export function formToken({ 0: key }: KeyList, form: FormOf): string {
  return tokenUnder(key, form);
}

export function isFormToken(keys: KeyList, form: FormOf, token: string): boolean {
  const given = Buffer.from(token);
  return keys.some((key) => {
    const expected = Buffer.from(tokenUnder(key, form));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function tokenUnder(key: Buffer, { path, attemptNo }: FormOf): string {
  return createHmac('sha256', key).update(`${path}/${attemptNo}`).digest('base64url').slice(0, 22);
}
