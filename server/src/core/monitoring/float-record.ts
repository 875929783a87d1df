// Floats as monitors write them down for the console: amounts as texts, so that they stay exact.
import type { Float } from '../../domain/ledger/float.ts';
import { parseSigned, renderAmount, type Amount } from '../../domain/money.ts';

type StoredFloat = {
  readonly provider: string;
  readonly currency: string;
  readonly operator: string | null;
  readonly books: string | null;
  readonly inFlight: { readonly in: string; readonly out: string } | null;
};

const textOf = (amount: Amount | null) => (amount === null ? null : renderAmount(amount));

export function renderFloats(floats: readonly Float[]): readonly StoredFloat[] {
  return floats.map(({ operator, books, inFlight, ...place }) => ({
    ...place,
    operator: textOf(operator),
    books: textOf(books),
    inFlight: inFlight === null ? null : { in: renderAmount(inFlight.in), out: renderAmount(inFlight.out) },
  }));
}

const amountOf = (text: string | null) => (text === null ? null : parseSigned(text));

/** Only ever given what `renderFloats` made; an older build wrote nothing down. */
export function parseFloats(stored: unknown): readonly Float[] {
  return ((stored ?? []) as readonly StoredFloat[]).map(({ operator, books, inFlight, ...place }) => ({
    ...place,
    operator: amountOf(operator),
    books: amountOf(books),
    inFlight: inFlight === null ? null : { in: parseSigned(inFlight.in), out: parseSigned(inFlight.out) },
  }));
}
