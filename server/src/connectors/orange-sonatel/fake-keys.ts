// The accounts of Sonatel's fake, and the public keys with which their PINs are encrypted.
import { constants, createHash, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { textOf } from '../json.ts';

export const PRODUCTS = ['merchant', 'retailer'] as const;
export type Product = (typeof PRODUCTS)[number];

/** Derived and not secret: they only protect a fake. The PIN is long so that tests can find it among other numbers. */
export function keysOf(product: Product) {
  const keyOf = (name: string) => createHash('sha256').update(`${product} ${name}`).digest('hex');
  const digitsOf = (name: string) => String(BigInt(`0x${keyOf(name)}`)).slice(0, 12);
  return {
    clientId: keyOf('client').slice(0, 32),
    clientSecret: keyOf('secret').slice(0, 32),
    number: `77${digitsOf('number').slice(0, 7)}`,
    pin: digitsOf('pin'),
    webhookSecret: keyOf('webhook').slice(0, 40),
    ...(product === 'merchant' ? { merchantCode: digitsOf('code').slice(0, 6) } : {}),
  };
}

export function productOf(operation: PaymentKind): Product {
  return operation === 'DEPOSIT' ? 'merchant' : 'retailer';
}

const KEY_PAIRS = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2_048 }));
const KEY_LIFETIME_MS = 8 * 3_600_000;

/** A key is valid for eight hours; then it is withdrawn without notice. */
export function keyPairOf(clock: Clock) {
  const number = Math.floor(clock.now().getTime() / KEY_LIFETIME_MS) % KEY_PAIRS.length;
  return {
    keyId: String(number),
    pair: KEY_PAIRS[number] ?? generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  };
}

/** Null if it was encrypted with another key. */
export function decryptPin(clock: Clock, encrypted: unknown): string | null {
  try {
    const key = { key: keyPairOf(clock).pair.privateKey, padding: constants.RSA_PKCS1_PADDING };
    const pin = privateDecrypt(key, Buffer.from(textOf(encrypted) ?? '', 'base64')).toString();
    // Decrypting with another key returns garbage.
    return /^\d+$/.test(pin) ? pin : null;
  } catch {
    return null;
  }
}
