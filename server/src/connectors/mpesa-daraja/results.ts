// Reads what Daraja sends later: callbacks of pushes and results of payouts, reversals and enquiries. Pure. Nothing is
// signed, so only the answer to our own enquiry counts, at the address created for it. Other messages only trigger an
// enquiry, and may carry a receipt or an alert.
import type { Amount } from '../../domain/money.ts';
import type { Outcome } from '../../domain/payments/outcome.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { evidenceOfMessage } from '../evidence.ts';
import { amountOf, isObject, parseObject, textOf, type JsonObject } from '../json.ts';
import type { NotificationReading, RawNotification } from '../port.ts';
import { PENDING_STATUSES } from './failures.ts';
import { codeOf, DONE, parseFailure, type Reported } from './wire.ts';

/** Status words of a payout or reversal that the host has certified as final. */
export type CertifiedStatuses = ReadonlySet<string>;

export function readNotification(
  notification: RawNotification,
  certified: CertifiedStatuses,
): NotificationReading {
  const { body, pathReference: reference, pathSecretIsGenuine, pathTopic } = notification;
  if (reference === undefined) return { type: 'UNREADABLE' };
  const message = parseObject(body.toString('utf8'));
  if (notification.isAnswer === true) {
    const reading = readAnswer(message, { reference, topic: pathTopic, certified });
    return reading.type === 'AUTHENTIC' ? { ...reading, evidence: evidenceOfMessage(body) } : reading;
  }
  if (!pathSecretIsGenuine) return { type: 'HINT', reference, isForged: true };
  return { type: 'HINT', reference, ...reportedIn(message, pathTopic) };
}

type Asked = {
  readonly reference: string;
  readonly topic: string | undefined;
  readonly certified: CertifiedStatuses;
};

function readAnswer(message: JsonObject | null, { reference, topic, certified }: Asked): NotificationReading {
  const result = objectIn(message, 'Result');
  switch (topic) {
    case 'payout':
    case 'refund': {
      const reported = readStatus(result, certified);
      if (reported === null) return { type: 'HINT', reference };
      return { type: 'AUTHENTIC', reference, isAnswer: true, ...reported, evidence: '' };
    }
    case 'receipt':
      return { type: 'RECEIPT', reference, outcome: readReceipt(result) };
    case 'balance':
      return readBalance(result, reference);
    case 'timeout': {
      // It would trigger an enquiry at once, and a long queue would never empty.
      const outcome: Outcome = { type: 'UNKNOWN', reason: 'NO_ANSWER' };
      return { type: 'AUTHENTIC', reference, isAnswer: true, outcome, evidence: '' };
    }
    case undefined:
    default:
      return { type: 'HINT', reference };
  }
}

type ReportedInHint = { readonly reportedReceipt?: string; readonly alert?: string };

/** Unauthenticated content of a message: a receipt to ask about, and an alert for the host. */
function reportedIn(message: JsonObject | null, topic: string | undefined): ReportedInHint {
  const callback = objectIn(objectIn(message, 'Body'), 'stkCallback');
  if (topic === undefined && callback !== null) {
    const items = valuesByName(objectIn(callback, 'CallbackMetadata')?.['Item'], 'Name');
    const receipt = textOf(items.get('MpesaReceiptNumber'));
    return codeOf(callback['ResultCode']) === DONE && receipt !== undefined
      ? { reportedReceipt: receipt }
      : {};
  }
  const code = codeOf(objectIn(message, 'Result')?.['ResultCode']);
  if (code === undefined || code === DONE || (topic !== 'payout' && topic !== 'refund')) return {};
  const { alert } = parseFailure(code, KINDS[topic]);
  return alert === undefined ? {} : { alert };
}

const KINDS: Readonly<Record<'payout' | 'refund', PaymentKind>> = { payout: 'PAYOUT', refund: 'REFUND' };

