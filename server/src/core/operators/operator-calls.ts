// Orders for operators and the facts of stored attempts, made from payments.
import {
  factsOf,
  type BalanceAccount,
  type Connector,
  type SendPermission,
  type StoredAttempt,
  type SubmitRequest,
} from '../../connectors/port.ts';
import type { Outcome } from '../../domain/payments/outcome.ts';
import { isPermitted, type Attempt } from '../../store/payments/attempts.ts';
import type { StoredPayment } from '../../store/payments/payments.ts';
import type { Engine } from '../engine.ts';
import { outcomeText } from './validate-answer.ts';
import { balanceReference, notificationSecret, referenceFor } from './reference.ts';

export function connectorFor(engine: Pick<Engine, 'connectors'>, payment: StoredPayment): Connector {
  const connector = engine.connectors.get(payment.connector);
  if (connector === undefined) throw new Error(`connector ${payment.connector} is not configured`);
  return connector;
}

/** By which the operator of a payment knows its first attempt, or would: it can be told before there is one. */
export function firstReferenceOf(engine: Engine, payment: StoredPayment, home: string): string {
  const { shape } = factsOf(connectorFor(engine, payment), payment.kind).reference;
  return referenceFor(engine.referenceKey, { key: payment, attemptNo: 1, home, shape });
}

export function orderFor(engine: Engine, payment: StoredPayment, attempt: Attempt): SubmitRequest {
  const { phoneNumber, customerMessage, preAuthorisationCode, successfulUrl, failedUrl } = payment.details;
  const { sender, recipientDetails: recipient } = payment.details;
  const { reference, account } = attempt;
  return {
    reference,
    ...(account === undefined ? {} : { account }),
    operation: payment.kind,
    provider: payment.provider,
    country: payment.country,
    amount: payment.amount,
    currency: payment.currency,
    phoneNumber,
    customerMessage,
    ...(preAuthorisationCode === undefined ? {} : { preAuthorisationCode }),
    ...(successfulUrl === undefined ? {} : { successfulUrl }),
    ...(failedUrl === undefined ? {} : { failedUrl }),
    ...(sender === undefined ? {} : { sender }),
    ...(recipient === undefined ? {} : { recipient }),
    notificationUrl: notificationUrlFor(engine, connectorFor(engine, payment), reference),
  };
}

/** The address for messages about a reference. Its path carries a secret that no one can derive from the reference. */
export function notificationUrlFor(
  engine: Pick<Engine, 'operatorsUrl' | 'referenceKey'>,
  { name, addressName = name }: Connector,
  reference: string,
): string {
  const secret = notificationSecret(engine.referenceKey, reference);
  return `${engine.operatorsUrl}/operators/${addressName}/notifications/${reference}/${secret}`;
}

/** The connector an address of notifications names. */
export function connectorAt(engine: Pick<Engine, 'connectors'>, name: string): Connector | undefined {
  const { connectors } = engine;
  return connectors.get(name) ?? [...connectors.values()].find(({ addressName }) => addressName === name);
}

export function storedAttemptFor(engine: Engine, payment: StoredPayment, attempt: Attempt): StoredAttempt {
  const { attemptNo, claimedAt, providerReference, reportedReceipt, provedReceipt, reportedFailure } =
    attempt;
  const { providerTransactionId } = payment;
  return {
    ...orderFor(engine, payment, attempt),
    attemptNo,
    claimedAt,
    ...(providerReference === undefined ? {} : { providerReference }),
    ...(providerTransactionId === undefined ? {} : { providerTransactionId }),
    ...(reportedReceipt === undefined ? {} : { reportedReceipt }),
    ...(provedReceipt === undefined ? {} : { provedReceipt }),
    ...(reportedFailure === undefined ? {} : { reportedFailure }),
  };
}

/** The question for a balance. Its reference is a pure function, so that a later answer finds its account again. */
export function balanceAccountFor(
  { referenceKey, home }: Pick<Engine, 'home' | 'referenceKey'>,
  account: Omit<BalanceAccount, 'reference'>,
): BalanceAccount {
  const { provider, operation, currency } = account;
  const name = `${provider}/${operation}/${currency}`;
  return { ...account, reference: balanceReference(referenceKey, { name, home }) };
}

/** What a trace tells of a call to an operator. */
export function callOf({ provider, connector }: StoredPayment, outcome: Outcome) {
  const attributes = { provider, connector, outcome: outcomeText(outcome) };
  return { isFailure: outcome.type === 'UNKNOWN', attributes };
}

/**
 * Open until the attempt's deadline, by the clock of the payments and by this process's own, which no one can set back.
 * Once it was closed it stays closed. An attempt that is held has no permission, nor a process whose clock is wrong.
 */
export function permissionFor(engine: Engine, attempt: Attempt): SendPermission {
  const endsAt = performance.now() + (attempt.sendDeadlineAt.getTime() - engine.clock.now().getTime());
  let isClosed = !isPermitted(attempt);
  return {
    isOpen: () => {
      isClosed ||= performance.now() >= endsAt || engine.clock.now() >= attempt.sendDeadlineAt;
      isClosed ||= engine.clockCheck.isOff;
      return !isClosed;
    },
  };
}
