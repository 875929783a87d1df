// Everything that happened to a payment, in the order of time: its own events, calls to the operator, ledger transfers
// and callbacks to the merchant's server.
import type { Story } from './payment-words.ts';

export type Moment =
  | { readonly type: 'event'; readonly at: string; readonly event: Story['events'][number] }
  | { readonly type: 'exchange'; readonly at: string; readonly exchange: Story['traffic'][number] }
  | { readonly type: 'transfer'; readonly at: string; readonly transfer: Story['transfers'][number] }
  | { readonly type: 'case'; readonly at: string; readonly found: Story['cases'][number] }
  | {
      readonly type: 'callback';
      readonly at: string;
      readonly callback: Callback;
      /** Null for the next one, which is not made yet. */
      readonly attempt: Callback['attempts'][number] | null;
    };

type Callback = Story['callbacks'][number];

export function momentsOf(story: Story): readonly Moment[] {
  const moments: readonly Moment[] = [
    ...story.events.map((event) => ({ type: 'event', at: event.at, event }) as const),
    ...story.traffic.map((exchange) => ({ type: 'exchange', at: exchange.at, exchange }) as const),
    ...story.transfers.map((transfer) => ({ type: 'transfer', at: transfer.createdAt, transfer }) as const),
    ...story.cases.map((found) => ({ type: 'case', at: found.openedAt, found }) as const),
    ...story.callbacks.flatMap(momentsOfCallback),
  ];
  // What happened in one moment stays in the order above.
  return moments.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function momentsOfCallback(callback: Callback): readonly Moment[] {
  if (callback.attempts.length === 0) {
    return [{ type: 'callback', at: callback.createdAt, callback, attempt: null }];
  }
  const { attempts, dueAt } = callback;
  return [
    ...attempts.map((attempt) => ({ type: 'callback', at: attempt.startedAt, callback, attempt }) as const),
    ...(dueAt === null ? [] : [{ type: 'callback', at: dueAt, callback, attempt: null } as const]),
  ];
}
