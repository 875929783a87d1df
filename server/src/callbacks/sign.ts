// The signature headers of a callback: they prove that it comes from this gateway, unchanged and recent.
import { SIGNATURE_ALGORITHMS } from '../wire/http-signature/algorithms.ts';
import { DIGEST_ALGORITHMS, renderContentDigest } from '../wire/http-signature/content-digest.ts';
import { signMessage, type SigningKey } from '../wire/http-signature/sign-message.ts';

const COMPONENTS = [
  '@method',
  '@authority',
  '@path',
  'signature-date',
  'content-digest',
  'content-type',
] as const;

export type CallbackToSign = {
  readonly url: string;
  readonly body: string;
  readonly key: SigningKey;
  readonly now: Date;
};

/** Every attempt is signed again: a signature is valid for minutes, a body for days. */
export function signCallback(callback: CallbackToSign): Readonly<Record<string, string>> {
  const { url, body, key, now } = callback;
  const headers = {
    'content-type': 'application/json; charset=UTF-8',
    'content-digest': renderContentDigest(Buffer.from(body), 'sha-512'),
    'signature-date': now.toISOString(),
    'accept-signature': SIGNATURE_ALGORITHMS.join(','),
    'accept-digest': DIGEST_ALGORITHMS.join(','),
  };
  const query = new URL(url).search === '' ? [] : ['@query'];
  const components = [...COMPONENTS, ...query];
  const signature = signMessage({ message: { method: 'POST', url, headers }, components, key, now });
  return { ...headers, ...signature };
}
