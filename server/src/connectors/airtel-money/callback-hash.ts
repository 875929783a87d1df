// Checks that the hash of a callback was made with the app's private key. Airtel's pages disagree: the hash covers the
// transaction, or the body without the hash, and one page puts it in a header. Each variant needs the key, so all are
// tried on the raw bytes. Only the hashed part is used. Pure.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject, parseObject, textOf, type JsonObject } from '../json.ts';
import type { RawNotification } from '../port.ts';

/** The transaction that the hash authenticates; null if the hash is missing or does not match. */
export function authenticTransaction(
  { body, headers }: Pick<RawNotification, 'body' | 'headers'>,
  key: string,
): JsonObject | null {
  const text = body.toString('utf8');
  const message = parseObject(text);
  const hash = textOf(message?.['hash']) ?? headers['hash'];
  if (message === null || hash === undefined) return null;
  const hashed = readings(text, message).find((one) => isHashOf(one.text, { hash, key }));
  if (hashed === undefined) return null;
  const vouched = parseObject(hashed.text);
  const transaction = hashed.isBody ? vouched?.['transaction'] : vouched;
  return isObject(transaction) ? transaction : null;
}

type Reading = { readonly text: string; readonly isBody: boolean };

function readings(text: string, message: JsonObject): readonly Reading[] {
  const { hash: _hash, ...withoutHash } = message;
  return [
    { text: sliceOfTransaction(text), isBody: false },
    { text: JSON.stringify(message['transaction'] ?? null), isBody: false },
    { text: text.replace(/,\s*"hash"\s*:\s*"[^"]*"|"hash"\s*:\s*"[^"]*"\s*,/, ''), isBody: true },
    { text: JSON.stringify(withoutHash), isBody: true },
  ];
}

/** The raw text of the transaction, with its spaces and escapes; undefined if there is none. */
function sliceOfTransaction(text: string): string {
  const opening = /"transaction"\s*:\s*(?=\{)/.exec(text);
  if (opening === null) return '';
  const start = opening.index + opening[0].length;
  let depth = 0;
  // Skips whole strings, because a brace inside a string closes nothing. An unterminated string takes the rest of the
  // text: searching for its end from each quote would take quadratic time.
  for (const { 0: part, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}]/g)) {
    if (part === '{') depth += 1;
    if (part === '}') depth -= 1;
    if (depth === 0) return text.slice(start, start + index + 1);
  }
  return '';
}

function isHashOf(text: string, { hash, key }: { readonly hash: string; readonly key: string }): boolean {
  const expected = Buffer.from(createHmac('sha256', key).update(text).digest('base64'));
  const given = Buffer.from(hash);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
