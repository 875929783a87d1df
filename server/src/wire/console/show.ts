// Rows as answers of the console show them: times and amounts as text, null for what is not there.
import { renderAmount } from '../../domain/money.ts';

export type Shown<Value> = Value extends Date | bigint
  ? string
  : Value extends undefined
    ? null
    : Value extends readonly (infer One)[]
      ? Shown<One>[]
      : Value;

/** These fields of a row, and no others. */
export function show<Row extends object, Name extends keyof Row>(
  row: Row,
  ...names: readonly Name[]
): { [Key in Name]-?: Shown<Row[Key]> } {
  const fields = names.map((name) => [name, showValue(row[name])]);
  return Object.fromEntries(fields) as { [Key in Name]-?: Shown<Row[Key]> };
}

export function showValue<Value>(value: Value): Shown<Value> {
  return shownOf(value) as Shown<Value>;
}

function shownOf(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return renderAmount(value);
  return Array.isArray(value) ? value.map(shownOf) : (value ?? null);
}

/** Of a wallet that is not tied to one provider, the provider is the empty text. */
export function orNone(provider: string): string | null {
  return provider === '' ? null : provider;
}
