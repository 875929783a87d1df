// Sonatel's JSON in both directions. Pure. A payment with the payer's code is final in the answer; without it the
// answer is only the start. A refusal has a code; without a mapped one the outcome is unknown.
import { constants, createPublicKey, publicEncrypt, type KeyObject } from 'node:crypto';
import { renderAmount } from '../../domain/money.ts';
import type { Outcome } from '../../domain/payments/outcome.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { CallResult, HttpAnswer } from '../call.ts';
import { evidenceOf, failedForUnmapped, unknown } from '../evidence.ts';
import { amountOf, isObject, parseObject, textOf, type JsonObject } from '../json.ts';
import type { BalanceAnswer, StoredAttempt, SubmitAnswer, SubmitRequest } from '../port.ts';
import type { Minted } from '../token-source.ts';
import { KEY_REVOKED, parseCode } from './failures.ts';

const COUNTRY_CODE = '221';

/** Sonatel uses nine-digit phone numbers. */
export function nationalOf(phoneNumber: string): string {
  return phoneNumber.startsWith(COUNTRY_CODE) ? phoneNumber.slice(COUNTRY_CODE.length) : phoneNumber;
}

/** Our side of a payment: account number and PIN, or the merchant code. */
export type Partner =
  | { readonly number: string; readonly encryptedPinCode: string }
  | { readonly merchantCode: string };

/** The body of a request. */
export function renderRequest(request: SubmitRequest, partner: Partner): string {
  const { operation, reference, preAuthorisationCode: otp } = request;
  const isBegun = operation === 'DEPOSIT' && otp === undefined;
  return JSON.stringify({
    ...(isBegun ? { method: 'CLASSIC' } : {}),
    customer: {
      idType: 'MSISDN',
      id: nationalOf(request.phoneNumber),
      walletType: 'PRINCIPAL',
      ...(operation === 'DEPOSIT' && otp !== undefined ? { otp } : {}),
    },
    partner: renderPartner(partner),
    // XOF has no decimals, so the number is whole and exact.
    amount: { value: Number(renderAmount(request.amount)), unit: request.currency },
    reference,
    // A cash-in has no purpose field; this helps a reader in Sonatel's portal.
    metadata: { operation },
    // Orange notifies the customer too.
    receiveNotification: true,
  });
}

function renderPartner(partner: Partner): object {
  if ('merchantCode' in partner) return { idType: 'CODE', id: partner.merchantCode };
  const { number, encryptedPinCode } = partner;
  return { idType: 'MSISDN', id: number, walletType: 'PRINCIPAL', encryptedPinCode };
}

/** A balance request needs the PIN. */
export function renderBalance(number: string, encryptedPinCode: string): string {
  return JSON.stringify({ idType: 'MSISDN', id: number, encryptedPinCode, wallet: 'PRINCIPAL' });
}

