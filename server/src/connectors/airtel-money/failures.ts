// Airtel's codes in our words. Collections and disbursements have codes of their own, and what comes before them is
// said in a third vocabulary. A code ends a payment by itself or only beside the status TF; README.md says which and
// how sure.
import type { PaymentKind } from '../../domain/payments/payment.ts';
import {
  FAULT_OF_THE_HOST,
  fails,
  meaningOf,
  NOT_FINAL,
  type FailureTable,
  type Meaning,
} from '../failure-table.ts';

/** Of the gateway in front of the wallets and of the wallets' own front: about the call more than the payment. */
const EITHER_WAY: FailureTable = {
  ESB000001: NOT_FINAL,
  ESB000004: NOT_FINAL,
  ESB000008: fails('OTHER_ERROR'),
  // The call went well, which says nothing about the payment.
  ESB000010: NOT_FINAL,
  ESB000011: fails('UNSPECIFIED_FAILURE'),
  ESB000014: NOT_FINAL,
  ESB000034: FAULT_OF_THE_HOST,
  ESB000035: FAULT_OF_THE_HOST,
  ESB000039: FAULT_OF_THE_HOST,
  ESB000041: NOT_FINAL,
  ESB000045: NOT_FINAL,
  ROUTER001: FAULT_OF_THE_HOST,
  ROUTER003: FAULT_OF_THE_HOST,
  ROUTER005: FAULT_OF_THE_HOST,
  ROUTER006: FAULT_OF_THE_HOST,
  ROUTER007: FAULT_OF_THE_HOST,
  ROUTER112: FAULT_OF_THE_HOST,
  ROUTER114: FAULT_OF_THE_HOST,
  ROUTER115: FAULT_OF_THE_HOST,
  ROUTER116: FAULT_OF_THE_HOST,
  ROUTER117: NOT_FINAL,
  ROUTER119: FAULT_OF_THE_HOST,
  DP02200000000: NOT_FINAL,
  DP02200000001: NOT_FINAL,
};

const COLLECTION: FailureTable = {
  ...EITHER_WAY,
  ESB000033: fails('PAYER_NOT_FOUND'),
  ESB000036: fails('PAYER_NOT_FOUND'),
  DP02200000002: fails('PAYER_NOT_FOUND'),
  // Called ambiguous, and seen beside TF for payers who are barred and amounts out of range.
  DP00800001000: fails('UNSPECIFIED_FAILURE'),
  DP00800001001: NOT_FINAL,
  DP00800001002: fails('PAYMENT_NOT_APPROVED'),
  DP00800001003: fails('PAYER_LIMIT_REACHED'),
  DP00800001004: fails('OTHER_ERROR'),
  DP00800001005: fails('PAYMENT_NOT_APPROVED'),
  DP00800001006: NOT_FINAL,
  DP00800001007: fails('INSUFFICIENT_BALANCE'),
  DP00800001008: fails('UNSPECIFIED_FAILURE'),
  DP00800001009: fails('UNSPECIFIED_FAILURE'),
  // Airtel's text has the payee, who is us; it was seen for one payer while others paid the same payee.
  DP00800001010: fails('PAYER_NOT_FOUND'),
  DP00800001024: fails('PAYMENT_NOT_APPROVED'),
  DP00800001025: NOT_FINAL,
  DP00800001026: FAULT_OF_THE_HOST,
  DP00800001029: fails('PAYMENT_NOT_APPROVED'),
};

/** A refund speaks of collections while the money goes the other way: what is not certain must not be sent again. */
const REFUND: FailureTable = {
  ...COLLECTION,
  ESB000033: fails('RECIPIENT_NOT_FOUND'),
  ESB000036: fails('RECIPIENT_NOT_FOUND'),
  DP02200000002: fails('RECIPIENT_NOT_FOUND'),
  // There is nothing to give back.
  ESB000045: fails('OTHER_ERROR'),
  DP00800001025: fails('OTHER_ERROR'),
  DP00800001000: NOT_FINAL,
  DP00800001003: FAULT_OF_THE_HOST,
  DP00800001007: FAULT_OF_THE_HOST,
  DP00800001010: fails('RECIPIENT_NOT_FOUND'),
  DP00800001024: NOT_FINAL,
};

