// Messages of the operator that reach a certification, each read as the gateway reads it. What is not about this run
// belongs to merchants' payments: it is left for the gateway.
import type { NotificationReading, RawNotification } from '../../connectors/port.ts';
import { takeQuestions } from '../../store/operators/operator-questions.ts';
import type { Engine } from '../engine.ts';
import {
  questionOf,
  rawNotification,
  readNotification,
  referenceIn,
  type IncomingNotification,
} from '../payments/notifications/read-notification.ts';

export type Received = {
  readonly reference: string;
  readonly raw: RawNotification;
  readonly reading: NotificationReading;
};

type InboxEngine = Pick<Engine, 'store' | 'clock' | 'referenceKey'>;

/** More than any operator sends about the payments of one run. */
const MESSAGES_MAX = 1_000;

export class Inbox {
  readonly #engine: InboxEngine;
  readonly #expected = new Set<string>();
  readonly #received: Received[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(engine: InboxEngine) {
    this.#engine = engine;
  }

  /** Call it before anything is sent under this reference. */
  expect(reference: string): void {
    this.#expected.add(reference);
  }

  /**
   * Answers what the operator wants to hear; null: the message must not be acknowledged here. An address for answers
   * works once, as in the gateway.
   */
  async receive(incoming: IncomingNotification): Promise<object | null> {
    const { connector, pathReference } = incoming;
    if (pathReference !== undefined && !this.#expected.has(pathReference)) return null;
    if (this.#received.length >= MESSAGES_MAX) return null;
    const bare = rawNotification(this.#engine, incoming, this.#engine.clock.now());
    const questionId = await questionOf(this.#engine, incoming);
    const taken = await takeQuestions(this.#engine.store.database, questionId === null ? [] : [questionId]);
    const raw = taken.size === 0 ? bare : { ...bare, isAnswer: true as const };
    const reading = await readNotification(this.#engine, connector, raw);
    const reference = referenceIn(reading, raw);
    if (reference === null || !this.#expected.has(reference)) return null;
    this.#received.push({ reference, raw, reading });
    for (const wake of this.#waiting) wake();
    return connector.notifications?.acknowledge?.(raw) ?? {};
  }

  about(reference: string): readonly Received[] {
    return this.#received.filter((one) => one.reference === reference);
  }

  get count(): number {
    return this.#received.length;
  }

  /** The first message about this reference that is the one; null if none came in this time. */
  async find(
    reference: string,
    isIt: (received: Received) => boolean,
    timeMs: number,
  ): Promise<NotificationReading | null> {
    const until = performance.now() + timeMs;
    for (;;) {
      const { count } = this;
      const found = this.about(reference).find(isIt);
      if (found !== undefined) return found.reading;
      const leftMs = until - performance.now();
      if (leftMs <= 0) return null;
      await this.waitBeyond(count, leftMs);
    }
  }

  /** Waits until there are more messages than this, but not longer than this time. */
  async waitBeyond(count: number, timeMs: number): Promise<void> {
    if (this.#received.length > count) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeMs);
      this.#waiting.add(wake);
    });
  }
}
