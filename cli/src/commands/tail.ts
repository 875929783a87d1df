// `malipo tail`: payments and callback deliveries as they happen.
import { setTimeout as sleep } from 'node:timers/promises';
import { countOf, type Command } from '../command.ts';
import { openGateway } from '../gateway.ts';
import { controlSandbox } from '../sandbox-control.ts';

type Event = {
  readonly at: string;
  readonly type: 'PAYMENT' | 'DELIVERY';
  readonly eventId: string;
  readonly kind: string;
  readonly paymentId: string;
  readonly status: string;
  readonly detail?: string;
};

type Events = { readonly events: readonly Event[]; readonly cursor: string };

const INTERVAL_MS = 500;

export const tailCommand: Command = {
  words: 'tail',
  summary: 'Show payments of the sandbox and deliveries of their callbacks, live',
  details: 'Only a sandbox tells it over the API. Elsewhere the dashboard shows the same.',
  options: [{ name: 'count', value: 'COUNT', summary: 'End after so many events.' }],
  examples: ['malipo tail', 'malipo tail --json --count 10'],
  run: async (call) => {
    const { world, isJson } = call;
    const { profile } = await openGateway(call);
    const control = controlSandbox(profile, 'to show what happens');
    const countMax = countOf(call, 'count', { min: 1, max: 1_000_000, otherwise: Number.POSITIVE_INFINITY });
    let { cursor } = await control.call<Events>('GET', 'events');
    if (!isJson) world.tell('Waiting for payments. Ctrl-C ends it.');
    const shown = new Set<string>();
    while (!world.stopped.aborted && shown.size < countMax) {
      const page = await control.call<Events>('GET', `events?after=${encodeURIComponent(cursor)}`);
      for (const event of page.events) {
        // Late commits appear late: pages overlap, and each event is shown once.
        if (shown.has(event.eventId) || shown.size >= countMax) continue;
        shown.add(event.eventId);
        world.print(isJson ? JSON.stringify(event) : renderEvent(event));
      }
      ({ cursor } = page);
      await sleep(INTERVAL_MS, undefined, { signal: world.stopped }).catch(() => undefined);
    }
  },
};

function renderEvent({ at, type, kind, paymentId, status, detail = '' }: Event): string {
  const what = type === 'PAYMENT' ? `is ${status}` : `callback ${status}`;
  return `${at.slice(11, 23)}  ${kind.toLowerCase().padEnd(10)} ${paymentId}  ${what} ${detail}`.trimEnd();
}