const DISBURSEMENT: FailureTable = {
  ...EITHER_WAY,
  ESB000033: fails('RECIPIENT_NOT_FOUND'),
  ESB000036: fails('RECIPIENT_NOT_FOUND'),
  DP02200000002: fails('RECIPIENT_NOT_FOUND'),
  DP00900001000: NOT_FINAL,
  DP00900001001: NOT_FINAL,
  DP00900001003: fails('RECIPIENT_LIMIT_REACHED'),
  DP00900001004: fails('OTHER_ERROR'),
  DP00900001005: fails('UNSPECIFIED_FAILURE'),
  DP00900001006: NOT_FINAL,
  DP00900001007: FAULT_OF_THE_HOST,
  DP00900001009: fails('RECIPIENT_NOT_FOUND'),
  DP00900001010: FAULT_OF_THE_HOST,
  DP00900001011: NOT_FINAL,
  DP00900001012: fails('RECIPIENT_NOT_FOUND'),
  DP00900001013: fails('UNSPECIFIED_FAILURE'),
  // It may have been paid, Airtel says itself.
  DP00900001014: NOT_FINAL,
  DP00900001015: NOT_FINAL,
  DP00900001016: FAULT_OF_THE_HOST,
  DP00900001017: NOT_FINAL,
  DP00900001018: FAULT_OF_THE_HOST,
  DP00900001019: FAULT_OF_THE_HOST,
};

/**
 * Where a Zambian note reads the codes of collections otherwise than Uganda's portal. An end is an end, but no one
 * knows why; and what either reading calls progress or success is none.
 */
const DISPUTED_IN_ZAMBIA: FailureTable = {
  DP00800001002: fails('UNSPECIFIED_FAILURE'),
  DP00800001003: NOT_FINAL,
  DP00800001005: fails('UNSPECIFIED_FAILURE'),
  DP00800001006: NOT_FINAL,
  DP00800001007: fails('UNSPECIFIED_FAILURE'),
  DP00800001009: fails('UNSPECIFIED_FAILURE'),
  DP00800001010: fails('UNSPECIFIED_FAILURE'),
  DP00800001024: NOT_FINAL,
};

/** Codes that may stand for something that goes on: beside the status TF they are an end, alone they are none. */
const NOT_ALONE: ReadonlySet<string> = new Set([
  // Called validation by one list and ambiguous by others.
  'ESB000008',
  'ESB000011',
  'DP00800001000',
  'DP00800001024',
  'DP00900001005',
]);

export type AirtelMeaning = Meaning & {
  /** Only the status TF makes it an end. */
  readonly needsStatus?: true;
};

type CodeContext = { readonly operation: PaymentKind; readonly country: string };

/** Null for a code no one has mapped. */
export function parseCode(code: string, { operation, country }: CodeContext): AirtelMeaning | null {
  const isDisputed = country === 'ZMB' && operation !== 'PAYOUT' && Object.hasOwn(DISPUTED_IN_ZAMBIA, code);
  const meaning = meaningOf(isDisputed ? DISPUTED_IN_ZAMBIA : tableOf(operation), code);
  if (meaning?.type !== 'FAILED' || !(isDisputed || NOT_ALONE.has(code))) return meaning;
  return { ...meaning, needsStatus: true };
}

function tableOf(operation: PaymentKind): FailureTable {
  if (operation === 'DEPOSIT') return COLLECTION;
  return operation === 'REFUND' ? REFUND : DISBURSEMENT;
}

/** Airtel has the reference already: whatever was the outcome of it, an enquiry tells. */
export function isDuplicate(code: string | undefined): boolean {
  return code !== undefined && ['ESB000041', 'DP00900001011', 'DP00900001017'].includes(code);
}

/** Airtel's own word for a reference it does not know. A collection's word says nothing about a disbursement. */
export function isNotFound(code: string | undefined, operation: PaymentKind): boolean {
  return code === 'ESB000045' || code === (operation === 'DEPOSIT' ? 'DP00800001025' : 'DP00900001015');
}

/** What we encrypted could not be read, or did not fit: the key may have changed. Nothing was done. */
export function isKeyRefusal(code: string | undefined): boolean {
  return (
    code !== undefined && ['DP00800001026', 'DP00900001016', 'DP00900001018', 'ROUTER116'].includes(code)
  );
}
