// Reads JSON from outside, without assuming its structure.
import { parseAmount, type Amount } from '../domain/money.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The object in a text; null if it is not JSON or not an object. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An amount written as a string or a number; null for anything else. */
export function amountOf(value: unknown): Amount | null {
  return typeof value === 'string' || typeof value === 'number' ? parseAmount(String(value)) : null;
}

/** The parts of a person's name that are there; null without any. */
export function nameOf(...parts: readonly unknown[]): string | null {
  return parts.flatMap((part) => textOf(part)?.trim() || []).join(' ') || null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
