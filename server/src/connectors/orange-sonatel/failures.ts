// Sonatel's codes in our words, as clients of its API list them. The same code means another thing where the money
// flows the other way, so there are two tables. README.md says how sure each one is.
import type { PaymentKind } from '../../domain/payments/payment.ts';
import {
  FAULT_OF_THE_HOST,
  fails,
  meaningOf,
  NOT_FINAL,
  type FailureTable,
  type Meaning,
} from '../failure-table.ts';

/** A public key that was withdrawn: it is asked for again before anybody hears of it. */
export const KEY_REVOKED = '4003';

/** What means the same either way: the caller, the PIN of our own account, and a platform that is away. */
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

/** Money taken from a payer: the payer's wallet is a customer's, the payee's is ours. */
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

/** Money sent to a recipient: the payer's wallet is our float. */
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

/** Null for a code no one has mapped. */
export function parseCode(code: string, operation: PaymentKind): Meaning | null {
  return meaningOf(operation === 'DEPOSIT' ? COLLECTION : CASH_IN, code);
}
