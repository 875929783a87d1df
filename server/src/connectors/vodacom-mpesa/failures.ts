// Maps Vodacom's codes to ours. A number can mean something else in Mozambique's older API, and when money flows the
// other way, so there are four tables. README.md gives the certainty of each.
import type { PaymentKind } from '../../domain/payments/payment.ts';
import {
  FAULT_OF_THE_HOST,
  fails,
  meaningOf,
  NOT_FINAL,
  type FailureTable,
  type Meaning,
} from '../failure-table.ts';
import { findMarket, type Market } from './markets.ts';

/** The same meaning everywhere. */
const EVERYWHERE: FailureTable = {
  // Seen for insufficient funds, but also for a payment that succeeded.
  'INS-1': NOT_FINAL,
  'INS-2': FAULT_OF_THE_HOST,
  'INS-4': FAULT_OF_THE_HOST,
  'INS-5': fails('PAYMENT_NOT_APPROVED'),
  'INS-6': fails('UNSPECIFIED_FAILURE'),
  'INS-9': NOT_FINAL,
  'INS-10': NOT_FINAL,
  'INS-13': FAULT_OF_THE_HOST,
  'INS-14': fails('OTHER_ERROR'),
  'INS-15': fails('OTHER_ERROR'),
  'INS-16': NOT_FINAL,
  'INS-17': fails('OTHER_ERROR'),
  'INS-18': fails('OTHER_ERROR'),
  'INS-19': fails('OTHER_ERROR'),
  'INS-20': fails('OTHER_ERROR'),
  'INS-21': fails('OTHER_ERROR'),
  'INS-22': FAULT_OF_THE_HOST,
  'INS-23': NOT_FINAL,
  'INS-24': FAULT_OF_THE_HOST,
  'INS-25': FAULT_OF_THE_HOST,
  // "Not authorised" in the older API, a wrong currency in the newer one: the host must fix both.
  'INS-26': FAULT_OF_THE_HOST,
  'INS-998': FAULT_OF_THE_HOST,
  'INS-2001': FAULT_OF_THE_HOST,
  'INS-2057': fails('OTHER_ERROR'),
};

const OPENAPI: FailureTable = {
  ...EVERYWHERE,
  'INS-28': fails('OTHER_ERROR'),
  'INS-30': fails('OTHER_ERROR'),
  'INS-31': fails('OTHER_ERROR'),
  'INS-35': fails('OTHER_ERROR'),
  // Several limits at once, including the organisation's.
  'INS-992': FAULT_OF_THE_HOST,
  'INS-993': FAULT_OF_THE_HOST,
  'INS-994': FAULT_OF_THE_HOST,
  'INS-995': FAULT_OF_THE_HOST,
  'INS-996': FAULT_OF_THE_HOST,
  'INS-997': FAULT_OF_THE_HOST,
};

/** In the OpenAPI, 993, 994 and 997 are about direct debits and linked transactions, which we never request. */
const OLDER: FailureTable = {
  ...EVERYWHERE,
  'INS-993': fails('OTHER_ERROR'),
  'INS-994': fails('OTHER_ERROR'),
  'INS-995': fails('OTHER_ERROR'),
  'INS-997': fails('OTHER_ERROR'),
};

/** Collections: the debited wallet is the customer's. */
const COLLECTION: FailureTable = {
  'INS-2002': FAULT_OF_THE_HOST,
  'INS-2006': fails('INSUFFICIENT_BALANCE'),
  'INS-2051': fails('PAYER_NOT_FOUND'),
};

/** Payouts and refunds: the debited wallet is our float. */
const TRANSFER: FailureTable = {
  'INS-2002': fails('RECIPIENT_NOT_FOUND'),
  'INS-2006': FAULT_OF_THE_HOST,
  'INS-2051': fails('RECIPIENT_NOT_FOUND'),
};

type Way = 'IN' | 'OUT';

const TABLES: Readonly<Record<Market['form'], Readonly<Record<Way, FailureTable>>>> = {
  OPENAPI: {
    IN: {
      ...OPENAPI,
      ...COLLECTION,
      'INS-990': fails('PAYER_LIMIT_REACHED'),
      'INS-991': fails('PAYER_LIMIT_REACHED'),
    },
    OUT: {
      ...OPENAPI,
      ...TRANSFER,
      'INS-990': fails('RECIPIENT_LIMIT_REACHED'),
      'INS-991': fails('RECIPIENT_LIMIT_REACHED'),
    },
  },
  OLDER: {
    IN: { ...OLDER, ...COLLECTION, 'INS-996': fails('PAYER_NOT_FOUND') },
    OUT: { ...OLDER, ...TRANSFER, 'INS-996': fails('RECIPIENT_NOT_FOUND') },
  },
};

export type Asked = { readonly operation: PaymentKind; readonly provider: string };

const wayOf = ({ operation }: Asked): Way => (operation === 'DEPOSIT' ? 'IN' : 'OUT');

/** The meaning of a code in the answer to a submit; null if unmapped. */
export function parseCode(code: string, asked: Asked): Meaning | null {
  const form = findMarket(asked.provider)?.form ?? 'OPENAPI';
  return meaningOf(TABLES[form][wayOf(asked)], code);
}

/** An enquiry has no PIN, money or phone number, so these codes can only be about the payment. */
const ABOUT_THE_PAYMENT: ReadonlySet<string> = new Set(['INS-5', 'INS-2006', 'INS-2051']);

/** The meaning in the answer to an enquiry. Other mapped codes may be about the enquiry itself, and end nothing. */
export function parseEnquiryCode(code: string, asked: Asked): Meaning | null {
  const meaning = parseCode(code, asked);
  return meaning === null || ABOUT_THE_PAYMENT.has(code) ? meaning : NOT_FINAL;
}

/** The meaning of a status in the answer to an enquiry; null if unmapped. */
export function parseStatus(status: string, asked: Asked): Meaning | 'COMPLETED' | 'PENDING' | null {
  switch (status.trim().toUpperCase()) {
    case 'COMPLETED':
      return 'COMPLETED';
    case 'N/A':
    case 'PENDING':
    case 'IN PROGRESS':
      return 'PENDING';
    case 'CANCELLED':
    case 'EXPIRED':
      return fails(wayOf(asked) === 'IN' ? 'PAYMENT_NOT_APPROVED' : 'UNSPECIFIED_FAILURE');
    case 'FAILED':
      return fails('UNSPECIFIED_FAILURE');
    default:
      return null;
  }
}