/**
 * The result of an enquiry. Its result code is the enquiry's own; a code other than 0 says nothing about the payment. A
 * failure word counts only after the host has certified it with Safaricom.
 */
function readStatus(result: JsonObject | null, certified: CertifiedStatuses): Reported | null {
  const code = codeOf(result?.['ResultCode']);
  if (result === null || code === undefined) return null;
  if (code !== DONE) {
    const { alert } = parseFailure(code, 'PAYOUT');
    const outcome: Outcome = { type: 'UNKNOWN', reason: 'OPERATOR_ERROR' };
    return alert === undefined ? { outcome } : { outcome, alert };
  }
  const parameters = parametersOf(result);
  const status = textOf(parameters.get('TransactionStatus'));
  if (status === undefined) return { outcome: UNREADABLE };
  if (PENDING_STATUSES.has(status)) return { outcome: { type: 'PENDING' } };
  if (certified.has(status)) return { outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } };
  if (status !== COMPLETED) return { outcome: { type: 'UNKNOWN', reason: 'UNMAPPED_CODE' } };
  return { outcome: completed(parameters, 'CreditPartyName') };
}

const COMPLETED = 'Completed';

/** What a receipt belongs to: a completed payment with amount and payer, or unknown. */
function readReceipt(result: JsonObject | null): Outcome {
  const parameters = result === null ? new Map<string, unknown>() : parametersOf(result);
  const isDone =
    codeOf(result?.['ResultCode']) === DONE && textOf(parameters.get('TransactionStatus')) === COMPLETED;
  return isDone ? completed(parameters, 'DebitPartyName') : UNREADABLE;
}

const UNREADABLE: Outcome = { type: 'UNKNOWN', reason: 'UNREADABLE_ANSWER' };

/** A success must include the amount. There is no currency field; only KES exists. */
function completed(
  parameters: ReadonlyMap<string, unknown>,
  partyKey: 'CreditPartyName' | 'DebitPartyName',
): Outcome {
  const receipt = textOf(parameters.get('ReceiptNo'));
  const amount: Amount | null = amountOf(parameters.get('Amount'));
  if (receipt === undefined || amount === null) return UNREADABLE;
  // "254708374149 - John Doe", the number alone, or a masked number, which cannot be compared.
  const phoneNumber = /^254\d{9}(?=\s|$)/.exec(textOf(parameters.get(partyKey)) ?? '')?.[0];
  const moved = { amount, ...(phoneNumber === undefined ? {} : { phoneNumber }) };
  return { type: 'COMPLETED', providerTransactionId: receipt, moved };
}

/** Payouts are paid from this account of the organisation. */
const UTILITY = 'Utility Account';

/** "Working Account|KES|46713.00|46713.00|0.00|0.00&Utility Account|…": name, currency, current, available, … */
function readBalance(result: JsonObject | null, reference: string): NotificationReading {
  const reported = result === null ? undefined : textOf(parametersOf(result).get('AccountBalance'));
  const accounts = (reported ?? '').split('&').map((account) => account.split('|'));
  const [, currency, , available] = accounts.find(([name]) => name === UTILITY) ?? [];
  const amount = currency === 'KES' ? amountOf(available) : null;
  return amount === null ? { type: 'UNREADABLE' } : { type: 'BALANCE', reference, amount };
}

function parametersOf(result: JsonObject): ReadonlyMap<string, unknown> {
  return valuesByName(objectIn(result, 'ResultParameters')?.['ResultParameter'], 'Key');
}

/** Lists of names and values in any order. Some have no value, and a list of one may come without brackets. */
function valuesByName(list: unknown, key: 'Name' | 'Key'): ReadonlyMap<string, unknown> {
  const items: readonly unknown[] = Array.isArray(list) ? list : [list];
  return new Map(items.filter(isObject).map((item) => [textOf(item[key]) ?? '', item['Value']]));
}

function objectIn(parent: JsonObject | null, name: string): JsonObject | null {
  const child = parent?.[name];
  return isObject(child) ? child : null;
}
