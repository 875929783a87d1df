// Airtel's JSON in both directions. Pure. Only the transaction status counts: `success` is false in some of Airtel's
// own success examples, and SUCCESS after a collection only means that the prompt was sent.
import { findCountry } from '../../domain/operators/catalogue.ts';
import { renderAmount } from '../../domain/money.ts';
import type { Outcome } from '../../domain/payments/outcome.ts';
import type { HttpAnswer } from '../call.ts';
import { evidenceOf, failedForUnmapped, unknown } from '../evidence.ts';
import { amountOf, isObject, nameOf, parseObject, textOf, type JsonObject } from '../json.ts';
import type {
  BalanceAnswer,
  HolderAnswer,
  RefundSubmitRequest,
  StoredAttempt,
  SubmitAnswer,
  SubmitRequest,
} from '../port.ts';
import type { Minted } from '../token-source.ts';
import { isDuplicate, isNotFound, parseCode } from './failures.ts';
import type { Habits, Version } from './markets.ts';

/** Airtel wants the number without its country code, and in some markets with a leading 0. */
export function nationalNumber(
  { country, phoneNumber }: Pick<SubmitRequest, 'country' | 'phoneNumber'>,
  { numberPrefix = '' }: Habits = {},
): string {
  const prefix = findCountry(country)?.prefix ?? '';
  const national = phoneNumber.startsWith(prefix) ? phoneNumber.slice(prefix.length) : phoneNumber;
  return national.startsWith(numberPrefix) ? national : `${numberPrefix}${national}`;
}

const REFERENCE_LENGTH_MIN = 4;
const REFERENCE_LENGTH_MAX = 64;

/** The customer's message as letters and digits; our reference if too little of it remains. */
export function renderReference({ customerMessage, reference }: SubmitRequest): string {
  const plain = customerMessage
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, REFERENCE_LENGTH_MAX);
  return plain.length < REFERENCE_LENGTH_MIN ? reference : plain;
}

export function renderCollection(request: SubmitRequest, habits: Habits = {}): string {
  const currency = habits.currencyCode ?? request.currency;
  const country = { country: findCountry(request.country)?.alpha2, currency };
  return renderBody(request, {
    reference: renderReference(request),
    subscriber: { ...country, msisdn: nationalNumber(request, habits) },
    transaction: { amount: AMOUNT, ...country, id: request.reference },
  });
}

type Disbursed = { readonly pin: string; readonly version: Version; readonly habits?: Habits };

/** Version 2 requires the kind of disbursement, version 3 also the kind of wallet. */
export function renderDisbursement(request: SubmitRequest, { pin, version, habits = {} }: Disbursed): string {
  return renderBody(request, {
    payee: {
      msisdn: nationalNumber(request, habits),
      ...(version === 'v3' ? { wallet_type: 'NORMAL' } : {}),
    },
    reference: renderReference(request),
    pin,
    transaction: { amount: AMOUNT, id: request.reference, ...(version === 'v1' ? {} : { type: 'B2C' }) },
  });
}

/** Refunds a whole collection, identified by Airtel's receipt. It carries no reference of ours. */
export function renderRefund({ original }: RefundSubmitRequest): string {
  return JSON.stringify({ transaction: { airtel_money_id: original.providerTransactionId } });
}

/** Placeholder for the amount; no other value can contain this character. */
const AMOUNT = '@amount';

/** Airtel wants a JSON number. Writing the digits directly avoids a floating-point conversion. */
function renderBody({ amount }: SubmitRequest, body: object): string {
  return JSON.stringify(body).replace(`"${AMOUNT}"`, renderAmount(amount));
}

/** The relevant content of an answer, whichever format it has. */
type Said = {
  readonly transaction: JsonObject;
  readonly status: string | undefined;
  /** The most specific of its codes. */
  readonly code: string | undefined;
  readonly isSuccess: unknown;
};

/** Null if the answer is not Airtel's. The API gateway puts its codes outside the usual envelope. */
function parseSaid(text: string): Said | null {
  const body = parseObject(text);
  if (body === null) return null;
  const envelope = isObject(body['status']) ? body['status'] : {};
  const data = isObject(body['data']) ? body['data'] : {};
  const transaction = isObject(data['transaction']) ? data['transaction'] : {};
  const codes = [envelope['response_code'], envelope['result_code'], body['status_code'], body['code']];
  const code = codes.map(textOf).find((one) => one !== undefined && /^(DP|ESB|ROUTER)\d+$/.test(one));
  return { transaction, status: textOf(transaction['status']), code, isSuccess: envelope['success'] };
}