/** A key in base64, with or without PEM lines. Null if it is not a key. */
export function parseKeyAnswer({ httpStatus, text }: HttpAnswer): KeyObject | null {
  const key = httpStatus === 200 ? textOf(parseObject(text)?.['key']) : undefined;
  if (key === undefined) return null;
  const bare = key.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  try {
    return createPublicKey({ key: Buffer.from(bare, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

export function encryptPin(pin: string, key: KeyObject): string {
  const padded = { key, padding: constants.RSA_PKCS1_PADDING };
  return publicEncrypt(padded, Buffer.from(pin)).toString('base64');
}

export function isKeyRevoked(result: CallResult): boolean {
  return (
    result.type === 'ANSWER' && result.httpStatus >= 300 && codeOf(problemIn(result.text)) === KEY_REVOKED
  );
}

export function parseSubmitAnswer(answer: HttpAnswer, request: SubmitRequest): SubmitAnswer {
  const evidence = evidenceOf('submit', answer);
  if (answer.httpStatus >= 300) return { ...refusalOf(answer, request), evidence };
  const body = parseObject(answer.text);
  if (body === null || (textOf(body['reference']) ?? request.reference) !== request.reference) {
    return unknown('UNREADABLE_ANSWER', evidence);
  }
  const providerReference = textOf(body['transactionId']);
  const answered = { ...reportedBy(body, request.operation), evidence };
  return providerReference === undefined ? answered : { ...answered, providerReference };
}

/** The enquiry path: by Sonatel's identifier if known, else a search for our reference. */
export function enquiryPathOf({ providerReference, reference }: StoredAttempt): string {
  const transactions = '/api/eWallet/v1/transactions';
  return providerReference === undefined
    ? `${transactions}?reference=${encodeURIComponent(reference)}`
    : `${transactions}/${encodeURIComponent(providerReference)}/status`;
}

/** The answer to an enquiry. A refused enquiry says nothing about the payment. */
export function parseStatusAnswer(answer: HttpAnswer, attempt: StoredAttempt): SubmitAnswer {
  const evidence = evidenceOf('query', answer);
  if (answer.httpStatus >= 300) {
    const { alert } = refusalOf(answer, attempt);
    return { ...unknown('OPERATOR_ERROR', evidence), ...(alert === undefined ? {} : { alert }) };
  }
  const reported =
    attempt.providerReference === undefined
      ? reportedBySearch(answer.text, attempt)
      : reportedByStatus(answer.text, attempt.providerReference, attempt);
  return { ...reported, evidence };
}

/** The status of one transaction. It may omit the phone number. */
function reportedByStatus(text: string, asked: string, { operation, reference }: StoredAttempt): Reported {
  const body = parseObject(text);
  const transactionId = textOf(body?.['transactionId']) ?? asked;
  const named = textOf(body?.['reference']) ?? reference;
  if (body === null || transactionId !== asked || named !== reference) return UNREADABLE;
  return reportedBy({ ...body, transactionId }, operation);
}

/**
 * The transactions with our reference. An empty list proves nothing: it can be a delay, or a search that the contract
 * does not include. Other transactions in the list are ignored.
 */
function reportedBySearch(text: string, { operation, reference }: StoredAttempt): Reported {
  const found = listIn(text);
  if (found === null) return UNREADABLE;
  if (found.length === 0) return { outcome: { type: 'PENDING' } };
  const ours = found.filter((one) => textOf(one['reference']) === reference);
  return clearest(ours.map((one) => reportedBy(one, operation))) ?? UNREADABLE;
}

/** Some answers are a plain list, others an object around it. */
function listIn(text: string): readonly JsonObject[] | null {
  const answer = parseObject(`{"list":${text}}`)?.['list'];
  const lists = isObject(answer) ? [answer['data'], answer['content'], answer['transactions']] : [answer];
  const list: unknown = lists.find(Array.isArray);
  return Array.isArray(list) ? list.filter(isObject) : null;
}

type Reported = Pick<SubmitAnswer, 'outcome' | 'alert'>;

const UNREADABLE: Reported = { outcome: { type: 'UNKNOWN', reason: 'UNREADABLE_ANSWER' } };
const UNMAPPED: Reported = { outcome: { type: 'UNKNOWN', reason: 'UNMAPPED_CODE' } };

/** Of several transactions with one reference, a completed one wins, then one in progress. */
function clearest(reported: readonly Reported[]): Reported | undefined {
  const request = ['COMPLETED', 'PENDING', 'UNKNOWN', 'FAILED'];
  return reported.toSorted((a, b) => request.indexOf(a.outcome.type) - request.indexOf(b.outcome.type))[0];
}

export function reportedBy(body: JsonObject, operation: PaymentKind): Reported {
  switch (textOf(body['status'])) {
    case 'SUCCESS':
      return completed(body);
    case 'PRE_INITIATED':
    case 'INITIATED':
    case 'PENDING':
    case 'ACCEPTED':
      return { outcome: { type: 'PENDING' } };
    case 'CANCELLED':
      return ended(body, {
        operation,
        withoutCode: isDeposit(operation) ? 'PAYMENT_NOT_APPROVED' : 'OTHER_ERROR',
      });
    case 'FAILED':
    case 'REJECTED':
      return ended(body, { operation, withoutCode: 'UNSPECIFIED_FAILURE' });
    case undefined:
      return UNREADABLE;
    default:
      return UNMAPPED;
  }
}

function isDeposit(operation: PaymentKind): boolean {
  return operation === 'DEPOSIT';
}

/** The answer to a submit has no amount; all others do. */
function completed(body: JsonObject): Reported {
  const providerTransactionId = textOf(body['transactionId']);
  if (providerTransactionId === undefined) return UNREADABLE;
  const { amount: money } = body;
  if (money === undefined) return { outcome: { type: 'COMPLETED', providerTransactionId } };
  const amount = isObject(money) ? amountOf(money['value']) : null;
  const currency = isObject(money) ? textOf(money['unit']) : undefined;
  if (amount === null || currency === undefined) return UNREADABLE;
  const { customer } = body;
  const digits = nationalOf(textOf(isObject(customer) ? customer['id'] : undefined) ?? '');
  const party = /^\d{9}$/.test(digits) ? { phoneNumber: `${COUNTRY_CODE}${digits}` } : {};
  return { outcome: { type: 'COMPLETED', providerTransactionId, moved: { amount, currency, ...party } } };
}

type Ended = {
  readonly operation: PaymentKind;
  readonly withoutCode: Extract<Outcome, { readonly type: 'FAILED' }>['code'];
};

/** The status is final. An unmapped reason does not change that, but the alert names it. */
function ended(body: JsonObject, { operation, withoutCode }: Ended): Reported {
  const code = codeOf(body);
  if (code === undefined) return { outcome: { type: 'FAILED', code: withoutCode } };
  return meant(code, operation) ?? failedForUnmapped(code);
}

/** A string in some answers and a number in others. */
function codeOf({ code }: JsonObject): string | undefined {
  return typeof code === 'number' ? String(code) : textOf(code);
}

/** Null for an unmapped code. */
function meant(code: string, operation: PaymentKind): Reported | null {
  const meaning = parseCode(code, operation);
  if (meaning === null) return null;
  if (meaning.type === 'NOT_FINAL') return { outcome: { type: 'UNKNOWN', reason: 'OPERATOR_ERROR' } };
  const outcome: Outcome = { type: 'FAILED', code: meaning.code };
  return meaning.isAlert === true ? { outcome, alert: code } : { outcome };
}

function refusalOf({ text }: HttpAnswer, { operation }: SubmitRequest): Reported {
  const reported = meant(codeOf(problemIn(text)) ?? '', operation);
  return reported ?? { outcome: { type: 'UNKNOWN', reason: 'OPERATOR_ERROR' } };
}

/** A problem document, or the first one of a list. */
function problemIn(text: string): JsonObject {
  const answer = parseObject(`{"problem":${text}}`)?.['problem'];
  const problem: unknown = Array.isArray(answer) ? answer[0] : answer;
  return isObject(problem) ? problem : {};
}

export function parseTokenAnswer(answer: HttpAnswer): Minted {
  const grant = answer.httpStatus === 200 ? parseObject(answer.text) : null;
  const token = textOf(grant?.['access_token']);
  const seconds = Number(grant?.['expires_in']);
  if (token === undefined || !(seconds > 0)) return { error: `NO_TOKEN_HTTP_${answer.httpStatus}` };
  return { token, lifetimeMs: seconds * 1_000 };
}

export function parseBalanceAnswer(answer: HttpAnswer, currency: string): BalanceAnswer {
  const body = answer.httpStatus === 200 ? parseObject(answer.text) : null;
  const amount = amountOf(body?.['value']);
  if (amount === null || textOf(body?.['unit']) !== currency) return { type: 'UNKNOWN' };
  return { type: 'BALANCE', amount };
}
