// Maps Sonatel's codes to ours, from lists in its API clients. A code can mean something else when money flows the
// other way, so there are two tables. README.md gives the certainty of each.
import type { PaymentKind } from '../../domain/payments/payment.ts';
import {
  FAULT_OF_THE_HOST,
  fails,
  meaningOf,
  NOT_FINAL,
  type FailureTable,
  type Meaning,
} from '../failure-table.ts';

/** Our cached public key was withdrawn. It is fetched again before anything is reported. */
export const KEY_REVOKED = '4003';

/** The same meaning in both directions: the caller, our PIN, or a platform that is down. */
const EITHER_WAY: FailureTable = {
  '10': FAULT_OF_THE_HOST,
  '11': FAULT_OF_THE_HOST,
  '20': FAULT_OF_THE_HOST,
  '21': FAULT_OF_THE_HOST,
  '22': FAULT_OF_THE_HOST,
  '25': FAULT_OF_THE_HOST,
  '2010': FAULT_OF_THE_HOST,
  '2011': FAULT_OF_THE_HOST,
  '2012': FAULT_OF_THE_HOST,
  '2013': FAULT_OF_THE_HOST,
  '2041': fails('OTHER_ERROR'),
  [KEY_REVOKED]: FAULT_OF_THE_HOST,
  '4004': FAULT_OF_THE_HOST,
  '4099': FAULT_OF_THE_HOST,
  '1': NOT_FINAL,
  '50': NOT_FINAL,
  '51': NOT_FINAL,
};

/** Collections: the payer is a customer, the payee is us. */
const COLLECTION: FailureTable = {
  ...EITHER_WAY,
  '2000': fails('PAYER_NOT_FOUND'),
  '2001': fails('PAYER_NOT_FOUND'),
  '2020': fails('INSUFFICIENT_BALANCE'),
  '2021': fails('INSUFFICIENT_BALANCE'),
  '2022': FAULT_OF_THE_HOST,
  '2023': FAULT_OF_THE_HOST,
  '2042': fails('OTHER_ERROR'),
};

/** Transfers: the payer's wallet is our float. */
const CASH_IN: FailureTable = {
  ...EITHER_WAY,
  '2000': fails('RECIPIENT_NOT_FOUND'),
  '2001': fails('RECIPIENT_NOT_FOUND'),
  '2020': FAULT_OF_THE_HOST,
  '2021': FAULT_OF_THE_HOST,
  '2022': fails('OTHER_ERROR'),
  '2023': fails('WALLET_LIMIT_REACHED'),
  '2042': FAULT_OF_THE_HOST,
};

/** Null for an unmapped code. */
export function parseCode(code: string, operation: PaymentKind): Meaning | null {
  return meaningOf(operation === 'DEPOSIT' ? COLLECTION : CASH_IN, code);
}
