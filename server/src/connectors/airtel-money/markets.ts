// Airtel's markets by the country in a provider's code, and how each is spoken to: which version of disbursements,
// how secrets are encrypted, whether orders are signed. Airtel moves markets from one to the other, so an account can
// say otherwise. Pure.
import type { Account } from '../operator.ts';

export type Dialect = {
  readonly disbursements: 'v1' | 'v2' | 'v3';
  /** PKCS1: RSA 1024 with PKCS #1 v1.5, the first generation. OAEP: RSA 2048 with OAEP and SHA-256, the newer one. */
  readonly encryption: 'PKCS1' | 'OAEP';
  /** Whether orders carry x-signature and x-key. */
  readonly isSigned: boolean;
};

const USUAL: Dialect = { disbursements: 'v1', encryption: 'PKCS1', isSigned: false };

/** AT of Ghana, which was AirtelTigo, is none of them. Madagascar, Chad and others are not in the catalogue. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  COD: USUAL,
  // Disbursements v3 with a key of 2048 bits (T); v3 is the version whose text asks for OAEP (S).
  COG: { disbursements: 'v3', encryption: 'OAEP', isSigned: true },
  GAB: USUAL,
  MWI: USUAL,
  NGA: USUAL,
  RWA: USUAL,
  TZA: USUAL,
  UGA: USUAL,
  // Orders must be signed; the key has 1024 bits (T).
  ZMB: { disbursements: 'v2', encryption: 'PKCS1', isSigned: true },
};

/** AIRTEL_RWA, AIRTEL_OAPI_UGA and their like. */
export function isMarket(provider: string): boolean {
  return dialectOfMarket(provider) !== null;
}

/** Null for a provider that is not Airtel's. */
export function dialectOfMarket(provider: string): Dialect | null {
  const country = /^AIRTEL(?:_OAPI)?_([A-Z]{3})$/.exec(provider)?.[1] ?? '';
  return Object.hasOwn(DIALECTS, country) ? (DIALECTS[country] ?? null) : null;
}

/**
 * How an account is spoken to. Null when a field of it holds a word nobody knows: to send in the usual way then would
 * hide the mistake.
 */
export function dialectOf({ provider, values }: Pick<Account, 'provider' | 'values'>): Dialect | null {
  const usual = dialectOfMarket(provider);
  if (usual === null) return null;
  const disbursements = chosen(values['disbursementVersion'], ['v1', 'v2', 'v3'], usual.disbursements);
  const encryption = chosen(values['encryption'], ['PKCS1', 'OAEP'], usual.encryption);
  const signing = chosen(values['messageSigning'], ['ON', 'OFF'], usual.isSigned ? 'ON' : 'OFF');
  if (disbursements === null || encryption === null || signing === null) return null;
  return { disbursements, encryption, isSigned: signing === 'ON' };
}

function chosen<Word extends string>(
  word: string | undefined,
  words: readonly Word[],
  usual: Word,
): Word | null {
  return word === undefined ? usual : (words.find((one) => one === word) ?? null);
}