/** The answer to a collection or a disbursement. Only a disbursement can be final here. */
export function parseSubmitAnswer(answer: HttpAnswer, request: SubmitRequest): SubmitAnswer {
  const evidence = evidenceOf('submit', answer);
  const said = parseSaid(answer.text);
  if (said === null || answer.httpStatus >= 500) return unreadable(answer, evidence);
  if (isDuplicate(said.code)) return { outcome: { type: 'PENDING' }, evidence };
  if (isAboutAnother(said, request)) return unknown('UNREADABLE_ANSWER', evidence);
  if (said.status === 'TF') return { ...failedOf(said, request), evidence };
  if (request.operation !== 'DEPOSIT' && answer.httpStatus < 300 && STATUSES.has(said.status)) {
    return { ...endOf(said, request), evidence };
  }
  if (answer.httpStatus < 300 && said.isSuccess === true && isAcceptance(said.code)) {
    return { outcome: { type: 'PENDING' }, evidence };
  }
  return said.code === undefined
    ? unreadable(answer, evidence)
    : { ...refusedOf(said, said.code, request), evidence };
}

/**
 * The answer to a refund is final, with its own statuses: TR means that the collection was reversed. No enquiry can
 * repeat it.
 */
export function parseRefundAnswer(answer: HttpAnswer, request: RefundSubmitRequest): SubmitAnswer {
  const said = parseSaid(answer.text);
  if (said === null || answer.httpStatus >= 300 || !/^(SUCCESS|TS|TR)$/i.test(said.status ?? '')) {
    return parseSubmitAnswer(answer, request);
  }
  const receipt = textOf(said.transaction['airtel_money_id']);
  // One example repeats the collection's receipt; that one cannot identify the refund.
  const isOwn = receipt !== undefined && receipt !== request.original.providerTransactionId;
  return {
    outcome: { type: 'COMPLETED', ...(isOwn ? { providerTransactionId: receipt } : {}) },
    evidence: evidenceOf('submit', answer),
  };
}

/** The answer to an enquiry. Without a transaction status, a code is about the enquiry and ends nothing. */
export function parseStatusAnswer(answer: HttpAnswer, attempt: StoredAttempt): SubmitAnswer {
  const evidence = evidenceOf('query', answer);
  const said = parseSaid(answer.text);
  if (said === null || answer.httpStatus >= 500) return unreadable(answer, evidence);
  if (said.status === undefined && isNotFound(said.code, attempt.operation)) {
    return { outcome: { type: 'NOT_SEEN' }, evidence };
  }
  if (answer.httpStatus >= 300) return unreadable(answer, evidence);
  if (said.status === undefined) {
    return said.code === undefined
      ? unreadable(answer, evidence)
      : { ...notAnswered(said.code, attempt), evidence };
  }
  if (isAboutAnother(said, attempt)) return unknown('UNREADABLE_ANSWER', evidence);
  return { ...endOf(said, attempt), evidence };
}

function isAboutAnother({ transaction }: Said, { reference }: SubmitRequest): boolean {
  return (textOf(transaction['id']) ?? reference) !== reference;
}

type Reported = Pick<SubmitAnswer, 'outcome' | 'alert'>;

const STATUSES: ReadonlySet<string | undefined> = new Set(['TS', 'TIP', 'TI', 'TA', 'TE']);

