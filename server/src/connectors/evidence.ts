// What an operator said, as it is kept for people who have to understand it later, and what a step without an answer
// comes to. Pure.
import type { UnknownReason } from '../domain/payments/outcome.ts';
import type { CallResult, HttpAnswer } from './call.ts';
import type { BalanceAnswer, SubmitAnswer } from './port.ts';
import { redactAddresses } from './redact-addresses.ts';

/** Long enough for every answer of the protocols we speak, short enough to encrypt beside each attempt. */
const TEXT_LENGTH_MAX = 1_000;

/** The word of a line that had no slot for a call. */
export const LIMITED_HERE = 'RATE_LIMITED_HERE';

export function evidenceOf(step: string, { httpStatus, text }: HttpAnswer): string {
  return JSON.stringify({ step, httpStatus, body: shortened(text) });
}

/** The evidence of a notification. */
export function evidenceOfMessage(body: Buffer): string {
  return JSON.stringify({ step: 'notification', body: shortened(body.toString('utf8')) });
}

/** People read it, so no address of ours is in it. */
function shortened(text: string): string {
  return redactAddresses(text).slice(0, TEXT_LENGTH_MAX);
}

/** A submit that was answered by no one. Only one that was never written is known not to have happened. */
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

/** The operator's status is a definite failure, its reason is in no table: an end, with an alert that names it. */
export function failedForUnmapped(reason: string): Pick<SubmitAnswer, 'outcome' | 'alert'> {
  return { outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' }, alert: `UNMAPPED_${plainWord(reason)}` };
}

const WORD_LENGTH_MAX = 40;

/** An alert is a label of a metric, so whatever the operator wrote becomes a short plain word. */
function plainWord(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, WORD_LENGTH_MAX);
}

type Silence = Extract<CallResult, { readonly type: 'SILENCE' }>;
