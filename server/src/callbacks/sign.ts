// The signature headers of a callback: they prove that it comes from this gateway, is about a payment of this merchant,
// unchanged and recent.
import type { ProcessTime } from '../domain/clock.ts';
import { SIGNATURE_ALGORITHMS } from '../wire/http-signature/algorithms.ts';
import { DIGEST_ALGORITHMS, renderContentDigest } from '../wire/http-signature/content-digest.ts';
import { createSignatureBase } from '../wire/http-signature/signature-base.ts';
import { signMessage, type SigningKey } from '../wire/http-signature/sign-message.ts';

const URL_COMPONENTS = ['@method', '@authority', '@path'] as const;
const SIGNED_HEADERS = ['signature-date', 'content-digest', 'content-type'] as const;

export type CallbackToSign = {
  /** Identifiers are unique within one merchant, and anyone can enter another's address as theirs. */
  readonly merchantId: string;
  readonly url: string;
  readonly body: string;
  readonly key: SigningKey;
  readonly now: ProcessTime;
};

/** Every attempt is signed again: a signature is valid for minutes, a body for days. */
export function signCallback(callback: CallbackToSign): Readonly<Record<string, string>> {
  const { merchantId, url, body, key, now } = callback;
  const headers = {
    'content-type': 'application/json; charset=UTF-8',
    'content-digest': renderContentDigest(Buffer.from(body), 'sha-512'),
    'signature-date': now.toISOString(),
    'accept-signature': SIGNATURE_ALGORITHMS.join(','),
    'accept-digest': DIGEST_ALGORITHMS.join(','),
  };
  const { components, method, query } = linesOf(url);
  const message = (inputText: string) => {
    const signed = [...SIGNED_HEADERS.map((name) => `"${name}": ${headers[name]}`), ...query];
    return [...method, ...signed, `"@signature-params": ${inputText}`].join('\n');
  };
  return { ...headers, ...signMessage({ message, components, key, now, tag: merchantId }) };
}

type UrlLines = {
  readonly components: readonly string[];
  /** Lines of the base before the headers, and behind them. */
  readonly method: readonly string[];
  readonly query: readonly string[];
};

/** Lines that follow from the address alone: each address is taken apart once. */
const known = new Map<string, UrlLines>();
const KNOWN_MAX = 1_000;

function linesOf(url: string): UrlLines {
  const lines = known.get(url) ?? takeApart(url);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(url, lines);
  return lines;
}

function takeApart(url: string): UrlLines {
  const lines = (names: readonly string[]) => {
    const inputText = `(${names.map((name) => `"${name}"`).join(' ')})`;
    return createSignatureBase({ method: 'POST', url, headers: {} }, inputText).split('\n').slice(0, -1);
  };
  const query = new URL(url).search === '' ? [] : ['@query'];
  const components = [...URL_COMPONENTS, ...SIGNED_HEADERS, ...query];
  return { components, method: lines(URL_COMPONENTS), query: lines(query) };
}
