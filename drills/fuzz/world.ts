// What a request needs to know about the gateway, and the type of a request.
import type { TestKey } from '../../server/test/signing.ts';
import type { Market } from '../kit/load/markets.ts';
import type { Random } from '../kit/random.ts';

export type World = {
  readonly port: number;
  /** The Host header of clients. */
  readonly host: string;
  /** Has all scopes. */
  readonly token: string;
  /** May only read balances. */
  readonly poorToken: string;
  readonly withdrawnToken: string;
  /** A merchant whose requests must be signed. */
  readonly signer: { readonly token: string; readonly key: TestKey };
  /** A user of the console with all permissions. */
  readonly cookie: string;
  readonly password: string;
  readonly markets: readonly Market[];
  /** Further merchants, for the console: its actions must not affect the merchants above. */
  readonly consoleMarkets: readonly Market[];
  readonly offers: readonly Offer[];
  /** Existing values, by the names of parameters. */
  readonly pool: Readonly<Record<string, readonly string[]>>;
  /** Pages whose forms get only input that must not start a payment. */
  readonly pages: readonly Page[];
  /** Deposits at their operator that must stay there: no message may complete them. */
  readonly waiting: readonly Waiting[];
  /** Names of connectors that listen. */
  readonly connectors: readonly string[];
};

/** The active configuration of one provider in one currency. */
export type Offer = {
  readonly provider: string;
  readonly country: string;
  readonly prefix: string;
  readonly currency: string;
  readonly authType: string;
  readonly limits: Readonly<Record<string, Limits | undefined>>;
};

export type Limits = { readonly min: string; readonly max: string; readonly decimals: number };

export type Page = {
  readonly path: string;
  /** Of its form. */
  readonly token: string;
  /** Where the merchant sees its outcome, and the expected status. */
  readonly statusPath: string;
  readonly untouched: readonly string[];
};

export type Waiting = { readonly depositId: string; readonly reference: string };

export const FAMILIES = [
  'values of API v2',
  'values of API v1',
  'values of the console',
  'broken JSON',
  'addresses',
  'queries',
  'headers',
  'tokens',
  'signatures',
  'compressed bodies',
  'framing',
  'hosted pages',
  'notifications',
  'sign-in',
] as const;

export type Family = (typeof FAMILIES)[number];

/** The expected answer to a request. */
export type Expected =
  /** Any answer below 500, in time. */
  | { readonly type: 'ANYTHING' }
  /** 4xx, or a closed connection. */
  | { readonly type: 'REFUSED'; readonly why: string }
  /** As REFUSED, or 200 with a rejection; in a list at this position. */
  | { readonly type: 'UNACCEPTED'; readonly why: string; readonly at: number | null }
  /** Valid: a run in which none of these is accepted has tested nothing. */
  | { readonly type: 'SOUND' };

export type Case = {
  readonly family: Family;
  readonly what: string;
  readonly bytes: Buffer;
  /** Of each request in the bytes. */
  readonly methods: readonly string[];
  readonly expected: Expected;
  /** Needs its own connection, which it may break. */
  readonly isAlone?: boolean;
  readonly isHalfClosed?: boolean;
};

export type Scene = {
  readonly random: Random;
  readonly world: World;
  readonly market: Market;
  /** Inside a part of a split payment. */
  readonly isPart?: boolean;
};

export const ANYTHING: Expected = { type: 'ANYTHING' };

export function refused(why: string): Expected {
  return { type: 'REFUSED', why };
}
