// Renders the fake's charges and errors. Pure.
import type { Answer } from '../../sandbox/fakes/answer.ts';
import type { OpenCharge } from '../../sandbox/fakes/books/charge.ts';

/** This provider answers with the transaction at once, sends no callbacks and uses no tokens. */
export const SYNCHRONOUS = 'TNM_MWI';

export function ownAccountOf(provider: string): string {
  return `merchant-${provider.toLowerCase()}`;
}

export function problem(status: number, errorCategory: string, errorCode: string): Answer {
  return { status, json: { errorCategory, errorCode, errorDescription: 'See the code.' } };
}

export const NOT_FOUND = problem(404, 'identification', 'identifierError');

const STATUSES = { PENDING: 'pending', SUCCESSFUL: 'completed', FAILED: 'failed' } as const;

/** A failed request has a state but no transaction. */
export function renderLink({ provider, status, transactionId }: OpenCharge): object {
  const isState = status === 'FAILED' && provider !== SYNCHRONOUS;
  return {
    link: isState ? `/requeststates/${correlationIdOf(transactionId)}` : `/transactions/${transactionId}`,
  };
}

function correlationIdOf(transactionId: string): string {
  return transactionId.replace('REF-', '');
}

export function renderRequestState(charge: OpenCharge): object {
  const { status, transactionId, failureCode } = charge;
  return {
    serverCorrelationId: correlationIdOf(transactionId),
    status: STATUSES[status],
    notificationMethod: 'callback',
    ...(status === 'SUCCESSFUL' ? { objectReference: transactionId } : {}),
    ...(failureCode === undefined ? {} : { errorReference: errorOf(charge) }),
    pollLimit: 100,
  };
}

export function renderTransaction(charge: OpenCharge): object {
  const { reference, transactionId, operation, provider, status, amount, currency, phoneNumber } = charge;
  const customer = [{ key: 'msisdn', value: `+${phoneNumber}` }];
  const own = [{ key: 'accountid', value: ownAccountOf(provider) }];
  const isTaken = operation === 'DEPOSIT';
  return {
    transactionReference: transactionId,
    requestingOrganisationTransactionReference: reference,
    type: { DEPOSIT: 'merchantpay', PAYOUT: 'disbursement', REFUND: 'reversal', REMITTANCE: 'inttransfer' }[
      operation
    ],
    transactionStatus: STATUSES[status],
    amount: withZeroes(amount),
    currency,
    debitParty: isTaken ? customer : own,
    creditParty: isTaken ? own : customer,
  };
}

export function withZeroes(amount: string): string {
  return amount.includes('.') ? amount : `${amount}.00`;
}

/** The fake's failure codes are the standard's codes; a generic one has its category in front. */
export function errorOf({ failureCode = 'businessRule.genericError' }: OpenCharge) {
  const [errorCode = '', named] = failureCode.split('.').toReversed();
  return { errorCategory: named ?? categoryOf(errorCode), errorCode, errorDescription: 'See the code.' };
}

function categoryOf(code: string): string {
  if (code === 'requestDeclined' || code.endsWith('AuthorisationError')) return 'authorisation';
  return code === 'identifierError' ? 'identification' : 'businessRule';
}
