// Messages of the operator that reach a certification, each read as the gateway reads it.
import type { NotificationReading, RawNotification } from '../../connectors/port.ts';
import { takeQuestions } from '../../store/operators/operator-questions.ts';
import type { Engine } from '../engine.ts';
import {
  questionOf,
  rawNotification,
  readNotification,
  type IncomingNotification,
} from '../payments/notifications/read-notification.ts';

export type Received = { readonly raw: RawNotification; readonly reading: NotificationReading };

type InboxEngine = Pick<Engine, 'store' | 'clock' | 'referenceKey'>;

export class Inbox {
  readonly #engine: InboxEngine;
  readonly #received: Received[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(engine: InboxEngine) {
    this.#engine = engine;
  }

  /** Answers what the operator wants to hear. An address for answers works once, as in the gateway. */
  async receive(incoming: IncomingNotification): Promise<object> {
    const bare = rawNotification(this.#engine, incoming, this.#engine.clock.now());
    const questionId = await questionOf(this.#engine, incoming);
    const taken = await takeQuestions(this.#engine.store.database, questionId === null ? [] : [questionId]);
    const raw = taken.size === 0 ? bare : { ...bare, isAnswer: true as const };
    const reading = await readNotification(this.#engine, incoming.connector, raw);
    this.#received.push({ raw, reading });
    for (const wake of this.#waiting) wake();
    return incoming.connector.notifications?.acknowledge?.(raw) ?? {};
  }

  about(reference: string): readonly Received[] {
    return this.#received.filter(
      ({ reading, raw }) => ('reference' in reading ? reading.reference : raw.pathReference) === reference,
    );
  }

  get count(): number {
    return this.#received.length;
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
