// A line of the exported audit log, and its hash: docs/operating/audit.md describes both, so that another program can
// verify them. Pure.
import { createHash } from 'node:crypto';

/** An entry of the audit log. Times are in UTC with microseconds, as the database has them. */
export type ChainedEntry = {
  readonly entryId: string;
  readonly entryNo: number;
  readonly at: string;
  readonly actor: string;
  readonly act: string;
  readonly merchantId: string | null;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** In hexadecimal; null where no reason was given. */
  readonly reasonHash: string | null;
};

/** What is hashed: the entry, its number, and the hash of the entry before it. */
export type AuditLine = ChainedEntry & {
  readonly no: number;
  readonly previousHash: string;
  readonly chainedAt: string;
  readonly lookedAt: string | null;
};

/** What the first entry has as the hash before it. */
export const FIRST_HASH = '0'.repeat(64);

/** SHA-256 of the line's canonical JSON, in hexadecimal. */
export function hashLine(line: AuditLine): string {
  return createHash('sha256').update(canonicalJson(line)).digest('hex');
}

export function renderAuditLine(line: AuditLine, hash: string): string {
  return canonicalJson({ ...line, hash });
}

/** A point of the chain as people write it: `57:9f86d0…`. The hash can be left out. */
export type ChainPoint = { readonly no: number; readonly hash: string | null };

export function parseChainPoint(text: string): ChainPoint | null {
  const [, no, hash = null] = /^(\d{1,15})(?::([0-9a-f]{64}))?$/.exec(text) ?? [];
  return no === undefined ? null : { no: Number(no), hash };
}

/** RFC 8785: members in the order of their UTF-16 code units, no spaces, numbers and texts as ECMAScript has them. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`).join(',')}}`;
}
