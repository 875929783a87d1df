// A connection that prepares statements: PostgreSQL parses and plans each text once, however often it is sent.
import { createHash } from 'node:crypto';
import { Client, type QueryResult } from 'pg';

/** Texts of ours are constants, so there are few. Beyond this, texts are made again each time and not worth a name. */
const NAMES_MAX = 500;

const names = new Map<string, string>();

export class PreparingClient extends Client {
  /** As `pg` calls it: with a text and values, with a text alone, or with a query of its own making. */
  override query(text: unknown, values?: unknown, callback?: unknown): Promise<QueryResult> {
    const query = super.query.bind(this) as (...args: readonly unknown[]) => Promise<QueryResult>;
    // Several commands in one text have no values, and cannot be prepared.
    const isPreparable = typeof text === 'string' && Array.isArray(values) && values.length > 0;
    const name = isPreparable ? nameOf(text) : undefined;
    return name === undefined ? query(text, values, callback) : query({ name, text }, values, callback);
  }
}

/** The same text has the same name in every process: a pooler that knows names may give one's connection to another. */
export function statementName(text: string): string {
  return `malipo_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMES_MAX) return known;
  const name = statementName(text);
  names.set(text, name);
  return name;
}
