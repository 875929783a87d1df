// Calls to Daraja, each with its account, and only if the account has the required key.
import type { CallResult } from '../call.ts';
import type { Line, LineCall } from '../line.ts';
import type { Account, OperatorContext, WantedAccount } from '../operator.ts';
import type { SubmitRequest } from '../port.ts';
import { securityCredentialOf } from './security-credential.ts';
import { personalIn } from './wire.ts';

/** What every call needs. */
export type Caller = { readonly line: Line; readonly context: OperatorContext };

/** The key that signs a call. An app may have only one of them: to collect or to pay out. */
export type Key = 'PASSKEY' | 'INITIATOR';

export const LACKS: Readonly<Record<Key, string>> = { PASSKEY: 'NO_PASSKEY', INITIATOR: 'NO_INITIATOR' };

/** Without the required key nothing is sent: Daraja's refusal would not name the cause. */
export async function call(
  { line, context }: Caller,
  wanted: WantedAccount,
  key: Key,
  callFor: (account: Account) => LineCall,
): Promise<CallResult> {
  const account = await context.findAccount(wanted);
  if (account !== null && !hasKey(account, key)) return { type: 'SILENCE', error: LACKS[key], sent: false };
  return line.call(wanted, callFor);
}

export function hasKey({ values }: Account, key: Key): boolean {
  return key === 'PASSKEY' ? (values['passkey'] ?? '') !== '' : securityCredentialOf(values) !== null;
}

export function post({ baseUrl = '' }: Account['values'], path: string) {
  return { method: 'POST', url: baseUrl + path, headers: { 'content-type': 'application/json' } } as const;
}

export function aboutPayment(request: SubmitRequest) {
  return { reference: request.reference, personal: personalIn(request) };
}
