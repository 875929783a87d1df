// Renders Daraja's requests and parses its answers. Pure. An answer is only an acknowledgement, except for the push
// enquiry, which has the result but neither receipt nor amount. results.ts reads what comes later.
import type { Amount } from '../../domain/money.ts';
import type { Outcome } from '../../domain/payments/outcome.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { HttpAnswer } from '../call.ts';
import { evidenceOf, unknown } from '../evidence.ts';
import { parseObject, textOf } from '../json.ts';
import type { Account } from '../operator.ts';
import type {
  BalanceAccount,
  QueryAnswer,
  RefundSubmitRequest,
  StoredAttempt,
  SubmitAnswer,
} from '../port.ts';
import type { SubmitRequest } from '../port.ts';
import type { Minted } from '../token-source.ts';
import { isDoubtfulOfPush, isTokenError, parseErrorCode, parseResultCode } from './failures.ts';
import { securityCredentialOf } from './security-credential.ts';

type Values = Account['values'];

/** An STK push. The callback repeats none of its fields; only the address identifies the payment. */
export function renderPush(request: SubmitRequest, { values, now }: Signed): string {
  const { shortCode = '', tillNumber } = values;
  const message = plain(request.customerMessage);
  return JSON.stringify({
    ...renderSignature({ values, now }),
    TransactionType: tillNumber === undefined ? 'CustomerPayBillOnline' : 'CustomerBuyGoodsOnline',
    Amount: wholeShillings(request.amount) ?? '',
    PartyA: request.phoneNumber,
    PartyB: tillNumber ?? shortCode,
    PhoneNumber: request.phoneNumber,
    CallBackURL: request.notificationUrl,
    // The payer sees it, so it must not be an identifier of ours.
    AccountReference: message.slice(0, ACCOUNT_REFERENCE_LENGTH_MAX),
    TransactionDesc: message.slice(0, DESCRIPTION_LENGTH_MAX),
  });
}

export function renderPushEnquiry({ providerReference }: StoredAttempt, signed: Signed): string {
  return JSON.stringify({ ...renderSignature(signed), CheckoutRequestID: providerReference });
}

export function renderPayout(request: SubmitRequest, values: Values): string {
  return JSON.stringify({
    OriginatorConversationID: request.reference,
    InitiatorName: values['initiatorName'],
    SecurityCredential: securityCredentialOf(values),
    CommandID: 'BusinessPayment',
    Amount: wholeShillings(request.amount),
    PartyA: payerOf(values, request.operation),
    PartyB: request.phoneNumber,
    Remarks: plain(request.customerMessage).slice(0, REMARKS_LENGTH_MAX),
    ...renderAddresses(request.notificationUrl, 'payout'),
  });
}

export function renderReversal(request: RefundSubmitRequest, values: Values): string {
  return JSON.stringify({
    ...renderInitiator(values, 'TransactionReversal'),
    TransactionID: receiptOf(request.original),
    Amount: wholeShillings(request.amount),
    ReceiverParty: values['shortCode'],
    // Safaricom's own spelling; 11 is the only accepted type.
    RecieverIdentifierType: '11',
    Remarks: plain(request.customerMessage).slice(0, REMARKS_LENGTH_MAX),
    ...renderAddresses(request.notificationUrl, 'refund'),
  });
}

/** The receipt that identifies a deposit in a reversal. Never taken from an unauthenticated message. */
export function receiptOf({ provedReceipt, providerTransactionId }: StoredAttempt): string | undefined {
  return provedReceipt ?? providerTransactionId;
}

export type Enquiry = { readonly values: Values; readonly answerUrl: string };

/** Asks by the identifier of the request: ours for a payout, Safaricom's for a reversal. */
export function renderStatusEnquiry(attempt: StoredAttempt, { values, answerUrl }: Enquiry): string {
  return JSON.stringify({
    ...renderInitiator(values, 'TransactionStatusQuery'),
    OriginalConversationID: attempt.providerReference ?? attempt.reference,
    PartyA: payerOf(values, attempt.operation),
    IdentifierType: SHORT_CODE,
    Remarks: 'Enquiry',
    ...renderAddresses(answerUrl, attempt.operation === 'REFUND' ? 'refund' : 'payout'),
  });
}

/** Asks which payment a reported receipt belongs to. */
export function renderReceiptEnquiry(attempt: StoredAttempt, { values, answerUrl }: Enquiry): string {
  return JSON.stringify({
    ...renderInitiator(values, 'TransactionStatusQuery'),
    TransactionID: attempt.reportedReceipt,
    PartyA: payerOf(values, attempt.operation),
    IdentifierType: SHORT_CODE,
    Remarks: 'Receipt',
    ...renderAddresses(answerUrl, 'receipt'),
  });
}

