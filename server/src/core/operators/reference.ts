// References for operators: a pure function of payment and attempt number under a key of ours, so that a restored
// database makes the same ones. Each carries the merchant's home, because some operators allow one fixed address.
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { ReferenceShape } from '../../connectors/port.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';

export type ReferenceOf = {
  readonly key: PaymentKey;
  readonly attemptNo: number;
  readonly home: string;
  readonly shape: ReferenceShape;
};

/** Node takes a key object six times as fast as bytes. */
const keyObjects = new WeakMap<Buffer, KeyObject>();

function hmacOf(key: Buffer, text: string): string {
  const known = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, known);
  return createHmac('sha256', known).update(text).digest('hex');
}

export function referenceFor(referenceKey: Buffer, { key, attemptNo, home, shape }: ReferenceOf): string {
  const digest = hmacOf(referenceKey, `${key.merchantId}/${key.kind}/${key.paymentId}/${attemptNo}`);
  switch (shape) {
    case 'TOKEN':
      return `${home}${digest.slice(0, 28)}`;
    case 'UUID':
      return `${home}${digest.slice(0, 4)}-${digest.slice(4, 8)}-4${digest.slice(9, 12)}-8${digest.slice(13, 16)}-${digest.slice(16, 28)}`;
  }
}

/** The reference under which an account's balance is asked for. */
export function balanceReference(
  referenceKey: Buffer,
  { name, home }: { readonly name: string; readonly home: string },
): string {
  const digest = hmacOf(referenceKey, `balance/${name}`);
  return `${home}${digest.slice(0, 28)}`;
}

/** Whether a text has the shape of a reference of ours, of any shape we make. */
export function isReference(text: string): boolean {
  return /^[0-9a-f]{32}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** What the path of an attempt's notifications carries besides the reference: no one who knows one knows the other. */
export function notificationSecret(referenceKey: Buffer, reference: string): string {
  return hmacOf(referenceKey, `notification/${reference}`).slice(0, 32);
}

export function isNotificationSecret(referenceKey: Buffer, reference: string, secret: string): boolean {
  const genuine = Buffer.from(notificationSecret(referenceKey, reference));
  const given = Buffer.from(secret);
  return given.length === genuine.length && timingSafeEqual(given, genuine);
}
