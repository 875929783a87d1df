// What a bank or an operator calls a movement of money. Under one reference one movement is posted, once.
import type { Amount } from '../money.ts';

/** Whose reference it is: BANK, or the provider whose operator moved the money. */
export type MoneyReference = { readonly source: string; readonly reference: string };

/** A movement under a reference: two are the same where all of it is equal. */
export type Referenced = MoneyReference & {
  readonly merchantId: string;
  readonly type: string;
  readonly country: string;
  readonly currency: string;
  /** Empty where the merchant keeps one wallet for all providers. */
  readonly provider: string;
  readonly amount: Amount;
};

/** One spelling for each: people copy references with spaces and in small letters. Null for what is not a code. */
export function parseReference(text: string): string | null {
  const reference = text.replaceAll(/\s/g, '').toUpperCase();
  return /^[A-Z0-9][A-Z0-9./_:-]{2,63}$/.test(reference) ? reference : null;
}

/** How a reference must look, for messages. */
export const REFERENCE_FORM =
  'must be 3 to 64 letters, digits and ./_:- as the bank or the operator writes it';

export function isSameMovement(one: Referenced, other: Referenced): boolean {
  return NAMES.every((name) => one[name] === other[name]);
}

const NAMES = ['merchantId', 'type', 'country', 'currency', 'provider', 'amount'] as const;
