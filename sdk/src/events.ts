// The event feed: every new status and every movement of a wallet, the oldest first, numbered without gaps.
import { fieldsOf, refusedAs } from './answer.ts';
import type { FeedEvent } from './api.ts';
import { unreadable } from './connection.ts';
import { pause } from './pause.ts';
import { sendUntilClear } from './send-until-clear.ts';
import type { Parts } from './start-requests.ts';

export type EventsPage = {
  readonly events: readonly FeedEvent[];
  /** The cursor to go on with. Store it when you have processed the events. */
  readonly next: string;
  /** Whether there are more events now. */
  readonly hasMore: boolean;
  /**
   * The cursor could not be followed: events are deleted when they are old, and have other numbers after a restore.
   * Then `events` is empty, and from `next` on no event is missing that there is.
   */
  readonly expired: boolean;
};

export type ReadEventsOptions = {
  /** `next` of the page before. Without it the oldest event is the first; `latest`: only events from now on. */
  readonly after?: string;
  /** How many events a page has at most, 1 to 100; default: 50. */
  readonly limit?: number;
  /** How many seconds the gateway may wait for an event if there is none, 0 to 25; default: 0. */
  readonly wait?: number;
  readonly signal?: AbortSignal;
};

/** Below the 30 seconds after which some proxies end a request. */
const FOLLOW_WAIT_SECONDS = 20;
/** A gateway with too many waiting requests answers at once: it is not asked more often than this. */
const EMPTY_PAGE_MS = 1_000;

export class Events {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Reads one page. Every event comes at least once; one that you read again has the same `eventId`.
   *
   * @example
   * ```ts
   * const page = await malipo.events.read({ after: 'latest' });
   * console.log(page.expired, page.next.length > 0); // false true
   * ```
   */
  async read(options: ReadEventsOptions = {}): Promise<EventsPage> {
    const { after, limit, wait, signal } = options;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ after, limit, wait }))
      if (value !== undefined) query.set(name, String(value));
    const path = query.size === 0 ? '/v2/events' : `/v2/events?${query.toString()}`;
    const { connection, retryForMs } = this.#parts;
    const waitMs = (wait ?? 0) * 1_000;
    const call = { method: 'GET', path, waitMs, signal } as const;
    const answer = await sendUntilClear(connection, call, Date.now() + waitMs + retryForMs);
    if (answer.type !== 'answered') throw answer.cause;
    const { data, next, hasMore, restartAfter } = fieldsOf(answer.body);
    if (answer.status === 410 && typeof restartAfter === 'string')
      return { events: [], next: restartAfter, hasMore: true, expired: true };
    if (answer.status !== 200) throw refusedAs(answer);
    if (!Array.isArray(data) || typeof next !== 'string') throw unreadable(answer.status);
    return { events: data as readonly FeedEvent[], next, hasMore: hasMore === true, expired: false };
  }

  /**
   * Goes on reading pages until you leave the loop or abort, and waits where there are no events. Pages without events
   * are passed over, unless they are `expired`. If the gateway cannot be reached, it throws after `retryForMs`: follow
   * again from the cursor that you stored.
   *
   * @example
   * ```ts
   * await malipo.deposits.create({
   *   amount: '100',
   *   currency: 'RWF',
   *   payer: { type: 'MMO', accountDetails: { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' } },
   * });
   * for await (const { events, next } of malipo.events.follow()) {
   *   for (const event of events) if (event.kind === 'DEPOSIT') console.log(event.id, event.status);
   *   console.log('store', next);
   *   break;
   * }
   * ```
   */
  async *follow(options: ReadEventsOptions = {}): AsyncGenerator<EventsPage, void, undefined> {
    let { after } = options;
    for (;;) {
      if (options.signal?.aborted === true) return;
      const askedAt = Date.now();
      const page = await this.read({
        wait: FOLLOW_WAIT_SECONDS,
        ...options,
        ...(after === undefined ? {} : { after }),
      });
      if (page.events.length > 0 || page.expired) yield page;
      else await pause(Math.max(0, askedAt + EMPTY_PAGE_MS - Date.now()), options.signal);
      after = page.next;
    }
  }
}
