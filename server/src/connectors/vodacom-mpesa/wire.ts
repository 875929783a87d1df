// Vodacom's JSON in both directions. Pure. The code decides, not the HTTP status: 401 means an expired session or a
// failed payment.
import { renderAmount } from '../../domain/money.ts';
import type { HttpAnswer } from '../call.ts';
import { evidenceOf, unknown } from '../evidence.ts';
import type { Meaning } from '../failure-table.ts';
import { parseObject, textOf, type JsonObject } from '../json.ts';
import type {
  NotificationReading,
  RawNotification,
  RefundSubmitRequest,
  StoredAttempt,
  SubmitAnswer,
  SubmitRequest,
} from '../port.ts';
import { parseCode, parseEnquiryCode, parseStatus } from './failures.ts';
import { marketOf } from './markets.ts';

/** The account fields that are sent in bodies. */
type Values = Readonly<Record<string, string>>;

/** The body of a payment from a customer or to one. */
export function renderRequest(request: SubmitRequest, values: Values): string {
  const description = renderDescription(request);
  const market = marketOf(request.provider);
  const isDeposit = request.operation === 'DEPOSIT';
  return JSON.stringify({
    input_Amount: renderAmount(request.amount),
    input_CustomerMSISDN: request.phoneNumber,
    // The reference that the customer sees has at most 20 characters. The end of ours is just as unique.
    input_TransactionReference: request.reference.slice(-20),
    ...identify(request, values),
    ...(market.form === 'OLDER'
      ? {}
      : {
          input_Currency: request.currency,
          [isDeposit ? 'input_PurchasedItemsDesc' : 'input_PaymentItemsDesc']: description,
        }),
  });
}

/** The body of a reversal. The older API also needs an initiator with a credential. */
export function renderReversal(request: RefundSubmitRequest, receipt: string, values: Values): string {
  const isOlder = marketOf(request.provider).form === 'OLDER';
  return JSON.stringify({
    input_TransactionID: receipt,
    input_ReversalAmount: renderAmount(request.amount),
    ...identify(request, values),
    ...(isOlder
      ? {
          input_InitiatorIdentifier: values['initiatorIdentifier'] ?? '',
          input_SecurityCredential: values['securityCredential'] ?? '',
        }
      : {}),
  });
}

/** The enquiry about a request. It is a conversation of its own, with its own identifier. */
export function renderQuery(attempt: StoredAttempt, values: Values, questionId: string): string {
  const asking = identify({ provider: attempt.provider, reference: questionId }, values);
  const { form } = marketOf(attempt.provider);
  // Mozambique's page prefers the transaction and the conversation to our reference.
  const known = form === 'OLDER' ? (attempt.providerReference ?? attempt.reference) : attempt.reference;
  return new URLSearchParams({ input_QueryReference: known, ...asking }).toString();
}

function identify({ provider, reference }: Pick<SubmitRequest, 'provider' | 'reference'>, values: Values) {
  const { form, country } = marketOf(provider);
  const input_ServiceProviderCode = values['serviceProviderCode'] ?? '';
  return form === 'OLDER'
    ? { input_ThirdPartyReference: reference, input_ServiceProviderCode }
    : { input_ThirdPartyConversationID: reference, input_ServiceProviderCode, input_Country: country };
}

const DESCRIPTION_LENGTH_MAX = 256;

/** Punctuation is refused with INS-30, so only letters, digits and spaces are sent. It must not be empty. */
export function renderDescription({ customerMessage }: Pick<SubmitRequest, 'customerMessage'>): string {
  const plain = customerMessage
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim();
  return plain.slice(0, DESCRIPTION_LENGTH_MAX) || 'Payment';
}

export function parseSubmitAnswer(answer: HttpAnswer, request: SubmitRequest): SubmitAnswer {
  const evidence = evidenceOf('submit', answer);
  const body = parseObject(answer.text);
  const code = codeOf(body);
  if (body === null || code === undefined) return wordless(answer, evidence);
  if (!isAbout(body, request.reference)) return unknown('UNREADABLE_ANSWER', evidence);
  return { ...reportedBySubmit(code, body, { answer, request }), ...conversationOf(body), evidence };
}

type Reported = Pick<SubmitAnswer, 'outcome' | 'alert'>;
type Answered = { readonly answer: HttpAnswer; readonly request: SubmitRequest };

function reportedBySubmit(code: string, body: JsonObject, { answer, request }: Answered): Reported {
  if (code === 'INS-0' && answer.httpStatus < 300) {
    const providerTransactionId = identifierOf(body, 'output_TransactionID');
    // Without a receipt it is only an acknowledgement: the result comes later.
    if (providerTransactionId === undefined) return { outcome: { type: 'PENDING' } };
    return { outcome: { type: 'COMPLETED', providerTransactionId } };
  }
  // A duplicate means that the operator has it. A deposit that timed out only waited for its payer; the operator is
  // fine.
  if (code === 'INS-10' || (code === 'INS-9' && request.operation === 'DEPOSIT')) {
    return { outcome: { type: 'PENDING' } };
  }
  return reportedBy(code, code === 'INS-0' ? { type: 'NOT_FINAL' } : parseCode(code, request));
}

/**
 * The answer to an enquiry. INS-23 means that there is no such transaction, but not for one that was acknowledged
 * before. In Mozambique it means an unknown status, so there it never proves that nothing was received.
 */
