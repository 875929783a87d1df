// Checks that a received request has a valid signature of the gateway: by one of its keys, over everything that
// matters, and recent. The rules are checked in order, and the first broken one is returned.
import type { PublicKeys } from './api.ts';
import { bytesOf, decodeBase64, type Bytes } from './base64.ts';
import { findDigestFault } from './content-digest.ts';
import { readDictionary, readSignatureInput, type SignatureInput } from './dictionary.ts';
import {
  componentsFor,
  createSignatureBase,
  SIGNATURE_LABEL,
  type SignableRequest,
} from './signature-base.ts';
import { importPublicKey, isSignatureAlgorithm, isSignedBy, type SigningKey } from './signing-key.ts';

export type SignatureRule =
  | 'HEADERS'
  | 'PARAMETERS'
  | 'COMPONENTS'
  | 'ALGORITHM'
  | 'MERCHANT'
  | 'TIME'
  | 'KEY'
  | 'DIGEST'
  | 'SIGNATURE';

export type SignatureFault = { readonly rule: SignatureRule; readonly cause: string };

export type ReceivedSignature = SignatureInput & { readonly inputText: string; readonly bytes: Bytes };

export type SignedRequest = SignableRequest & { readonly body: Bytes };

export type SignatureCheckOptions = {
  readonly keys: PublicKeys;
  readonly now: Date;
  readonly ageMaxSeconds: number;
  readonly merchantId?: string | undefined;
};

/** The allowed clock difference. */
const CLOCK_SKEW_SECONDS = 60;

/** Null if the signature is valid. */
export async function verifySignature(
  request: SignedRequest,
  options: SignatureCheckOptions,
): Promise<SignatureFault | null> {
  const signature = readReceivedSignature(request.headers);
  if ('rule' in signature) return signature;
  const early =
    findFormFault(signature, request) ??
    findMerchantFault(signature, options) ??
    findTimeFault(signature, options);
  if (early !== null) return early;
  const key = await findKey(signature, options);
  if ('rule' in key) return key;
  return (await findBodyFault(request)) ?? (await findSignatureFault(signature, request, key));
}

export function readReceivedSignature(
  headers: ReadonlyMap<string, string>,
): ReceivedSignature | SignatureFault {
  const inputs = readDictionary(headers.get('signature-input') ?? '');
  const signatures = readDictionary(headers.get('signature') ?? '');
  if (inputs === null || signatures === null) {
    return fault('HEADERS', 'Signature-Input or Signature is missing or cannot be read');
  }
  const [label = ''] = inputs.has(SIGNATURE_LABEL) ? [SIGNATURE_LABEL] : inputs.keys();
  const inputText = inputs.get(label) ?? '';
  const input = readSignatureInput(inputText);
  const [, encoded] = /^:([^:]*):$/.exec(signatures.get(label) ?? '') ?? [];
  const bytes = encoded === undefined ? null : decodeBase64(encoded);
  if (input === null || bytes === null) return fault('HEADERS', `the signature ${label} cannot be read`);
  return { ...input, inputText, bytes };
}

function findFormFault(
  { components, parameters }: ReceivedSignature,
  request: SignedRequest,
): SignatureFault | null {
  const lacking = ['alg', 'keyid', 'created', 'expires'].find((name) => !parameters.has(name));
  if (lacking !== undefined) return fault('PARAMETERS', `the signature has no parameter ${lacking}`);
  const uncovered = componentsFor(request.url).find((name) => !components.includes(name));
  if (uncovered !== undefined) return fault('COMPONENTS', `the signature does not cover ${uncovered}`);
  if (isSignatureAlgorithm(parameters.get('alg'))) return null;
  return fault('ALGORITHM', 'the signature has an unknown algorithm');
}

function findMerchantFault(
  { parameters }: ReceivedSignature,
  { merchantId }: SignatureCheckOptions,
): SignatureFault | null {
  if (merchantId === undefined) return null;
  const tag = parameters.get('tag');
  if (typeof tag !== 'string') return fault('MERCHANT', 'the signature names no merchant');
  const isOwn = tag.toLowerCase() === merchantId.toLowerCase();
  return isOwn ? null : fault('MERCHANT', 'the callback is for another merchant');
}

function findTimeFault(
  { parameters }: ReceivedSignature,
  { now, ageMaxSeconds }: SignatureCheckOptions,
): SignatureFault | null {
  const nowSeconds = now.getTime() / 1_000;
  const [created, expires] = [Number(parameters.get('created')), Number(parameters.get('expires'))];
  if (!(created <= nowSeconds + CLOCK_SKEW_SECONDS)) return fault('TIME', 'it was signed in the future');
  if (!(nowSeconds - created <= ageMaxSeconds + CLOCK_SKEW_SECONDS)) {
    return fault('TIME', `it was signed more than ${ageMaxSeconds} seconds ago`);
  }
  return nowSeconds <= expires + CLOCK_SKEW_SECONDS ? null : fault('TIME', 'the signature has expired');
}

/** The published key decides: a signature cannot choose an algorithm that its key is not for. */
async function findKey(
  { parameters }: ReceivedSignature,
  { keys }: SignatureCheckOptions,
): Promise<SigningKey | SignatureFault> {
  const published = keys.find(({ id }) => id === parameters.get('keyid'));
  if (published === undefined) return fault('KEY', 'the gateway has no key with this keyid');
  const algorithm = parameters.get('alg');
  const key = isSignatureAlgorithm(algorithm) ? await importPublicKey(published.key, algorithm) : null;
  return key ?? fault('ALGORITHM', `the published key is not one for ${algorithm}`);
}

async function findBodyFault({ headers, body }: SignedRequest): Promise<SignatureFault | null> {
  const cause = await findDigestFault(headers.get('content-digest') ?? '', body);
  return cause === null ? null : fault('DIGEST', cause);
}

async function findSignatureFault(
  { components, inputText, bytes }: ReceivedSignature,
  request: SignedRequest,
  key: SigningKey,
): Promise<SignatureFault | null> {
  const base = createSignatureBase(request, components, inputText);
  if (base === null)
    return fault('COMPONENTS', 'the signature covers a component that the request does not have');
  return (await isSignedBy(key, bytes, bytesOf(base)))
    ? null
    : fault('SIGNATURE', 'the signature is not valid: check that url is the public URL');
}

function fault(rule: SignatureRule, cause: string): SignatureFault {
  return { rule, cause };
}
