// Sends a request the way its market wants it: the PIN encrypted, the whole signed. Whatever is missing for that is
// missing before anything was written, and is reported so. Nothing here ever throws for what an operator does.
import type { KeyObject } from 'node:crypto';
import { findCountry } from '../../domain/operators/catalogue.ts';
import { afterSent, type CallResult } from '../call.ts';
import type { Line, LineCall } from '../line.ts';
import type { Account, OperatorContext } from '../operator.ts';
import type { SendPermission, SubmitRequest } from '../port.ts';
import type { EncryptionKeys, TakenKey } from './encryption-keys.ts';
import { encryptFor, sign } from './encryption.ts';
import { isKeyRefusal } from './failures.ts';
import { dialectOf, type Dialect, type Habits } from './markets.ts';
import { codeIn, nationalNumber, renderReference } from './wire.ts';

export type Sender = {
  readonly context: OperatorContext;
  readonly line: Line;
  readonly keys: EncryptionKeys;
};

export type Sending = {
  readonly request: SubmitRequest;
  readonly permission: SendPermission;
  readonly path: (dialect: Dialect) => string;
  readonly body: (dialect: Dialect, pin: string) => string;
  /** Only what is paid from our own wallet wants its PIN. */
  readonly needsPin: boolean;
};

export async function sendRequest(sender: Sender, sending: Sending): Promise<CallResult> {
  const account = await sender.context.findAccount(sending.request);
  if (account === null) return notSent('NO_CREDENTIALS');
  const dialect = dialectOf(account);
  if (dialect === null) return notSent('SETTINGS_UNREADABLE');
  const prepared = { sending, account, dialect };
  const first = await sendOnce(sender, prepared);
  if (first.type !== 'ANSWER' || !first.isKeyKept || !isKeyRefusal(codeIn(first))) return first;
  // Airtel changed its key before the time. What it cannot read it does not do, so the request is sent once more.
  sender.keys.forget(account);
  return afterSent(await sendOnce(sender, prepared));
}

type Prepared = { readonly sending: Sending; readonly account: Account; readonly dialect: Dialect };

/** Tells besides whether it was encrypted with a key that was asked for earlier. */
async function sendOnce(
  sender: Sender,
  prepared: Prepared,
): Promise<CallResult & { readonly isKeyKept?: boolean }> {
  const taken = await takeKey(sender, prepared);
  if (taken !== null && 'error' in taken) return notSent(taken.error);
  const encrypted = encrypt(prepared, taken?.key ?? null);
  if ('error' in encrypted) return notSent(encrypted.error);
  const { request, permission, path } = prepared.sending;
  const result = await sender.line.call(request, ({ values }) => ({
    step: 'submit',
    method: 'POST',
    url: `${values['baseUrl']}${path(prepared.dialect)}`,
    headers: {
      ...countryHeaders(request, prepared.dialect.habits),
      'content-type': 'application/json',
      // Nothing of ours is in a refund. This header helps anyone who looks for it on the other side.
      'x-correlation-id': request.reference,
      ...encrypted.signature,
    },
    body: encrypted.body,
    permission,
    ...aboutPayment(request),
  }));
  return { ...result, isKeyKept: taken?.isKept === true };
}

/** Null where neither a PIN nor a signature needs one. */
async function takeKey(
  { line, keys }: Sender,
  { sending: { request, needsPin }, account, dialect }: Prepared,
): Promise<TakenKey | null> {
  if (!needsPin && !dialect.isSigned) return null;
  return keys.take(account, () =>
    line.call(request, ({ values }) => ({
      step: 'keys',
      method: 'GET',
      url: `${values['baseUrl']}/v1/rsa/encryption-keys`,
      headers: countryHeaders(request, dialect.habits),
    })),
  );
}

type Encrypted =
  | { readonly body: string; readonly signature: Readonly<Record<string, string>> }
  | { readonly error: string };

function encrypt({ sending, account, dialect }: Prepared, key: KeyObject | null): Encrypted {
  if (key === null) return { body: sending.body(dialect, ''), signature: {} };
  const { encryption, isSigned } = dialect;
  const { pin } = account.values;
  if (sending.needsPin && pin === undefined) return { error: 'NO_PIN' };
  const encryptedPin = sending.needsPin ? encryptFor(key, encryption, pin ?? '') : '';
  if (encryptedPin === null) return { error: 'KEY_TOO_SHORT' };
  const body = sending.body(dialect, encryptedPin);
  const signature = isSigned ? sign(key, encryption, body) : {};
  return signature === null ? { error: 'KEY_TOO_SHORT' } : { body, signature };
}

/** Which market is meant, and in which of its currencies. */
export function countryHeaders(
  { country, currency }: Pick<SubmitRequest, 'country' | 'currency'>,
  { currencyCode = currency }: Habits,
): Readonly<Record<string, string>> {
  return { 'x-country': findCountry(country)?.alpha2 ?? '', 'x-currency': currencyCode };
}

export function aboutPayment(request: SubmitRequest): Pick<LineCall, 'reference' | 'personal'> {
  const { reference, phoneNumber, customerMessage } = request;
  const personal = [phoneNumber, nationalNumber(request), customerMessage, renderReference(request)];
  return { reference, personal };
}

function notSent(error: string): CallResult {
  return { type: 'SILENCE', error, sent: false };
}
