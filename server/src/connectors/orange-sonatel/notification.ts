// Reads Sonatel's callbacks and checks their signature. Pure.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { evidenceOfMessage } from '../evidence.ts';
import { parseObject, textOf } from '../json.ts';
import type { NotificationReading, RawNotification } from '../port.ts';
import { isTimedSignature } from '../timed-signature.ts';
import { reportedBy } from './wire.ts';

/** Sonatel signs the time, a comma and the body. */
export const SEPARATOR = ',';

/** The operation of a message. A refund is a cash-in too and is read the same way. */
export function operationIn({ body }: RawNotification): PaymentKind {
  return parseObject(body.toString('utf8'))?.['type'] === 'CASHIN' ? 'PAYOUT' : 'DEPOSIT';
}

/** The payment that a message names, before it is authenticated. */
export function referenceIn({ body, pathReference }: RawNotification): string | undefined {
  return pathReference ?? textOf(parseObject(body.toString('utf8'))?.['reference']);
}

/** The host's settings for callbacks: the signing secret, and the API key they carry. */
export type CallbackKeys = { readonly webhookSecret?: string; readonly callbackApiKey?: string };

/** Without the secret no message is authentic, and each one only triggers an enquiry. */
export function readNotification(
  notification: RawNotification,
  { webhookSecret, callbackApiKey }: CallbackKeys,
): NotificationReading {
  const { body, headers } = notification;
  const message = parseObject(body.toString('utf8')) ?? {};
  const named = textOf(message['reference']);
  const reference = referenceIn(notification);
  if (reference === undefined) return { type: 'UNREADABLE' };
  const isForeign = callbackApiKey !== undefined && !isBasic(headers['authorization'], callbackApiKey);
  if (isForeign) return { type: 'HINT', reference, isForged: true };
  if (webhookSecret === undefined) return { type: 'HINT', reference };
  const check = { secret: webhookSecret, separator: SEPARATOR, header: headers['x-sonatel-signature'] };
  if (!isTimedSignature(body, check)) return { type: 'HINT', reference, isForged: true };
  const reported = reportedBy(message, operationIn(notification));
  const isEnd = reported.outcome.type === 'COMPLETED' || reported.outcome.type === 'FAILED';
  if (!isEnd || named !== reference) return { type: 'HINT', reference };
  return { type: 'AUTHENTIC', reference, ...reported, evidence: evidenceOfMessage(body) };
}

function isBasic(header: string | undefined, key: string): boolean {
  const [expected, given] = [`Basic ${key}`, header ?? ''].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  return expected !== undefined && given !== undefined && timingSafeEqual(expected, given);
}
