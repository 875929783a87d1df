// The fake's validation of requests, and its error texts. The patterns are those of the portal.
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { Market } from './markets.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type Expected = {
  readonly operation: PaymentKind;
  readonly market: Market;
  readonly currencies: readonly string[];
  readonly serviceProviderCode: string;
  readonly initiatorIdentifier: string;
  readonly securityCredential: string;
};

/** The operator's code for the first error in a request; null if there is none. */
export function findFault(body: Fields, expected: Expected): string | null {
  return rulesFor(expected).find(({ name, isGood }) => !isGood(body[name]))?.code ?? null;
}

type Rule = {
  readonly name: string;
  readonly code: string;
  readonly isGood: (value: unknown) => boolean;
};

function rulesFor(expected: Expected): readonly Rule[] {
  const { operation, market, serviceProviderCode } = expected;
  const shortCode = rule('input_ServiceProviderCode', 'INS-13', is(serviceProviderCode));
  const own = market.form === 'OLDER' ? olderRules(expected) : openapiRules(expected);
  return [shortCode, ...own, ...(operation === 'REFUND' ? REVERSAL : PAYMENT)];
}

const AMOUNT = matches(/^\d*\.?\d+$/);

const PAYMENT: readonly Rule[] = [
  rule('input_Amount', 'INS-15', AMOUNT),
  // The documented minimum is 12 digits, but Lesotho's numbers have 11.
  rule('input_CustomerMSISDN', 'INS-2051', matches(/^\d{11,14}$/)),
  rule('input_TransactionReference', 'INS-17', matches(/^[\w ]{1,20}$/)),
];

const REVERSAL: readonly Rule[] = [
  rule('input_TransactionID', 'INS-18', matches(/^[0-9a-zA-Z]{1,20}$/)),
  rule('input_ReversalAmount', 'INS-15', AMOUNT),
];

function openapiRules({ operation, market, currencies }: Expected): readonly Rule[] {
  const common = [
    rule('input_Country', 'INS-21', is(market.country)),
    rule('input_ThirdPartyConversationID', 'INS-28', matches(/^[\w ]{1,40}$/)),
  ];
  if (operation === 'REFUND') return common;
  const isDeposit = operation === 'DEPOSIT';
  const description = isDeposit ? 'input_PurchasedItemsDesc' : 'input_PaymentItemsDesc';
  return [
    ...common,
    rule('input_Currency', 'INS-26', (value) => currencies.some((one) => one === value)),
    // The documented pattern allows more, but punctuation is refused.
    rule(description, isDeposit ? 'INS-30' : 'INS-31', matches(/^[0-9a-zA-Z ]{1,256}$/)),
  ];
}

function olderRules({ operation, initiatorIdentifier, securityCredential }: Expected): readonly Rule[] {
  const common = [rule('input_ThirdPartyReference', 'INS-19', matches(/^[0-9a-zA-Z]{1,32}$/))];
  if (operation !== 'REFUND') return common;
  return [
    ...common,
    rule('input_InitiatorIdentifier', 'INS-24', is(initiatorIdentifier)),
    rule('input_SecurityCredential', 'INS-25', is(securityCredential)),
  ];
}

function rule(name: string, code: string, isGood: Rule['isGood']): Rule {
  return { name, code, isGood };
}

function is(wanted: string): Rule['isGood'] {
  return (value) => value === wanted;
}

/** All fields are strings, amounts too. */
function matches(pattern: RegExp): Rule['isGood'] {
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** 401 means that the payment failed; nearly everything else is 400. */
const HTTP_STATUSES: Readonly<Record<string, number>> = {
  'INS-2': 401,
  'INS-5': 401,
  'INS-6': 401,
  'INS-9': 408,
  'INS-10': 409,
  'INS-16': 503,
  'INS-2006': 422,
};

const TEXTS: Readonly<Record<string, string>> = {
  'INS-0': 'Request processed successfully',
  'INS-6': 'Transaction Failed',
  'INS-9': 'Request timeout',
  'INS-10': 'Duplicate Transaction',
  'INS-2006': 'Insufficient balance',
};

/** Texts are for people. Most codes have the same text here, so that the connector cannot rely on them. */
export function describeCode(code: string): { readonly httpStatus: number; readonly text: string } {
  return { httpStatus: HTTP_STATUSES[code] ?? 400, text: TEXTS[code] ?? 'See the code.' };
}
