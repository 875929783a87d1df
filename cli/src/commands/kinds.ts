// The kinds of payments, and the actions of each.
import type { Acted, Found, Malipo, Started } from '@malipo/sdk';
import { textOf, type Call, type Option } from '../command.ts';
import {
  COMMON_OPTIONS,
  commonFields,
  FILE,
  given,
  MONEY_OPTIONS,
  PARTY_OPTIONS,
  partyFields,
} from './requests.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The methods of the SDK for every kind; the gateway checks requests, not the compiler. */
export type Resource = {
  readonly create: (request: never) => Promise<Started>;
  readonly get: (id: string) => Promise<Found<object>>;
  readonly waitForFinal: (
    id: string,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ) => Promise<object>;
};

/** Actions on an existing payment. */
export type Act = 'resend' | 'cancel' | 'expire';

export type Kind = {
  /** "deposits". */
  readonly group: string;
  /** "deposit". */
  readonly name: string;
  readonly resource: (malipo: Malipo) => Resource;
  readonly acts: Readonly<Partial<Record<Act, (malipo: Malipo, id: string) => Promise<Acted>>>>;
  readonly options: readonly Option[];
  /** Options that are required without a file. */
  readonly needed: readonly string[];
  readonly request: (call: Call, malipo: Malipo) => Promise<Fields>;
  readonly example: string;
};

const ADDRESSES: readonly Option[] = [
  { name: 'successful-url', value: 'URL', summary: 'Where the payer goes after approving on a page.' },
  { name: 'failed-url', value: 'URL', summary: 'Where the payer goes after not approving.' },
  { name: 'code', value: 'CODE', summary: 'The one-time code that the payer got from the provider.' },
];

const MONEY_ORDER = '--amount 100 --currency RWF --phone 250783456789';

const DEPOSITS: Kind = {
  group: 'deposits',
  name: 'deposit',
  resource: ({ deposits }) => deposits,
  acts: { resend: ({ deposits }, id) => deposits.resendCallback(id) },
  options: [...MONEY_OPTIONS, ...PARTY_OPTIONS, ...ADDRESSES, ...COMMON_OPTIONS],
  needed: ['amount', 'currency', 'phone'],
  request: async (call, malipo) => ({
    ...commonFields(call, 'depositId'),
    ...(await partyFields(call, malipo, 'payer')),
    ...given({
      successfulUrl: textOf(call, 'successful-url'),
      failedUrl: textOf(call, 'failed-url'),
      preAuthorisationCode: textOf(call, 'code'),
    }),
  }),
  example: MONEY_ORDER,
};

const PAYOUTS: Kind = {
  group: 'payouts',
  name: 'payout',
  resource: ({ payouts }) => payouts,
  acts: {
    resend: ({ payouts }, id) => payouts.resendCallback(id),
    cancel: ({ payouts }, id) => payouts.cancel(id),
  },
  options: [...MONEY_OPTIONS, ...PARTY_OPTIONS, ...COMMON_OPTIONS],
  needed: ['amount', 'currency', 'phone'],
  request: async (call, malipo) => ({
    ...commonFields(call, 'payoutId'),
    ...(await partyFields(call, malipo, 'recipient')),
  }),
  example: MONEY_ORDER,
};

const REFUNDS: Kind = {
  group: 'refunds',
  name: 'refund',
  resource: ({ refunds }) => refunds,
  acts: {
    resend: ({ refunds }, id) => refunds.resendCallback(id),
    cancel: ({ refunds }, id) => refunds.cancel(id),
  },
  options: [
    { name: 'deposit', value: 'UUID', summary: 'The deposit to refund.' },
    ...MONEY_OPTIONS,
    ...COMMON_OPTIONS,
  ],
  needed: ['deposit'],
  request: async (call) => ({
    ...commonFields(call, 'refundId'),
    ...given({ depositId: textOf(call, 'deposit') }),
  }),
  example: '--deposit 0b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e --amount 50 --currency RWF',
};

/** Requests with too many fields for options. */
function fromFile(kind: Pick<Kind, 'group' | 'name' | 'resource' | 'acts'>, idName: string): Kind {
  return {
    ...kind,
    options: COMMON_OPTIONS,
    needed: [FILE.name],
    request: async (call) => commonFields(call, idName),
    example: `--file ${kind.name}.json`,
  };
}

export const KINDS: readonly Kind[] = [
  DEPOSITS,
  PAYOUTS,
  REFUNDS,
  fromFile(
    {
      group: 'remittances',
      name: 'remittance',
      resource: ({ remittances }) => remittances,
      acts: {
        resend: ({ remittances }, id) => remittances.resendCallback(id),
        cancel: ({ remittances }, id) => remittances.cancel(id),
      },
    },
    'remittanceId',
  ),
  fromFile(
    {
      group: 'split-payments',
      name: 'split payment',
      resource: ({ splitPayments }) => splitPayments,
      acts: {},
    },
    'splitPaymentId',
  ),
  fromFile(
    {
      group: 'checkouts',
      name: 'checkout',
      resource: ({ checkouts }) => checkouts,
      acts: { expire: ({ checkouts }, id) => checkouts.expire(id) },
    },
    'checkoutId',
  ),
];