export function parseStatusAnswer(answer: HttpAnswer, attempt: StoredAttempt): SubmitAnswer {
  const evidence = evidenceOf('query', answer);
  const body = parseObject(answer.text);
  const code = codeOf(body);
  if (body === null || code === undefined) return wordless(answer, evidence);
  const isUnknown = attempt.providerReference !== undefined || marketOf(attempt.provider).form === 'OLDER';
  if (code === 'INS-23' && !isUnknown) {
    return { outcome: { type: 'NOT_SEEN' }, evidence };
  }
  if (code !== 'INS-0') return { ...reportedBy(code, parseEnquiryCode(code, attempt)), evidence };
  if (answer.httpStatus >= 300) return unknown('OPERATOR_ERROR', evidence);
  return { ...reportedByStatus(body, attempt), evidence };
}

function reportedByStatus(body: JsonObject, attempt: StoredAttempt): Reported {
  const status = textOf(body['output_ResponseTransactionStatus']);
  if (status === undefined) return { outcome: { type: 'UNKNOWN', reason: 'UNREADABLE_ANSWER' } };
  const meaning = parseStatus(status, attempt);
  if (meaning === 'PENDING') return { outcome: { type: 'PENDING' } };
  if (meaning !== 'COMPLETED') return reportedBy(status, meaning);
  // Completed and then reversed, but not by us: a person must look at it.
  if (String(body['output_Reversed']).toLowerCase() === 'true') return reportedBy(status, null);
  const providerTransactionId =
    identifierOf(body, 'output_OriginalTransactionID') ?? identifierOf(body, 'output_TransactionID');
  const receipt = providerTransactionId === undefined ? {} : { providerTransactionId };
  return { outcome: { type: 'COMPLETED', ...receipt } };
}

function reportedBy(word: string, meaning: Meaning | null): Reported {
  if (meaning === null) return { outcome: { type: 'UNKNOWN', reason: 'UNMAPPED_CODE' } };
  if (meaning.type === 'NOT_FINAL') return { outcome: { type: 'UNKNOWN', reason: 'OPERATOR_ERROR' } };
  const outcome = { type: 'FAILED', code: meaning.code } as const;
  return meaning.isAlert === true ? { outcome, alert: word } : { outcome };
}

/** An answer without a Vodacom code comes from a proxy or API gateway: only the host can fix that. */
function wordless(answer: HttpAnswer, evidence: string): SubmitAnswer {
  const isRefused = isSessionRefusal(answer);
  const reported = unknown(answer.httpStatus >= 300 ? 'OPERATOR_ERROR' : 'UNREADABLE_ANSWER', evidence);
  return isRefused ? { ...reported, alert: 'FORBIDDEN' } : reported;
}

/** Whether the API gateway refused the call. With a code it is an answer to the request, whatever the HTTP status. */
export function isSessionRefusal({ httpStatus, text }: HttpAnswer): boolean {
  return (httpStatus === 401 || httpStatus === 403) && codeOf(parseObject(text)) === undefined;
}

function codeOf(body: JsonObject | null): string | undefined {
  return textOf(body?.['output_ResponseCode']);
}

function isAbout(body: JsonObject, reference: string): boolean {
  const reported = referenceIn(body, 'output');
  return reported === undefined || reported === reference;
}

function referenceIn(body: JsonObject, prefix: 'input' | 'output'): string | undefined {
  return textOf(body[`${prefix}_ThirdPartyConversationID`]) ?? textOf(body[`${prefix}_ThirdPartyReference`]);
}

function conversationOf(body: JsonObject): Pick<SubmitAnswer, 'providerReference'> {
  const providerReference = identifierOf(body, 'output_ConversationID');
  return providerReference === undefined ? {} : { providerReference };
}

/** Some answers use a word for "none". */
function identifierOf(body: JsonObject, name: string): string | undefined {
  const text = textOf(body[name]);
  return text === undefined || !/^[\w-]{1,255}$/.test(text) ? undefined : text;
}

/** The session in an answer, or the reason why there is none. */
export function parseSessionAnswer(answer: HttpAnswer): { sessionId: string } | { error: string } {
  const body = parseObject(answer.text);
  const sessionId = codeOf(body) === 'INS-0' ? textOf(body?.['output_SessionID']) : undefined;
  return sessionId === undefined
    ? { error: `NO_SESSION_${codeOf(body) ?? `HTTP_${answer.httpStatus}`}` }
    : { sessionId };
}

/** Nothing about a result is authentic, not even its address, so it only triggers an enquiry. */
export function readNotification({ body }: RawNotification): NotificationReading {
  const reference = referenceIn(parseObject(body.toString('utf8')) ?? {}, 'input');
  return reference === undefined ? { type: 'UNREADABLE' } : { type: 'HINT', reference };
}

/** Without this answer the operator treats its message as not delivered. */
export function acknowledge({ body }: RawNotification): object {
  const message = parseObject(body.toString('utf8')) ?? {};
  return {
    output_OriginalConversationID: textOf(message['input_OriginalConversationID']) ?? '',
    output_ResponseCode: '0',
    output_ResponseDesc: 'Successfully Accepted Result',
    output_ThirdPartyConversationID: referenceIn(message, 'input') ?? '',
  };
}
