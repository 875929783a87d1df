// Enquiries to Daraja. A push enquiry is answered at once. All others are answered later, at an address created for
// that one enquiry.
import { unansweredQuery } from '../evidence.ts';
import type { StoredAttempt, SubmitAnswer } from '../port.ts';
import { aboutPayment, call, hasKey, post, type Caller } from './calls.ts';
import {
  parseEnquiryAnswer,
  parsePushStatus,
  renderPushEnquiry,
  renderReceiptEnquiry,
  renderStatusEnquiry,
} from './wire.ts';

/**
 * Callback and enquiry report a success at about the same time, but only the callback has a receipt. Some failures in
 * enquiries are followed by a success.
 */
const YOUNG_MS = 120_000;

/** Safaricom does not send to addresses that contain its name or its product's name. */
export const ADDRESS_NAME = 'daraja';

export async function askPush(caller: Caller, attempt: StoredAttempt): Promise<SubmitAnswer> {
  const now = caller.context.clock.now();
  const result = await call(caller, attempt, 'PASSKEY', ({ values }) => ({
    ...post(values, '/mpesa/stkpushquery/v1/query'),
    step: 'query',
    body: renderPushEnquiry(attempt, { values, now }),
    ...aboutPayment(attempt),
  }));
  if (result.type !== 'ANSWER') return unansweredQuery(result);
  // Not longer than the horizon, in case the host has set a short one.
  const youngMs = Math.min(YOUNG_MS, caller.context.timing.horizonMs ?? YOUNG_MS);
  const isYoung = now.getTime() - attempt.claimedAt.getTime() < youngMs;
  const answer = parsePushStatus(result, attempt, { isYoung, now });
  const isReceiptWanted = answer.outcome.type === 'COMPLETED' && attempt.provedReceipt === undefined;
  if (!isReceiptWanted || !(await canAskStatus(caller, attempt))) return answer;
  if (attempt.reportedReceipt !== undefined) await askReceipt(caller, attempt);
  return isYoung ? { ...answer, outcome: { type: 'PENDING' } } : answer;
}

/** Without an initiator no receipt can be confirmed, and no deposit can be reversed. */
async function canAskStatus({ context }: Caller, attempt: StoredAttempt): Promise<boolean> {
  const account = await context.findAccount(attempt);
  return account !== null && hasKey(account, 'INITIATOR');
}

/**
 * Whether the receipt of a deposit may still be confirmed. A reported receipt is asked about here; one that is missing
 * may come in a late callback.
 */
export async function awaitsReceipt(
  caller: Caller,
  deposit: StoredAttempt,
  lateMs: number,
): Promise<boolean> {
  if (!(await canAskStatus(caller, deposit))) return false;
  if (deposit.reportedReceipt !== undefined) await askReceipt(caller, deposit);
  const ageMs = caller.context.clock.now().getTime() - deposit.claimedAt.getTime();
  return deposit.reportedReceipt !== undefined || ageMs < lateMs;
}

/** The answer comes later. If it is lost, the next enquiry asks again. */
async function askReceipt(caller: Caller, attempt: StoredAttempt): Promise<void> {
  const answerUrl = await answerUrlFor(caller, attempt);
  await call(caller, attempt, 'INITIATOR', ({ values }) => ({
    ...post(values, '/mpesa/transactionstatus/v1/query'),
    step: 'query',
    body: renderReceiptEnquiry(attempt, { values, answerUrl }),
    ...aboutPayment(attempt),
  }));
}

export async function askStatus(caller: Caller, attempt: StoredAttempt) {
  const answerUrl = await answerUrlFor(caller, attempt);
  const result = await call(caller, attempt, 'INITIATOR', ({ values }) => ({
    ...post(values, '/mpesa/transactionstatus/v1/query'),
    step: 'query',
    body: renderStatusEnquiry(attempt, { values, answerUrl }),
    ...aboutPayment(attempt),
  }));
  return result.type === 'ANSWER' ? parseEnquiryAnswer(result) : unansweredQuery(result);
}

export function answerUrlFor(
  { context }: Caller,
  { reference }: { readonly reference: string },
): Promise<string> {
  return context.createAnswerUrl({ reference, addressName: ADDRESS_NAME });
}
