// Evidence: the operator's words, stored for people who investigate later, and the results of calls without an answer.
// Pure.
import type { UnknownReason } from '../domain/payments/outcome.ts';
import type { CallResult, HttpAnswer } from './call.ts';
import type { BalanceAnswer, SubmitAnswer } from './port.ts';
import { redactAddresses } from './redact-addresses.ts';

/** Long enough for all answers of the supported protocols, short enough to store encrypted with each attempt. */
const TEXT_LENGTH_MAX = 1_000;

/** The reason used when our own rate budget had no slot for a call. */
export const LIMITED_HERE = 'RATE_LIMITED_HERE';

export function evidenceOf(step: string, { httpStatus, text }: HttpAnswer): string {
  return JSON.stringify({ step, httpStatus, body: shortened(text) });
}

/** The evidence of a notification. */
export function evidenceOfMessage(body: Buffer): string {
  return JSON.stringify({ step: 'notification', body: shortened(body.toString('utf8')) });
}

/** People read evidence, so our notification addresses are removed. */
function shortened(text: string): string {
  return redactAddresses(text).slice(0, TEXT_LENGTH_MAX);
}

/** A submit without an answer. Only if nothing was written is it certain that nothing happened. */
export function unansweredSubmit({ error, sent }: Silence): SubmitAnswer {
  const reason = sent ? 'NO_ANSWER' : error === LIMITED_HERE ? LIMITED_HERE : 'NOT_SENT';
  return unknown(reason, JSON.stringify({ step: 'submit', error, sent }));
}

export function unansweredQuery({ error }: Silence): SubmitAnswer {
  const reason = error === LIMITED_HERE ? LIMITED_HERE : 'NO_ANSWER';
  return unknown(reason, JSON.stringify({ step: 'query', error }));
}

export function unansweredBalance({ error }: Silence): BalanceAnswer {
  return { type: error === LIMITED_HERE ? 'NOT_ASKED' : 'UNKNOWN' };
}

export function unknown(reason: UnknownReason, evidence: string): SubmitAnswer {
  return { outcome: { type: 'UNKNOWN', reason }, evidence };
}

/**
 * The status is a definite failure but its reason is unmapped: the payment fails, with an alert that names the reason.
 */
export function failedForUnmapped(reason: string): Pick<SubmitAnswer, 'outcome' | 'alert'> {
  return { outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' }, alert: `UNMAPPED_${plainWord(reason)}` };
}

const WORD_LENGTH_MAX = 40;

/** An alert becomes a metric label, so the operator's text is reduced to a short plain word. */
function plainWord(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, WORD_LENGTH_MAX);
}

type Silence = Extract<CallResult, { readonly type: 'SILENCE' }>;
