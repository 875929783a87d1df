// The reference of a bank or operator for a movement of money. One reference is posted once.
import type { Amount } from '../money.ts';

/** Whose reference it is: BANK, or the provider. */
export type MoneyReference = { readonly source: string; readonly reference: string };

/** A movement with its reference. Two are the same if all fields are equal. */
export type Referenced = MoneyReference & {
  readonly merchantId: string;
  readonly type: string;
  readonly country: string;
  readonly currency: string;
  /** Empty if the merchant has one wallet for all providers. */
  readonly provider: string;
  readonly amount: Amount;
};

/** The canonical form: people copy references with spaces and in lower case. Null if it is invalid. */
export function parseReference(text: string): string | null {
  const reference = text.replaceAll(/\s/g, '').toUpperCase();
  return /^[A-Z0-9][A-Z0-9./_:-]{2,63}$/.test(reference) ? reference : null;
}

/**
 * An operator's transaction as a person typed or copied it: without the blanks around it, and otherwise as the operator
 * writes it. Null if it has other characters than an operator's identifier.
 */
export function parseTransaction(text: string): string | null {
  const transaction = text.trim();
  return /^[\x20-\x7e]{1,255}$/.test(transaction) ? transaction : null;
}

/** How two texts of an operator's transaction are compared: people type it with spaces, or in other case. */
export function comparableTransaction(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

/** The required format, for messages. */
export const REFERENCE_FORM =
  'must be 3 to 64 letters, digits and ./_:- as the bank or the operator writes it';

export function isSameMovement(one: Referenced, other: Referenced): boolean {
  return NAMES.every((name) => one[name] === other[name]);
}

const NAMES = ['merchantId', 'type', 'country', 'currency', 'provider', 'amount'] as const;
