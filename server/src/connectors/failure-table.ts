// How an operator's codes are reported in ours. A code that stands in no table is unknown, never failed. Pure.
import type { PaymentFailureCode } from '../domain/failure.ts';

export type Meaning =
  | {
      readonly type: 'FAILED';
      readonly code: PaymentFailureCode;
      /** The fault is the host's: somebody should hear of it. */
      readonly isAlert?: true;
    }
  /** It says nothing about the end: the operator is asked again. */
  | { readonly type: 'NOT_FINAL' };

export type FailureTable = Readonly<Record<string, Meaning>>;

export const NOT_FINAL: Meaning = { type: 'NOT_FINAL' };

export function fails(code: PaymentFailureCode): Meaning {
  return { type: 'FAILED', code };
}

/** Nothing the customer or the merchant could do about it. */
export const FAULT_OF_THE_HOST: Meaning = { type: 'FAILED', code: 'OTHER_ERROR', isAlert: true };

/** Null for a code no one has mapped. */
export function meaningOf(table: FailureTable, code: string): Meaning | null {
  return Object.hasOwn(table, code) ? (table[code] ?? null) : null;
}
