// Airtel's markets by the country in the provider code, and what each requires: endpoint versions, encryption, signed
// requests. Airtel moves markets between versions and sources disagree, so account settings override these values.
// Pure.
import type { Account } from '../operator.ts';

export type Dialect = {
  /** Version of collections and refunds. It is independent of signing: clients sign on v1 and on v2. */
  readonly collections: 'v1' | 'v2';
  readonly disbursements: Version;
  /** Version of the disbursement enquiry; default: the version of the disbursement. */
  readonly enquiries: Version;
  readonly encryption: Encryption;
  /** Whether requests carry x-signature and x-key. */
  readonly isSigned: boolean;
  readonly habits: Habits;
};

/** Requirements of single markets. Gabon uses CFA as its currency code, and phone numbers that begin with 0. */
export type Habits = { readonly currencyCode?: string; readonly numberPrefix?: string };

export function habitsOf({ values }: Pick<Account, 'values'>): Habits {
  const { currencyCode, numberPrefix } = values;
  return {
    ...(currencyCode === undefined ? {} : { currencyCode }),
    ...(numberPrefix === undefined ? {} : { numberPrefix }),
  };
}

export type Version = 'v1' | 'v2' | 'v3';

/**
 * PKCS1: RSA 1024 with PKCS #1 v1.5, the first API version. OAEP: RSA 2048 with OAEP and SHA-256, the newer one. Its
 * mask uses SHA-256 too, or SHA-1 as in Java's default.
 */
export const ENCRYPTIONS = ['PKCS1', 'OAEP', 'OAEP_MGF1_SHA1'] as const;
export type Encryption = (typeof ENCRYPTIONS)[number];

type Market = Omit<Dialect, 'enquiries' | 'habits'>;

const USUAL: Market = { collections: 'v1', disbursements: 'v1', encryption: 'PKCS1', isSigned: false };

/** AT in Ghana (formerly AirtelTigo) does not use this API. Madagascar, Chad and others are not in the catalogue. */
const MARKETS: Readonly<Record<string, Market>> = {
  COD: USUAL,
  // Disbursements v3 with a key of 2048 bits (T); v3 is the version whose text asks for OAEP (S).
  COG: { collections: 'v2', disbursements: 'v3', encryption: 'OAEP', isSigned: true },
  GAB: USUAL,
  MWI: USUAL,
  NGA: USUAL,
  RWA: USUAL,
  TZA: USUAL,
  UGA: USUAL,
  // Requests must be signed; the key has 1024 bits (T).
  ZMB: { collections: 'v2', disbursements: 'v2', encryption: 'PKCS1', isSigned: true },
};

/** Matches AIRTEL_RWA, AIRTEL_OAPI_UGA and similar. */
export function isMarket(provider: string): boolean {
  return dialectOfMarket(provider) !== null;
}

/** Null for a provider that is not Airtel's. */
export function dialectOfMarket(provider: string): Dialect | null {
  return dialectOf({ provider, values: {} });
}

/**
 * The market's settings, overridden by the account's. Null if an account field has an unknown value: falling back to
 * the default would hide the mistake.
 */
export function dialectOf({ provider, values }: Pick<Account, 'provider' | 'values'>): Dialect | null {
  const country = /^AIRTEL(?:_OAPI)?_([A-Z]{3})$/.exec(provider)?.[1] ?? '';
  const usual = Object.hasOwn(MARKETS, country) ? MARKETS[country] : undefined;
  if (usual === undefined) return null;
  const collections = chosen(values['collectionVersion'], ['v1', 'v2'], usual.collections);
  const disbursements = chosen(values['disbursementVersion'], VERSIONS, usual.disbursements);
  const enquiries = chosen(values['enquiryVersion'], VERSIONS, disbursements);
  const encryption = chosen(values['encryption'], ENCRYPTIONS, usual.encryption);
  const signing = chosen(values['messageSigning'], ['ON', 'OFF'], usual.isSigned ? 'ON' : 'OFF');
  if (collections === null || disbursements === null || enquiries === null) return null;
  if (encryption === null || signing === null) return null;
  const habits = habitsOf({ values });
  return { collections, disbursements, enquiries, encryption, isSigned: signing === 'ON', habits };
}

const VERSIONS = ['v1', 'v2', 'v3'] as const;

function chosen<Word extends string>(
  word: string | undefined,
  words: readonly Word[],
  usual: Word | null,
): Word | null {
  return word === undefined ? usual : (words.find((one) => one === word) ?? null);
}
