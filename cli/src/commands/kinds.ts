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
export type Action = 'resend' | 'cancel' | 'expire';

export type Kind = {
  /** "split payment". */
  readonly name: string;
  /** The field of its identifier. */
  readonly idName: string;
  readonly resource: (malipo: Malipo) => Resource;
  readonly actions: Readonly<Partial<Record<Action, (malipo: Malipo, id: string) => Promise<Acted>>>>;
  /** Without FILE, which every kind has. */
  readonly options: readonly Option[];
  readonly isFileRequired: boolean;
  readonly request: (call: Call, malipo: Malipo) => Promise<Fields>;
  readonly example: string;
};

/** The first word of the commands of a kind, as in the server's commands: "split-payment". */
export const groupOf = ({ name }: Pick<Kind, 'name'>) => name.replace(' ', '-');

const RETURN_OPTIONS: readonly Option[] = [
  { name: 'successful-url', value: 'URL', summary: 'Where the payer goes after approving on a page.' },
  { name: 'failed-url', value: 'URL', summary: 'Where the payer goes after not approving.' },
  { name: 'code', value: 'CODE', summary: 'One-time code that the payer got from the provider.' },
];

const EXAMPLE = '--amount 100 --currency RWF --phone 250783456789';

/** A file may hold everything; without one, these are required. */
function required(options: readonly Option[], ...names: readonly string[]): readonly Option[] {
  return options.map((option) =>
    names.includes(option.name) ? { ...option, isRequired: true, replacedBy: FILE.name } : option,
  );
}

const DEPOSITS: Kind = {
  name: 'deposit',
  idName: 'depositId',
  resource: ({ deposits }) => deposits,
  actions: { resend: ({ deposits }, id) => deposits.resendCallback(id) },
  options: required(
    [...MONEY_OPTIONS, ...PARTY_OPTIONS, ...RETURN_OPTIONS, ...COMMON_OPTIONS],
    'amount',
    'currency',
    'phone',
  ),
  isFileRequired: false,
  request: async (call, malipo) => ({
    ...commonFields(call),
    ...(await partyFields(call, malipo, 'payer')),
    ...given({
      successfulUrl: textOf(call, 'successful-url'),
      failedUrl: textOf(call, 'failed-url'),
      preAuthorisationCode: textOf(call, 'code'),
    }),
  }),
  example: EXAMPLE,
};

const PAYOUTS: Kind = {
  name: 'payout',
  idName: 'payoutId',
  resource: ({ payouts }) => payouts,
  actions: {
    resend: ({ payouts }, id) => payouts.resendCallback(id),
    cancel: ({ payouts }, id) => payouts.cancel(id),
  },
  options: required([...MONEY_OPTIONS, ...PARTY_OPTIONS, ...COMMON_OPTIONS], 'amount', 'currency', 'phone'),
  isFileRequired: false,
  request: async (call, malipo) => ({
    ...commonFields(call),
    ...(await partyFields(call, malipo, 'recipient')),
  }),
  example: EXAMPLE,
};

const REFUNDS: Kind = {
  name: 'refund',
  idName: 'refundId',
  resource: ({ refunds }) => refunds,
  actions: {
    resend: ({ refunds }, id) => refunds.resendCallback(id),
    cancel: ({ refunds }, id) => refunds.cancel(id),
  },
  options: required(
    [
      { name: 'deposit', value: 'UUID', summary: 'Identifier of the deposit to refund.' },
      ...MONEY_OPTIONS,
      ...COMMON_OPTIONS,
    ],
    'deposit',
  ),
  isFileRequired: false,
  request: async (call) => ({
    ...commonFields(call),
    ...given({ depositId: textOf(call, 'deposit') }),
  }),
  example: '--deposit 0b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e --amount 50 --currency RWF',
};

/** Requests with too many fields for options. */
function fromFile(kind: Pick<Kind, 'name' | 'idName' | 'resource' | 'actions'>): Kind {
  return {
    ...kind,
    options: COMMON_OPTIONS,
    isFileRequired: true,
    request: async (call) => commonFields(call),
    example: `--file ${groupOf(kind)}.json`,
  };
}

export const KINDS: readonly Kind[] = [
  DEPOSITS,
  PAYOUTS,
  REFUNDS,
  fromFile({
    name: 'remittance',
    idName: 'remittanceId',
    resource: ({ remittances }) => remittances,
    actions: {
      resend: ({ remittances }, id) => remittances.resendCallback(id),
      cancel: ({ remittances }, id) => remittances.cancel(id),
    },
  }),
  fromFile({
    name: 'split payment',
    idName: 'splitPaymentId',
    resource: ({ splitPayments }) => splitPayments,
    actions: {},
  }),
  fromFile({
    name: 'checkout',
    idName: 'checkoutId',
    resource: ({ checkouts }) => checkouts,
    actions: { expire: ({ checkouts }, id) => checkouts.expire(id) },
  }),
];
