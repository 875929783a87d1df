// Maps Airtel's codes to our failure codes. Collections and disbursements have separate codes, and the API gateway has
// its own. Some codes end a payment alone, others only with the status TF. README.md gives the certainty of each.
import type { PaymentKind } from '../../domain/payments/payment.ts';
import {
  FAULT_OF_THE_HOST,
  fails,
  meaningOf,
  NOT_FINAL,
  type FailureTable,
  type Meaning,
} from '../failure-table.ts';

/** Codes of the API gateway and of the wallet front end. They are about the call more than about the payment. */
const EITHER_WAY: FailureTable = {
  ESB000001: NOT_FINAL,
  ESB000004: NOT_FINAL,
  ESB000008: fails('OTHER_ERROR'),
  // The call succeeded; the payment may still fail.
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
  // Documented as ambiguous. Seen with TF for barred payers and for amounts out of range.
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
  // Airtel's text blames the payee (us), but it was seen for one payer while others paid the same payee.
  DP00800001010: fails('PAYER_NOT_FOUND'),
  DP00800001024: fails('PAYMENT_NOT_APPROVED'),
  DP00800001025: NOT_FINAL,
  DP00800001026: FAULT_OF_THE_HOST,
  DP00800001029: fails('PAYMENT_NOT_APPROVED'),
};

/** Refunds use the collection codes although money flows the other way. An uncertain refund must not be sent again. */
const REFUND: FailureTable = {
  ...COLLECTION,
  ESB000033: fails('RECIPIENT_NOT_FOUND'),
  ESB000036: fails('RECIPIENT_NOT_FOUND'),
  DP02200000002: fails('RECIPIENT_NOT_FOUND'),
  // There is nothing to refund.
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
  // Airtel's own text says that it may have been paid.
  DP00900001014: NOT_FINAL,
  DP00900001015: NOT_FINAL,
  DP00900001016: FAULT_OF_THE_HOST,
  DP00900001017: NOT_FINAL,
  DP00900001018: FAULT_OF_THE_HOST,
  DP00900001019: FAULT_OF_THE_HOST,
};

/**
 * A Zambian note reads some collection codes differently from Uganda's portal. A failure still counts, but without a
 * specific reason; if either source reads a code as progress or success, the code ends nothing.
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

/** Codes that can mean "in progress". They are final only with the status TF. */
const NOT_ALONE: ReadonlySet<string> = new Set([
  // One list says validation, others say ambiguous.
  'ESB000008',
  'ESB000011',
  'DP00800001000',
  'DP00800001024',
  'DP00900001005',
]);

export type AirtelMeaning = Meaning & {
  /** Final only with the status TF. */
  readonly needsStatus?: true;
};

type CodeContext = { readonly operation: PaymentKind; readonly country: string };

/** Null for an unmapped code. */
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

/** Airtel already has this reference: an enquiry finds its outcome. */
export function isDuplicate(code: string | undefined): boolean {
  return code !== undefined && ['ESB000041', 'DP00900001011', 'DP00900001017'].includes(code);
}

/** Airtel's code for an unknown reference. A collection's code says nothing about a disbursement. */
export function isNotFound(code: string | undefined, operation: PaymentKind): boolean {
  return code === 'ESB000045' || code === (operation === 'DEPOSIT' ? 'DP00800001025' : 'DP00900001015');
}

/** Airtel could not decrypt the request, so the key may have changed. Nothing was executed. */
export function isKeyRefusal(code: string | undefined): boolean {
  return (
    code !== undefined && ['DP00800001026', 'DP00900001016', 'DP00900001018', 'ROUTER116'].includes(code)
  );
}
