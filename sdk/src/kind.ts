// The kinds of requests: path, name of the identifier, and final statuses.

type Fields = Readonly<Record<string, unknown>>;

export type Kind = {
  /** `deposit`: its name in the journal. */
  readonly name: string;
  /** `/v2/deposits`. */
  readonly path: string;
  readonly idName: string;
  readonly finalStatuses: readonly string[];
  /** Whether COMPLETED means that money has moved. */
  readonly isMoney: boolean;
  /** Further fields of the answer to an accepted request. */
  readonly extras: readonly string[];
};

const ENDS = ['COMPLETED', 'FAILED'];

export const DEPOSIT: Kind = {
  name: 'deposit',
  path: '/v2/deposits',
  idName: 'depositId',
  finalStatuses: ENDS,
  isMoney: true,
  extras: ['nextStep'],
};
export const PAYOUT: Kind = {
  name: 'payout',
  path: '/v2/payouts',
  idName: 'payoutId',
  finalStatuses: ENDS,
  isMoney: true,
  extras: [],
};
export const REFUND: Kind = {
  name: 'refund',
  path: '/v2/refunds',
  idName: 'refundId',
  finalStatuses: ENDS,
  isMoney: true,
  extras: [],
};
export const REMITTANCE: Kind = {
  name: 'remittance',
  path: '/v2/remittances',
  idName: 'remittanceId',
  finalStatuses: ENDS,
  isMoney: true,
  extras: [],
};
export const SPLIT_PAYMENT: Kind = {
  name: 'splitPayment',
  path: '/v2/split-payments',
  idName: 'splitPaymentId',
  finalStatuses: [...ENDS, 'PAYOUT_FAILED'],
  isMoney: true,
  extras: ['nextStep'],
};
export const CHECKOUT: Kind = {
  name: 'checkout',
  path: '/v2/checkouts',
  idName: 'checkoutId',
  finalStatuses: [...ENDS, 'EXPIRED', 'CANCELLED'],
  isMoney: true,
  extras: ['redirectUrl', 'expiresAt', 'checkoutCode'],
};
export const STATEMENT: Kind = {
  name: 'statement',
  path: '/v2/statements',
  idName: 'statementId',
  finalStatuses: ENDS,
  isMoney: false,
  extras: [],
};

/** A record with the meaning of its status. */
export function withMeaning({ finalStatuses, isMoney }: Kind, record: Fields): Fields {
  const { status } = record;
  const isPaid = status === 'COMPLETED' && isMoney;
  return { ...record, isFinal: finalStatuses.includes(String(status)), ...(isPaid && { paid: true }) };
}
