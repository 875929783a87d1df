// Floats as monitors write them down for the console: amounts as texts, so that they stay exact.
import type { Float } from '../domain/float.ts';
import { parseSigned, renderAmount, type Amount } from '../domain/money.ts';

type StoredFloat = {
  readonly provider: string;
  readonly currency: string;
  readonly operator: string | null;
  readonly books: string | null;
  readonly inFlight: { readonly in: string; readonly out: string } | null;
};

export function renderFloats(floats: readonly Float[]): readonly StoredFloat[] {
  const textOf = (amount: Amount | null) => (amount === null ? null : renderAmount(amount));
  return floats.map(({ operator, books, inFlight, ...place }) => ({
    ...place,
    operator: textOf(operator),
    books: textOf(books),
    inFlight: inFlight === null ? null : { in: renderAmount(inFlight.in), out: renderAmount(inFlight.out) },
  }));
}

/** Only ever given what `renderFloats` made; an older build wrote nothing down. */
export function parseFloats(stored: unknown): readonly Float[] {
  const amountOf = (text: string | null) => (text === null ? null : parseSigned(text));
  return ((stored ?? []) as readonly StoredFloat[]).map(({ operator, books, inFlight, ...place }) => ({
    ...place,
    operator: amountOf(operator),
    books: amountOf(books),
    inFlight: inFlight === null ? null : { in: parseSigned(inFlight.in), out: parseSigned(inFlight.out) },
  }));
}
