// Whether a request is signed as this gateway requires. The library only verifies the mathematics. Checked here, rule
// by rule: the signature covers what matters, is recent, and uses a registered key.
import type { ProcessTime } from '../../domain/clock.ts';
import { isSignatureAlgorithm, verifyBase, SIGNATURE_ALGORITHMS } from './algorithms.ts';
import type { SignatureAlgorithm } from './algorithms.ts';
import { findDigestFault } from './content-digest.ts';
import { headerText } from './members.ts';
import {
  readSignature,
  signatureFault,
  type ReceivedSignature,
  type SignatureFault,
} from './read-signature.ts';
import { createSignatureBase, type SignableRequest } from './signature-base.ts';

/** With the body bytes as received. */
export type SignedRequest = SignableRequest & { readonly body: Buffer };

export type PublicKey = { readonly algorithm: SignatureAlgorithm; readonly pem: string };

export type Verdict = {
  /** Null if the signature is valid. */
  readonly fault: SignatureFault | null;
  /** The chosen signature and its expected base; null if they could not be determined. */
  readonly signature: ReceivedSignature | null;
  readonly base: string | null;
};

export type SignatureCheckOptions = {
  readonly now: ProcessTime;
  readonly publicKeys: ReadonlyMap<string, PublicKey>;
};

/** What every signature must cover; also `@query`, if the address has one. */
export const REQUIRED_COMPONENTS = [
  '@method',
  '@authority',
  '@path',
  'signature-date',
  'content-digest',
  'content-type',
] as const;

/** What can be derived from a request; the library silently ignores some other names. */
const DERIVED_COMPONENTS = [
  '@method',
  '@authority',
  '@path',
  '@query',
  '@scheme',
  '@target-uri',
  '@request-target',
];

const REQUIRED_PARAMETERS = ['alg', 'keyid', 'created', 'expires'] as const;

/**
 * The maximum age of a signature, whatever it claims: some clients compute its expiry in the wrong unit and get weeks.
 * Libraries use five minutes.
 */
export const AGE_MAX_SECONDS = 300;

/** The allowed clock difference. */
export const CLOCK_SKEW_SECONDS = 60;

export function checkSignature(request: SignedRequest, options: SignatureCheckOptions): Verdict {
  const read = readSignature(request.headers);
  if (read.type === 'FAULT') return { fault: read, signature: null, base: null };
  const { signature } = read;
  const base = tryBase(request, signature.inputText);
  const fault =
    findParameterFault(signature) ??
    findComponentFault(signature, request) ??
    findAlgorithmFault(signature) ??
    findTimeFault(signature, request, options.now) ??
    findKeyNameFault(signature, options.publicKeys) ??
    findBodyFault(request) ??
    findSignatureFault(signature, base, options.publicKeys);
  return { fault, signature, base };
}

function tryBase(request: SignedRequest, inputText: string): string | null {
  try {
    return createSignatureBase(request, inputText);
  } catch {
    return null;
  }
}

function findParameterFault({ parameters }: ReceivedSignature): SignatureFault | null {
  const missing = REQUIRED_PARAMETERS.find((name) => !parameters.has(name));
  if (missing !== undefined)
    return signatureFault('PARAMETERS', `the signature lacks the parameter ${missing}`);
  const wrong = REQUIRED_PARAMETERS.find((name) =>
    name === 'alg' || name === 'keyid'
      ? typeof parameters.get(name) !== 'string'
      : !Number.isInteger(parameters.get(name)),
  );
  if (wrong === undefined) return null;
  const form = wrong === 'alg' || wrong === 'keyid' ? 'a text in quotes' : 'a whole number of seconds';
  return signatureFault('PARAMETERS', `the parameter ${wrong} of the signature must be ${form}`);
}