export function renderBalanceEnquiry(account: BalanceAccount, { values, answerUrl }: Enquiry): string {
  return JSON.stringify({
    ...renderInitiator(values, 'AccountBalance'),
    PartyA: payerOf(values, account.operation),
    IdentifierType: SHORT_CODE,
    Remarks: 'Balance',
    ...renderAddresses(answerUrl, 'balance'),
  });
}

/** An account and the time at which a push or push enquiry is signed. */
export type Signed = { readonly values: Values; readonly now: Date };

/** The password contains the timestamp of the same body. */
function renderSignature({ values, now }: Signed) {
  const { shortCode = '', passkey = '' } = values;
  const timestamp = timestampOf(now);
  const password = Buffer.from(`${shortCode}${passkey}${timestamp}`).toString('base64');
  return { BusinessShortCode: shortCode, Password: password, Timestamp: timestamp };
}

/** YYYYMMDDHHmmss in Nairobi time: UTC+3, without daylight saving. */
function timestampOf(now: Date): string {
  return new Date(now.getTime() + 3 * 3_600_000).toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

function renderInitiator(values: Values, command: string) {
  return {
    Initiator: values['initiatorName'],
    SecurityCredential: securityCredentialOf(values),
    CommandID: command,
  };
}

/** The topic after the secret says what a message is about. */
function renderAddresses(url: string, topic: 'payout' | 'refund' | 'receipt' | 'balance') {
  return { ResultURL: `${url}/${topic}`, QueueTimeOutURL: `${url}/timeout` };
}

/** Payouts may use a separate short code. */
function payerOf({ shortCode, payoutShortCode }: Values, operation: PaymentKind): string | undefined {
  return operation === 'PAYOUT' ? (payoutShortCode ?? shortCode) : shortCode;
}

/** IdentifierType of an organisation's short code. */
const SHORT_CODE = '4';

const ACCOUNT_REFERENCE_LENGTH_MAX = 12;
const DESCRIPTION_LENGTH_MAX = 13;
const REMARKS_LENGTH_MAX = 100;

const SHILLING = 10_000n;

/** Null for an amount with cents: they are never rounded. */
export function wholeShillings(amount: Amount): string | null {
  return amount % SHILLING === 0n ? String(amount / SHILLING) : null;
}

/** Letters, digits and spaces are accepted in all fields. Remarks must not be empty. */
function plain(message: string): string {
  const text = message
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9 ]/g, ' ');
  return text.trim() === '' ? 'Payment' : text;
}

/** All formats in which the customer's number and message are sent. */
export function personalIn({ phoneNumber, customerMessage }: SubmitRequest): readonly string[] {
  const message = plain(customerMessage);
  const lengths = [ACCOUNT_REFERENCE_LENGTH_MAX, DESCRIPTION_LENGTH_MAX];
  return [
    phoneNumber,
    phoneNumber.slice(3),
    customerMessage,
    message,
    ...lengths.map((length) => message.slice(0, length)),
  ];
}

/** The answer to a submit: an acknowledgement with Safaricom's identifier, or a refusal. */
export function parseSubmitAnswer(answer: HttpAnswer, { operation }: SubmitRequest): SubmitAnswer {
  const evidence = evidenceOf('submit', answer);
  if (answer.httpStatus >= 300) return refused(answer, { operation, evidence });
  const body = parseObject(answer.text);
  const code = codeOf(body?.['ResponseCode']);
  const reference = textOf(
    body?.[operation === 'DEPOSIT' ? 'CheckoutRequestID' : 'OriginatorConversationID'],
  );
  if (code !== undefined && code !== DONE) return unknown('UNMAPPED_CODE', evidence);
  if (code === undefined || reference === undefined) return unknown('UNREADABLE_ANSWER', evidence);
  return { outcome: { type: 'PENDING' }, evidence, providerReference: reference };
}

type Refused = { readonly operation: PaymentKind; readonly evidence: string };

/** A payout that Safaricom already has is answered with its own error. */
function refused(answer: HttpAnswer, { operation, evidence }: Refused): SubmitAnswer {
  const code = errorCodeOf(answer);
  if (operation === 'PAYOUT' && code === '500.002.1001') return { outcome: { type: 'PENDING' }, evidence };
  const meaning = parseErrorCode(code);
  if (meaning?.type !== 'FAILED') return unknown('OPERATOR_ERROR', evidence);
  return { outcome: { type: 'FAILED', code: meaning.code }, evidence, alert: code };
}

