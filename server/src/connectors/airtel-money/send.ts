// Sends a request as its market requires: PIN encrypted, body signed. If something is missing for that, nothing is sent
// and the result says so. Never throws because of an operator's behaviour.
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
  /** Only payments from our own wallet need its PIN. */
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
  // Airtel changed its key early. It does not execute what it cannot decrypt, so the request is sent once more.
  sender.keys.forget(account);
  return afterSent(await sendOnce(sender, prepared));
}

type Prepared = { readonly sending: Sending; readonly account: Account; readonly dialect: Dialect };

/** Also returns whether it was encrypted with a cached key. */
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
      // A refund's body has no reference of ours. This header helps support on Airtel's side to find it.
      'x-correlation-id': request.reference,
      ...encrypted.signature,
    },
    body: encrypted.body,
    permission,
    ...aboutPayment(request),
  }));
  return { ...result, isKeyKept: taken?.isKept === true };
}

/** Null if neither a PIN nor a signature is needed. */
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

/** The country and currency headers. */
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
