// Maps an operator's codes to ours. An unmapped code means unknown, never failed. Pure.
import type { PaymentFailureCode } from '../domain/failure.ts';

export type Meaning =
  | {
      readonly type: 'FAILED';
      readonly code: PaymentFailureCode;
      /** The host must fix it, so it raises an alert. */
      readonly isAlert?: true;
    }
  /** It is not final: the operator is asked again. */
  | { readonly type: 'NOT_FINAL' };

export type FailureTable = Readonly<Record<string, Meaning>>;

export const NOT_FINAL: Meaning = { type: 'NOT_FINAL' };

export function fails(code: PaymentFailureCode): Meaning {
  return { type: 'FAILED', code };
}

/** Neither the customer nor the merchant can fix it. */
export const FAULT_OF_THE_HOST: Meaning = { type: 'FAILED', code: 'OTHER_ERROR', isAlert: true };

/** Null for an unmapped code. */
export function meaningOf(table: FailureTable, code: string): Meaning | null {
  return Object.hasOwn(table, code) ? (table[code] ?? null) : null;
}
