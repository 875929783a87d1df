// Reading JSON nobody has promised anything about. Shared by both ends of the simulator's protocol.

export type JsonObject = Readonly<Record<string, unknown>>;

/** The object a text holds; null when it is not JSON or not an object. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
