// Answers in a form that tables of tests can compare.
import type { Answer } from '../gateway.ts';

/**
 * "200 ACCEPTED", "200 REJECTED INVALID_CURRENCY", "400 REJECTED INVALID_PARAMETER amount". The name at the end is
 * what the message has in single quotes; only codes about a parameter have it.
 */
export function told({ status, body }: Answer): string {
  const reason = body['failureReason'];
  const code: string | undefined = reason?.failureCode;
  const [parameter] =
    code !== undefined && /_(PARAMETER|FIELD)$/.test(code) ? quotedIn(reason.failureMessage) : [];
  return [status, body['status'], code, parameter].filter((part) => part !== undefined).join(' ');
}

/** Everything in single quotes, in its order: what clients read out of messages. */
export function quotedIn(message: string): readonly string[] {
  return [...message.matchAll(/'([^']*)'/g)].map(([, quoted = '']) => quoted);
}

/** Everything in single quotes in the message of an answer. */
export function quotedByAnswer({ body }: Answer): readonly string[] {
  return quotedIn(body['failureReason'].failureMessage);
}