/** Whether an answer says that the token has expired. Daraja also uses 404 for it. */
export function isTokenRefusal(answer: HttpAnswer): boolean {
  return answer.httpStatus >= 400 && isTokenError(errorCodeOf(answer));
}

function errorCodeOf({ text }: HttpAnswer): string {
  return textOf(parseObject(text)?.['errorCode']) ?? '';
}

/**
 * The answer to a push enquiry, the only thing that ends a deposit. An error says nothing: the same code means in
 * progress, unknown and a temporary fault. A success has no receipt; the confirmed one is added. After some failures a
 * payment was seen to succeed, so these stay pending while the push is young, and need a second enquiry with the same
 * result.
 */
export function parsePushStatus(answer: HttpAnswer, attempt: StoredAttempt, age: Age): SubmitAnswer {
  const { providerReference, provedReceipt } = attempt;
  const evidence = evidenceOf('query', answer);
  if (answer.httpStatus >= 300) return unanswered(answer, evidence, age);
  const body = parseObject(answer.text);
  const code = codeOf(body?.['ResultCode']);
  const subject = textOf(body?.['CheckoutRequestID']) ?? providerReference;
  if (code === undefined || subject !== providerReference) return unknown('UNREADABLE_ANSWER', evidence);
  if (code === DONE) {
    const receipt = provedReceipt === undefined ? {} : { providerTransactionId: provedReceipt };
    return { outcome: { type: 'COMPLETED', ...receipt }, evidence };
  }
  if (isDoubtfulOfPush(code) && !isTwice(code, attempt, age))
    return { outcome: { type: 'PENDING' }, evidence, reportedFailure: code };
  return { ...parseFailure(code, 'DEPOSIT'), evidence };
}

export type Age = {
  /** The payer may still answer, and the operator may still change the result. */
  readonly isYoung: boolean;
  readonly now: Date;
};

/** The minimum time between the first enquiry that reported a failure and the one that confirms it. */
const SECOND_LOOK_AFTER_MS = 10_000;

function isTwice(code: string, { reportedFailure }: StoredAttempt, { isYoung, now }: Age): boolean {
  if (isYoung || reportedFailure?.code !== code) return false;
  return now.getTime() - reportedFailure.at.getTime() >= SECOND_LOOK_AFTER_MS;
}

/** The answer to any other enquiry: the result comes later. */
export function parseEnquiryAnswer(answer: HttpAnswer): QueryAnswer {
  const evidence = evidenceOf('query', answer);
  if (answer.httpStatus >= 300) return unanswered(answer, evidence);
  const code = codeOf(parseObject(answer.text)?.['ResponseCode']);
  if (code === undefined) return unknown('UNREADABLE_ANSWER', evidence);
  return code === DONE ? { outcome: 'ENQUIRY_REQUESTED', evidence } : unknown('UNMAPPED_CODE', evidence);
}

/** A new push may not be known yet; while it is young, this raises no alert. */
function unanswered(answer: HttpAnswer, evidence: string, age?: Age): SubmitAnswer {
  const code = errorCodeOf(answer);
  const isTooEarly = code === '400.002.02' && age?.isYoung === true;
  const isForHost = parseErrorCode(code)?.type === 'FAILED' && !isTooEarly;
  return { ...unknown('OPERATOR_ERROR', evidence), ...(isForHost ? { alert: code } : {}) };
}

/** The code of a success. */
export const DONE = '0';

export type Reported = { readonly outcome: Outcome; readonly alert?: string };

/** The outcome of a result that is not a success. */
export function parseFailure(code: string, operation: PaymentKind): Reported {
  const meaning = parseResultCode(code, operation);
  if (meaning === null) return { outcome: { type: 'UNKNOWN', reason: 'UNMAPPED_CODE' } };
  if (meaning.type === 'NOT_FINAL') return { outcome: { type: 'PENDING' } };
  const outcome: Outcome = { type: 'FAILED', code: meaning.code };
  return meaning.isAlert === true ? { outcome, alert: code } : { outcome };
}

/** Codes are numbers or strings. */
export function codeOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textOf(value);
}

export function parseTokenAnswer(answer: HttpAnswer): Minted {
  const grant = answer.httpStatus === 200 ? parseObject(answer.text) : null;
  const token = textOf(grant?.['access_token']);
  const seconds = Number(grant?.['expires_in']);
  if (token === undefined || !(seconds > 0)) return { error: `NO_TOKEN_HTTP_${answer.httpStatus}` };
  return { token, lifetimeMs: seconds * 1_000 };
}
