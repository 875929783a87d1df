// Forgets what no one needs any more, a little at a time. docs/operating/retention.md says what stays and why.
import { pruneEvents } from '../store/events/merchant-events.ts';
import { pruneQuestions } from '../store/operators/operator-questions.ts';
import { pruneTraffic } from '../store/operators/operator-traffic.ts';
import { pruneCounters } from '../store/limits/limit-counters.ts';
import { pruneRiskEvents } from '../store/limits/risk-events.ts';
import { prunePrompts } from '../store/payments/payer-prompts.ts';
import { pruneCallbackAttempts, pruneDoubtful, pruneNotifications } from '../store/retention.ts';
import { pruneStatementEndpoints } from '../store/statements/statement-callbacks.ts';
import { pruneStatementChunks } from '../store/statements/statement-chunks.ts';
import { pruneStatements } from '../store/statements/statements.ts';
import type { Engine } from './engine.ts';
import { addMs } from '../domain/time.ts';

export type RetentionSettings = {
  /** Operators' messages, from when they came, and what was said to operators. */
  readonly notificationDays: number;
  /** Attempts at callbacks, from when the callback was made. */
  readonly callbackAttemptDays: number;
  /** Statements with their files, from when they were asked for. */
  readonly statementDays: number;
  /** Events of the merchants' feeds, from when they were numbered. */
  readonly eventDays: number;
};

export const DEFAULT_RETENTION: RetentionSettings = {
  // Longer than any operator lets a payment be disputed, and what counted of a message is evidence of its payment.
  notificationDays: 90,
  // Longer than a callback is tried, by far; anyone who looks for an answer of his own server does so sooner.
  callbackAttemptDays: 90,
  // Anyone who closes a month has fetched it by the next; the same statement can be asked for again at any time.
  statementDays: 31,
  // A reader that stood still for a quarter of a year begins again from lists and statements.
  eventDays: 90,
};

/** Long enough for a person to look at what strangers send. */
const DOUBTFUL_DAYS = 0.75;

/** Operators answer within minutes; after a day they are asked again. */
const QUESTION_DAYS = 2;

/** Longer than a callback is tried. */
const STATEMENT_ENDPOINT_DAYS = 14;

/** Longer than the hour in which prompts are counted. */
const PROMPT_DAYS = 1;

/** From the end of the window. What fails later gives back to a window that limits nothing any more. */
const LIMIT_COUNTER_DAYS = 7;

/** Long enough to look into what happened last month. */
const RISK_EVENT_DAYS = 90;

/** With ten million payments behind it a statement of so many rows takes 3 to 20 ms; no one waits for what it locks. */
const BATCH = 1_000;
const DAY_MS = 24 * 3_600_000;

/** Stops early when told to; what is left waits for the next time. In turns, so that no kind waits for another. */
export async function prune(
  engine: Engine,
  settings: RetentionSettings,
  isTimeOver: () => boolean,
): Promise<void> {
  let kinds = [
    { what: 'notification', days: settings.notificationDays, pruneSome: pruneNotifications },
    { what: 'doubtful_notification', days: DOUBTFUL_DAYS, pruneSome: pruneDoubtful },
    { what: 'question', days: QUESTION_DAYS, pruneSome: pruneQuestions },
    { what: 'traffic', days: settings.notificationDays, pruneSome: pruneTraffic },
    { what: 'callback_attempt', days: settings.callbackAttemptDays, pruneSome: pruneCallbackAttempts },
    { what: 'statement_chunk', days: settings.statementDays, pruneSome: pruneStatementChunks },
    { what: 'statement', days: settings.statementDays, pruneSome: pruneStatements },
    { what: 'event', days: settings.eventDays, pruneSome: pruneEvents },
    { what: 'limit_counter', days: LIMIT_COUNTER_DAYS, pruneSome: pruneCounters },
    { what: 'risk_event', days: RISK_EVENT_DAYS, pruneSome: pruneRiskEvents },
    { what: 'payer_prompt', days: PROMPT_DAYS, pruneSome: prunePrompts },
    { what: 'statement_endpoint', days: STATEMENT_ENDPOINT_DAYS, pruneSome: pruneStatementEndpoints },
  ];
  while (kinds.length > 0) {
    const unfinished: typeof kinds = [];
    for (const kind of kinds) {
      if (isTimeOver()) return;
      const { database } = engine.store;
      const before = addMs(await engine.clock.timeOf(database), -kind.days * DAY_MS);
      const count = await kind.pruneSome(database, { before, countMax: BATCH });
      if (count > 0) engine.observer.pruned(kind.what, count);
      if (count === BATCH) unfinished.push(kind);
    }
    kinds = unfinished;
  }
}