function findComponentFault(
  { components }: ReceivedSignature,
  request: SignedRequest,
): SignatureFault | null {
  const adorned = components.find(({ hasParameters }) => hasParameters);
  if (adorned !== undefined) return componentFault(`the component ${adorned.name} must have no parameters`);
  const names = components.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) return componentFault(`the signature covers ${repeated} twice`);
  const isAsked = request.url.includes('?');
  const missing = [...REQUIRED_COMPONENTS, ...(isAsked ? ['@query'] : [])].find(
    (name) => !names.includes(name),
  );
  if (missing !== undefined) return componentFault(`the signature does not cover ${missing}`);
  const absent = names.find((name) =>
    name.startsWith('@')
      ? !DERIVED_COMPONENTS.includes(name)
      : headerText(request.headers, name) === undefined,
  );
  return absent === undefined
    ? null
    : componentFault(`the signature covers ${absent}, which the request does not have`);
}

function componentFault(cause: string): SignatureFault {
  return signatureFault('COMPONENTS', cause);
}

function findAlgorithmFault({ parameters }: ReceivedSignature): SignatureFault | null {
  if (isSignatureAlgorithm(parameters.get('alg'))) return null;
  const known = SIGNATURE_ALGORITHMS.join(', ');
  return signatureFault('ALGORITHM', `the algorithm of the signature must be one of ${known}`);
}

function findTimeFault(
  { parameters }: ReceivedSignature,
  { headers }: SignedRequest,
  now: ProcessTime,
): SignatureFault | null {
  const nowSeconds = Math.floor(now.getTime() / 1_000);
  const [created, expires] = [Number(parameters.get('created')), Number(parameters.get('expires'))];
  if (expires <= created) return timeFault('the signature expires before it was created');
  if (created > nowSeconds + CLOCK_SKEW_SECONDS) return timeFault('the signature was created in the future');
  if (nowSeconds - created > AGE_MAX_SECONDS) {
    return timeFault(`the signature is older than ${AGE_MAX_SECONDS} seconds`);
  }
  if (nowSeconds > expires + CLOCK_SKEW_SECONDS) return timeFault('the signature has expired');
  const signedAt = parseSignatureDate(headerText(headers, 'signature-date') ?? '');
  if (signedAt === null)
    return timeFault('the Signature-Date header must be a time such as 2026-01-31T08:00:00Z');
  const awaySeconds = Math.abs(signedAt.getTime() / 1_000 - created);
  return awaySeconds > CLOCK_SKEW_SECONDS
    ? timeFault('the Signature-Date header is not when it was created')
    : null;
}

function timeFault(cause: string): SignatureFault {
  return signatureFault('TIME', cause);
}

/** RFC 3339 in UTC. */
function parseSignatureDate(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|\+00:00)$/.test(text)) return null;
  const date = new Date(text.toUpperCase());
  return Number.isNaN(date.getTime()) ? null : date;
}

function findKeyNameFault(
  { parameters }: ReceivedSignature,
  publicKeys: SignatureCheckOptions['publicKeys'],
): SignatureFault | null {
  const key = publicKeys.get(String(parameters.get('keyid')));
  if (key === undefined)
    return signatureFault('KEY', 'the account has no public key of the name that keyid says');
  if (key.algorithm === parameters.get('alg')) return null;
  return signatureFault('KEY', `the public key is registered for ${key.algorithm}, and alg says another`);
}

function findBodyFault({ headers, body }: SignedRequest): SignatureFault | null {
  const cause = findDigestFault(headerText(headers, 'content-digest'), body);
  return cause === null ? null : signatureFault('DIGEST', cause);
}

function findSignatureFault(
  { parameters, bytes }: ReceivedSignature,
  base: string | null,
  publicKeys: SignatureCheckOptions['publicKeys'],
): SignatureFault | null {
  if (base === null)
    return signatureFault('COMPONENTS', 'the signature covers something that no request has');
  const key = publicKeys.get(String(parameters.get('keyid')));
  if (key !== undefined && isVerified(base, bytes, key)) return null;
  return signatureFault('SIGNATURE', 'the signature does not fit the request');
}

/** Invalid signature bytes make the verifier throw; they count as a wrong signature. */
function isVerified(base: string, bytes: Buffer, key: PublicKey): boolean {
  try {
    return verifyBase(base, bytes, key);
  } catch {
    return false;
  }
}
