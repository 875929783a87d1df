// Which payers an operator asks, and how. Pure.
import { findProvider } from '../../../domain/operators/catalogue.ts';
import type { OpenCharge } from '../books/charge.ts';

/** Results before the payer is asked: the number is unknown, or another prompt is open. */
const UNASKED = ['SUBSCRIBER_UNKNOWN', 'PROMPT_ALREADY_OPEN', 'CODE_INVALID'];

/** Only payers are asked, and not those who approved in advance with a code. */
export function isAsked({ operation, provider, plan }: OpenCharge): boolean {
  return operation === 'DEPOSIT' && !takesCodes(provider) && !UNASKED.includes(plan.failureCode ?? '');
}

/** Whether a provider's payers approve with a one-time code that they get in advance. */
export function takesCodes(provider: string): boolean {
  return findProvider(provider)?.authType === 'PREAUTH';
}
