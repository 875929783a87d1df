// Vodacom's codes in our words. The same number means another thing in Mozambique's older form, and another where the
// money flows the other way, so there are four tables. README.md says how sure each one is.
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

/** What means the same everywhere. */
const EVERYWHERE: FailureTable = {
  // Insufficient funds were seen behind it too, but so was a payment that went through.
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
  // Not authorised in the older form, a currency that is not the market's in the newer: both are the host's.
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
  // Several limits at once, the organisation's among them.
  'INS-992': FAULT_OF_THE_HOST,
  'INS-993': FAULT_OF_THE_HOST,
  'INS-994': FAULT_OF_THE_HOST,
  'INS-995': FAULT_OF_THE_HOST,
  'INS-996': FAULT_OF_THE_HOST,
  'INS-997': FAULT_OF_THE_HOST,
};

/** There 993, 994 and 997 speak of direct debits and linked transactions, which we never ask for. */
const OLDER: FailureTable = {
  ...EVERYWHERE,
  'INS-993': fails('OTHER_ERROR'),
  'INS-994': fails('OTHER_ERROR'),
  'INS-995': fails('OTHER_ERROR'),
  'INS-997': fails('OTHER_ERROR'),
};

/** Money taken from a payer: the wallet that is short is a customer's, the receiver is ours. */
const COLLECTION: FailureTable = {
  'INS-2002': FAULT_OF_THE_HOST,
  'INS-2006': fails('INSUFFICIENT_BALANCE'),
  'INS-2051': fails('PAYER_NOT_FOUND'),
};

/** Money sent or given back: the wallet that is short is our float. */
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

/** What a code in the answer to a request means; null for one no one has mapped. */
export function parseCode(code: string, asked: Asked): Meaning | null {
  const form = findMarket(asked.provider)?.form ?? 'OPENAPI';
  return meaningOf(TABLES[form][wayOf(asked)], code);
}

/** An enquiry has no PIN, no money and no number, so these can only be those of the payment that was asked about. */
const ABOUT_THE_PAYMENT: ReadonlySet<string> = new Set(['INS-5', 'INS-2006', 'INS-2051']);

/** The same in the answer to an enquiry. Every other code we know may have refused the question, and ends nothing. */
export function parseEnquiryCode(code: string, asked: Asked): Meaning | null {
  const meaning = parseCode(code, asked);
  return meaning === null || ABOUT_THE_PAYMENT.has(code) ? meaning : NOT_FINAL;
}

/** What a status in the answer to an enquiry means; null for one no one has mapped. */
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
