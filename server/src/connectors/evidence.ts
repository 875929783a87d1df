// What an operator said, as it is kept for people who have to understand it later, and what a step without an answer
// comes to. Pure.
import type { UnknownReason } from '../domain/outcome.ts';
import type { CallResult, HttpAnswer } from './call.ts';
import type { SubmitAnswer } from './port.ts';

/** Long enough for every answer of the protocols we speak, short enough to seal beside each attempt. */
const TEXT_LENGTH_MAX = 1_000;

export function evidenceOf(step: string, { httpStatus, text }: HttpAnswer): string {
  return JSON.stringify({ step, httpStatus, body: text.slice(0, TEXT_LENGTH_MAX) });
}

/** The evidence of a notification. */
export function evidenceOfMessage(body: Buffer): string {
  return JSON.stringify({ step: 'notification', body: body.toString('utf8').slice(0, TEXT_LENGTH_MAX) });
}

/** A submit that was answered by nobody. Only one that was never written is known not to have happened. */
export function unansweredSubmit({ error, sent }: Silence): SubmitAnswer {
  return unknown(sent ? 'NO_ANSWER' : 'NOT_SENT', JSON.stringify({ step: 'submit', error, sent }));
}

export function unansweredQuery({ error }: Silence): SubmitAnswer {
  return unknown('NO_ANSWER', JSON.stringify({ step: 'query', error }));
}

export function unknown(reason: UnknownReason, evidence: string): SubmitAnswer {
  return { outcome: { type: 'UNKNOWN', reason }, evidence };
}

type Silence = Extract<CallResult, { readonly type: 'SILENCE' }>;
