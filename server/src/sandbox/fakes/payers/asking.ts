// Whom an operator asks, and how. Pure.
import { findProvider } from '../../../domain/operators/catalogue.ts';
import type { OpenCharge } from '../books/charge.ts';

/** Ends that come before anybody is asked: there is no such phone, or it is asked already. */
const UNASKED = ['SUBSCRIBER_UNKNOWN', 'PROMPT_ALREADY_OPEN', 'CODE_INVALID'];

/** Only who pays is asked, and not who has agreed beforehand by a code. */
export function isAsked({ operation, provider, plan }: OpenCharge): boolean {
  return operation === 'DEPOSIT' && !takesCodes(provider) && !UNASKED.includes(plan.failureCode ?? '');
}

/** Whether a provider's payers agree by a one-time code that they get beforehand. */
export function takesCodes(provider: string): boolean {
  return findProvider(provider)?.authType === 'PREAUTH';
}
