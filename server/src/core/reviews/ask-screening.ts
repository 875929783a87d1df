// Asks the platform's own screening service about a payment: signed as callbacks are, until a deadline. Whatever is not
// a whole answer to this question is none.
import { setTimeout as pause } from 'node:timers/promises';
import { createOutgoingGuard, LOOPBACK_RANGES } from '../../callbacks/outgoing-guard.ts';
import { CallbackPoster } from '../../callbacks/post.ts';
import { signCallback } from '../../callbacks/sign.ts';
import {
  parseScreeningAnswer,
  screeningBody,
  type ScreeningAnswer,
  type ScreeningSettings,
} from '../../domain/limits/screening.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Engine } from '../engine.ts';

/** Null: there was no answer in time. */
export type AskScreening = (payment: Payment) => Promise<ScreeningAnswer | null>;

/** The service may live in the platform's own network; addresses of cloud metadata are refused all the same. */
const PRIVATE_RANGES = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', ...LOOPBACK_RANGES];

const FIRST_PAUSE_MS = 200;

export function createScreening(
  engine: Pick<Engine, 'signingKeys' | 'wallClock'>,
  { url, fields, deadlineMs }: ScreeningSettings,
): { readonly ask: AskScreening; readonly close: () => Promise<void> } {
  const guard = createOutgoingGuard(PRIVATE_RANGES);
  const poster = new CallbackPoster({ guard, timeoutMs: deadlineMs });
  const askOnce = async (payment: Payment, timeoutMs: number) => {
    const body = screeningBody(payment, fields);
    const key = await engine.signingKeys.current();
    const now = engine.wallClock.now();
    const headers = signCallback({ merchantId: payment.merchantId, url, body, key, now });
    const result = await poster.post({ url, body, headers, timeoutMs });
    // A verdict in a part of an answer is none.
    if (result.type !== 'ANSWERED' || result.httpStatus !== 200 || !result.isWhole) return null;
    return parseScreeningAnswer(result.answer.toString('utf8'), payment);
  };
  const ask: AskScreening = async (payment) => {
    const endsAt = performance.now() + deadlineMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      const leftMs = Math.floor(endsAt - performance.now());
      if (leftMs <= 0) return null;
      // It may be restarting: within the deadline it is asked again.
      const answer = await askOnce(payment, leftMs).catch(() => null);
      if (answer !== null) return answer;
      await pause(Math.min(pauseMs, Math.max(0, endsAt - performance.now())));
    }
  };
  return { ask, close: () => poster.close() };
}
