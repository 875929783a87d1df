// What a request needs to know of the gateway it is sent to, and what a request is.
import type { TestKey } from '../../server/test/signing.ts';
import type { Market } from '../kit/load/markets.ts';
import type { Random } from '../kit/random.ts';

export type World = {
  readonly port: number;
  /** As clients write it in Host. */
  readonly host: string;
  /** May do everything. */
  readonly token: string;
  /** May only read balances. */
  readonly poorToken: string;
  readonly withdrawnToken: string;
  /** A merchant whose requests must be signed. */
  readonly signer: { readonly token: string; readonly key: TestKey };
  /** Somebody who is signed in at the console, and may do everything there. */
  readonly cookie: string;
  readonly password: string;
  readonly markets: readonly Market[];
  /** Others, for the console: what is done there must not keep merchants from being served here. */
  readonly consoleMarkets: readonly Market[];
  readonly offers: readonly Offer[];
  /** Values that exist, by the names of parameters. */
  readonly pool: Readonly<Record<string, readonly string[]>>;
  /** Pages whose forms get nothing but what must not start a payment. */
  readonly pages: readonly Page[];
  /** Deposits at their operator that must stay there: no one may say that they were paid. */
  readonly waiting: readonly Waiting[];
  /** Names of connectors that listen. */
  readonly connectors: readonly string[];
};

/** What the active configuration publishes of one provider in one currency. */
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
  /** Where the merchant sees its outcome, and what it must see. */
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

/** What the specification says must become of a request. */
export type Expected =
  /** Whatever is answered, it is below 500 and in time. */
  | { readonly type: 'ANYTHING' }
  /** 4xx, or the end of the connection. */
  | { readonly type: 'REFUSED'; readonly why: string }
  /** As REFUSED, or 200 with a rejection; in a list at this place. */
  | { readonly type: 'UNACCEPTED'; readonly why: string; readonly at: number | null }
  /** Sound: a run in which none of these is accepted has tried nothing. */
  | { readonly type: 'SOUND' };

export type Case = {
  readonly family: Family;
  readonly what: string;
  readonly bytes: Buffer;
  /** Of each request in the bytes. */
  readonly methods: readonly string[];
  readonly expected: Expected;
  /** Needs a connection of its own, which it may spoil. */
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