function endOf(said: Said, request: SubmitRequest): Reported {
  switch (said.status) {
    case 'TS':
      return { outcome: completedOf(said.transaction, request) };
    case 'TIP':
    // Undocumented; seen in production.
    case 'TI':
      return { outcome: { type: 'PENDING' } };
    case 'TA':
      return doubtful('OPERATOR_ERROR');
    case 'TE':
      // The prompt expired. A disbursement has no prompt, so this status is unknown there.
      return request.operation === 'DEPOSIT'
        ? { outcome: { type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' } }
        : doubtful('OPERATOR_ERROR');
    case 'TF':
      return failedOf(said, request);
    case undefined:
    default:
      return doubtful('UNMAPPED_CODE');
  }
}

/** Airtel sends no amounts. A completed collection needs a receipt, because a refund needs it. */
function completedOf(transaction: JsonObject, { operation }: SubmitRequest): Outcome {
  const providerTransactionId = textOf(transaction['airtel_money_id']);
  if (providerTransactionId === undefined && operation === 'DEPOSIT') {
    return { type: 'UNKNOWN', reason: 'UNREADABLE_ANSWER' };
  }
  const amount = amountOf(transaction['amount']);
  return {
    type: 'COMPLETED',
    ...(providerTransactionId === undefined ? {} : { providerTransactionId }),
    ...(amount === null ? {} : { moved: { amount } }),
  };
}

/** The status is TF, which is final unless its code says otherwise. An unmapped code does not change that. */
function failedOf({ code }: Said, request: SubmitRequest): Reported {
  if (code === undefined || code === 'ESB000010') {
    return { outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } };
  }
  return parseCode(code, request) === null ? failedForUnmapped(code) : meantBy(code, request);
}

/** A request refused with a code and without a status. If the code is ambiguous, an enquiry follows. */
function refusedOf({ isSuccess }: Said, code: string, request: SubmitRequest): Reported {
  const isDoubtful = isSuccess === true || parseCode(code, request)?.needsStatus === true;
  return isDoubtful ? doubtful('OPERATOR_ERROR') : meantBy(code, request);
}

function meantBy(code: string, request: SubmitRequest): Reported {
  const meaning = parseCode(code, request);
  if (meaning === null) return doubtful('UNMAPPED_CODE');
  if (meaning.type === 'NOT_FINAL') return doubtful('OPERATOR_ERROR');
  const outcome: Outcome = { type: 'FAILED', code: meaning.code };
  return meaning.isAlert === true ? { outcome, alert: code } : { outcome };
}

/** An enquiry without a usable answer; the payment stays unchanged. */
function notAnswered(code: string, request: SubmitRequest): Reported {
  const { outcome, alert } = meantBy(code, request);
  if (outcome.type !== 'FAILED') return { outcome };
  return { ...doubtful('OPERATOR_ERROR'), ...(alert === undefined ? {} : { alert }) };
}

function isAcceptance(code: string | undefined): boolean {
  return code !== undefined && /^(DP00[89]00001(001|006)|ESB000010)$/.test(code);
}

function doubtful(reason: 'OPERATOR_ERROR' | 'UNMAPPED_CODE'): Reported {
  return { outcome: { type: 'UNKNOWN', reason } };
}

/** Airtel answers 403 if our IP address is not on its list. Only the host can fix that. */
function unreadable({ httpStatus }: HttpAnswer, evidence: string): SubmitAnswer {
  const answer = unknown(httpStatus < 300 ? 'UNREADABLE_ANSWER' : 'OPERATOR_ERROR', evidence);
  return httpStatus === 403 ? { ...answer, alert: 'FORBIDDEN' } : answer;
}

/** The most specific code of an answer, if it has one. */
export function codeIn({ text }: HttpAnswer): string | undefined {
  return parseSaid(text)?.code;
}

/** The lifetime is a string. */
export function parseTokenAnswer(answer: HttpAnswer): Minted {
  const grant = answer.httpStatus === 200 ? parseObject(answer.text) : null;
  const token = textOf(grant?.['access_token']);
  const seconds = Number(grant?.['expires_in']);
  if (token === undefined || !(seconds > 0)) return { error: `NO_TOKEN_HTTP_${answer.httpStatus}` };
  return { token, lifetimeMs: seconds * 1_000 };
}

/** The balance is a string with commas as thousands separators. */
export function parseBalanceAnswer(answer: HttpAnswer, currency: string): BalanceAnswer {
  const body = answer.httpStatus === 200 ? parseObject(answer.text) : null;
  const data = isObject(body?.['data']) ? body['data'] : {};
  const { balance } = data;
  const amount = amountOf(typeof balance === 'string' ? balance.replaceAll(',', '') : balance);
  if (amount === null || textOf(data['currency']) !== currency) return { type: 'UNKNOWN' };
  return { type: 'BALANCE', amount };
}

/** Who holds a number. A barred account receives nothing. */
export function parseHolderAnswer(answer: HttpAnswer): HolderAnswer {
  const code = codeIn(answer);
  if (code === 'DP02200000002') return { status: 'NOT_ACTIVE', name: null };
  const body = answer.httpStatus === 200 && code === 'DP02200000001' ? parseObject(answer.text) : null;
  const data = isObject(body?.['data']) ? body['data'] : {};
  const { is_barred: isBarred } = data;
  const status = typeof isBarred !== 'boolean' ? 'UNKNOWN' : isBarred ? 'NOT_ACTIVE' : 'ACTIVE';
  return { status, name: nameOf(data['first_name'], data['last_name']) };
}
