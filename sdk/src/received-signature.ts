// Checks that a received request has a valid signature of the gateway: by one of its keys, over everything that
// matters, and recent. The rules are checked in order, and the first broken one is returned.
import type { PublicKeys } from './api.ts';
import { bytesOf, decodeBase64, readPem, type Bytes } from './base64.ts';
import { findDigestFault } from './content-digest.ts';
import { readDictionary, readSignatureInput, type SignatureInput } from './dictionary.ts';
import { derToRaw } from './ecdsa-encoding.ts';
import {
  componentsFor,
  createSignatureBase,
  SIGNATURE_LABEL,
  type SignableRequest,
} from './signature-base.ts';

export type SignatureRule =
  | 'HEADERS'
  | 'PARAMETERS'
  | 'COMPONENTS'
  | 'ALGORITHM'
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
};

/** The only algorithm the gateway signs with. */
export const GATEWAY_ALGORITHM = 'ecdsa-p256-sha256';
const NUMBER_BYTES = 32;

/** The allowed clock difference. */
const CLOCK_SKEW_SECONDS = 60;

/** Null if the signature is valid. */
export async function verifySignature(
  request: SignedRequest,
  options: SignatureCheckOptions,
): Promise<SignatureFault | null> {
  const signature = readReceivedSignature(request.headers);
  if ('rule' in signature) return signature;
  return (
    findFormFault(signature, request) ??
    findTimeFault(signature, options) ??
    findKeyFault(signature, options) ??
    (await findBodyFault(request)) ??
    (await findSignatureFault(signature, request, options))
  );
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
  if (lacking !== undefined) return fault('PARAMETERS', `the signature lacks the parameter ${lacking}`);
  const uncovered = componentsFor(request.url).find((name) => !components.includes(name));
  if (uncovered !== undefined) return fault('COMPONENTS', `the signature does not cover ${uncovered}`);
  if (parameters.get('alg') === GATEWAY_ALGORITHM) return null;
  return fault('ALGORITHM', `the gateway signs with ${GATEWAY_ALGORITHM} only`);
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

function findKeyFault(
  { parameters }: ReceivedSignature,
  { keys }: SignatureCheckOptions,
): SignatureFault | null {
  const keyId = parameters.get('keyid');
  return keys.some(({ id }) => id === keyId)
    ? null
    : fault('KEY', 'the gateway publishes no key of this keyid');
}

async function findBodyFault({ headers, body }: SignedRequest): Promise<SignatureFault | null> {
  const cause = await findDigestFault(headers.get('content-digest') ?? '', body);
  return cause === null ? null : fault('DIGEST', cause);
}

async function findSignatureFault(
  { components, parameters, inputText, bytes }: ReceivedSignature,
  request: SignedRequest,
  { keys }: SignatureCheckOptions,
): Promise<SignatureFault | null> {
  const base = createSignatureBase(request, components, inputText);
  if (base === null) return fault('COMPONENTS', 'the signature covers what the request does not have');
  const pem = keys.find(({ id }) => id === parameters.get('keyid'))?.key ?? '';
  const isGood = await isSignedBy(pem, bytes, bytesOf(base));
  return isGood
    ? null
    : fault('SIGNATURE', 'the signature does not fit: check that url is the public address');
}

async function isSignedBy(pem: string, signature: Bytes, base: Bytes): Promise<boolean> {
  const der = readPem(pem, 'PUBLIC KEY');
  if (der === null) return false;
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await crypto.subtle.importKey('spki', der, curve, false, ['verify']).catch(() => null);
  if (key === null) return false;
  // A DER signature can have the length of a raw one, so length alone does not decide.
  const forms = [derToRaw(signature, NUMBER_BYTES), signature.length === 2 * NUMBER_BYTES ? signature : null];
  const by = { name: 'ECDSA', hash: 'SHA-256' };
  const verdicts = forms.flatMap((raw) => (raw === null ? [] : crypto.subtle.verify(by, key, raw, base)));
  return (await Promise.all(verdicts)).includes(true);
}

function fault(rule: SignatureRule, cause: string): SignatureFault {
  return { rule, cause };
}
