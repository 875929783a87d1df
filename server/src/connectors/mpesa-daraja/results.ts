// What Daraja tells later: callbacks of pushes, results of payouts, reversals and enquiries. Pure. Nothing in them is
// signed and nothing is ours, so the path says what they are about and its secret makes them authentic.
import type { Amount } from '../../domain/money.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { PaymentKind } from '../../domain/payment.ts';
import { evidenceOfMessage } from '../evidence.ts';
import { amountOf, isObject, parseObject, textOf, type JsonObject } from '../json.ts';
import type { NotificationReading, RawNotification } from '../port.ts';
import { codeOf, DONE, parseFailure, type Told } from './wire.ts';

export function readNotification(notification: RawNotification): NotificationReading {
  const { body, pathReference: reference, pathSecretIsGenuine, pathTopic } = notification;
  if (reference === undefined) return { type: 'UNREADABLE' };
  if (!pathSecretIsGenuine) return { type: 'HINT', reference, isForged: true };
  const message = parseObject(body.toString('utf8'));
  if (pathTopic === 'balance') return readBalance(message, reference);
  const told = read(message, pathTopic);
  if (told === null) return { type: 'HINT', reference };
  const answered = pathTopic === 'status' ? { isAnswer: true as const } : {};
  return { type: 'AUTHENTIC', reference, ...told, ...answered, evidence: evidenceOfMessage(body) };
}

/** Null for what only makes us ask: a payout whose queue was too long may be paid all the same. */
function read(message: JsonObject | null, topic: string | undefined): Told | null {
  switch (topic) {
    case undefined:
      return readCallback(objectIn(objectIn(message, 'Body'), 'stkCallback'));
    case 'payout':
      return readResult(objectIn(message, 'Result'), 'PAYOUT');
    case 'refund':
      return readResult(objectIn(message, 'Result'), 'REFUND');
    case 'status':
      return readStatus(objectIn(message, 'Result'));
    case 'status-timeout':
      // It would make us ask at once, and a queue that is too long would never end.
      return { outcome: { type: 'UNKNOWN', reason: 'NO_ANSWER' } };
    default:
      return null;
  }
}

function readCallback(callback: JsonObject | null): Told | null {
  const code = codeOf(callback?.['ResultCode']);
  if (callback === null || code === undefined) return null;
  if (code !== DONE) return parseFailure(code, 'DEPOSIT');
  const items = valuesByName(objectIn(callback, 'CallbackMetadata')?.['Item'], 'Name');
  return {
    outcome: completed({
      receipt: textOf(items.get('MpesaReceiptNumber')),
      amount: amountOf(items.get('Amount')),
      party: codeOf(items.get('PhoneNumber')),
    }),
  };
}

function readResult(result: JsonObject | null, operation: PaymentKind): Told | null {
  const code = codeOf(result?.['ResultCode']);
  if (result === null || code === undefined) return null;
  if (code !== DONE) return parseFailure(code, operation);
  const parameters = parametersOf(result);
  if (operation === 'REFUND') return { outcome: reversed(result, parameters) };
  return {
    outcome: completed({
      receipt: textOf(parameters.get('TransactionReceipt')) ?? textOf(result['TransactionID']),
      amount: amountOf(parameters.get('TransactionAmount')),
      party: textOf(parameters.get('ReceiverPartyPublicName')),
    }),
  };
}

/**
 * The result of an enquiry. Its code is the enquiry's own, and a code that is not 0 says nothing about the payment. Of
 * the words for a status only one was ever published.
 */
function readStatus(result: JsonObject | null): Told | null {
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
  if (status !== 'Completed') return { outcome: { type: 'UNKNOWN', reason: 'UNMAPPED_CODE' } };
  return {
    outcome: completed({
      receipt: textOf(parameters.get('ReceiptNo')),
      amount: amountOf(parameters.get('Amount')),
      party: textOf(parameters.get('CreditPartyName')),
    }),
  };
}

const UNREADABLE: Outcome = { type: 'UNKNOWN', reason: 'UNREADABLE_ANSWER' };

type Success = {
  readonly receipt: string | undefined;
  readonly amount: Amount | null;
  readonly party: string | undefined;
};

/** A success must say what it moved. The currency is never told: there is one. */
function completed({ receipt, amount, party }: Success): Outcome {
  if (receipt === undefined || amount === null) return UNREADABLE;
  // "254708374149 - John Doe", the bare number, or one with stars in it, which can be compared with nothing.
  const phoneNumber = /^254\d{9}(?=\s|$)/.exec(party ?? '')?.[0];
  const moved = { amount, ...(phoneNumber === undefined ? {} : { phoneNumber }) };
  return { type: 'COMPLETED', providerTransactionId: receipt, moved };
}

/** A reversal may tell no amount, and no receipt but that of the payment it undid, which is not its own. */
function reversed(result: JsonObject, parameters: ReadonlyMap<string, unknown>): Outcome {
  const receipt = textOf(result['TransactionID']);
  const isOwn = receipt !== undefined && receipt !== parameters.get('OriginalTransactionID');
  const amount = amountOf(parameters.get('Amount'));
  return {
    type: 'COMPLETED',
    ...(isOwn ? { providerTransactionId: receipt } : {}),
    ...(amount === null ? {} : { moved: { amount } }),
  };
}

/** Payouts are paid from this one of an organisation's accounts. */
const UTILITY = 'Utility Account';

/** "Working Account|KES|46713.00|46713.00|0.00|0.00&Utility Account|…": name, currency, current, available, … */
function readBalance(message: JsonObject | null, reference: string): NotificationReading {
  const result = objectIn(message, 'Result');
  const told = result === null ? undefined : textOf(parametersOf(result).get('AccountBalance'));
  const accounts = (told ?? '').split('&').map((account) => account.split('|'));
  const [, currency, , available] = accounts.find(([name]) => name === UTILITY) ?? [];
  const amount = currency === 'KES' ? amountOf(available) : null;
  return amount === null ? { type: 'UNREADABLE' } : { type: 'BALANCE', reference, amount };
}

function parametersOf(result: JsonObject): ReadonlyMap<string, unknown> {
  return valuesByName(objectIn(result, 'ResultParameters')?.['ResultParameter'], 'Key');
}

/** Lists of names and values, in any order; some have no value, and a list of one may come without its brackets. */
function valuesByName(list: unknown, key: 'Name' | 'Key'): ReadonlyMap<string, unknown> {
  const items: readonly unknown[] = Array.isArray(list) ? list : [list];
  return new Map(items.filter(isObject).map((item) => [textOf(item[key]) ?? '', item['Value']]));
}

function objectIn(parent: JsonObject | null, name: string): JsonObject | null {
  const child = parent?.[name];
  return isObject(child) ? child : null;
}
