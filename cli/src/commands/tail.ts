// `malipo tail`: the event feed as it grows, and in a sandbox the callback deliveries too.
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventsPage, Malipo } from '@malipo/sdk';
import { countOf, isOn, textOf, type Call, type Command } from '../command.ts';
import { readSandboxEvents, renderEvent } from '../events.ts';
import { renderFeedEvent } from '../feed-event.ts';
import { openGateway } from '../gateway.ts';
import { controlSandbox, NotASandbox, type SandboxControl } from '../sandbox-control.ts';

/** Where deliveries are shown too, both are asked in turns. */
const INTERVAL_MS = 500;
const WAIT_SECONDS = 20;

export const tailCommand: Command = {
  words: 'tail',
  summary: 'Show new statuses and wallet movements live',
  details:
    'It follows the event feed (scope events:read). A sandbox shows callback deliveries too.\n' +
    'With --json it exports events; --after continues where an earlier call ended. --until-now\n' +
    'begins with the oldest event, ends with the newest, and shows no deliveries.',
  options: [
    { name: 'count', value: 'COUNT', summary: 'Stop after this many events.' },
    {
      name: 'after',
      value: 'CURSOR',
      summary: 'Begin after this cursor, or with the oldest event: oldest. Default: with the next event.',
    },
    { name: 'until-now', summary: 'End with the newest event that there is.' },
  ],
  examples: ['malipo tail', 'malipo tail --json --count 10', 'malipo tail --json --until-now'],
  run: async (call) => {
    const { world, isJson } = call;
    const { profile, malipo } = await openGateway(call);
    const countMax = countOf(call, 'count', { min: 1, max: 1_000_000, otherwise: Number.POSITIVE_INFINITY });
    const isUntilNow = isOn(call, 'until-now');
    const deliveries = isUntilNow ? null : await openDeliveries(controlSandbox(profile, 'show events'));
    let after = await firstCursor(malipo, textOf(call, 'after') ?? (isUntilNow ? 'oldest' : 'latest'));
    if (!isJson && !isUntilNow) world.tell('Waiting for events. Stop with Ctrl-C.');
    let left = countMax;
    const show = (value: object, text: string) => world.print(isJson ? JSON.stringify(value) : text);
    while (!world.stopped.aborted && left > 0) {
      const limit = Math.min(100, left);
      const wait = deliveries === null && !isUntilNow ? WAIT_SECONDS : 0;
      const page = await readPage(call, malipo, { after, limit, wait });
      if (page === null) break;
      if (page.expired)
        world.tell('Some events are no longer available. Continuing with the next one that is.');
      for (const event of page.events) show(event, renderFeedEvent(event));
      after = page.next;
      left -= page.events.length;
      if (isUntilNow && !page.hasMore) break;
      const delivered = ((await deliveries?.()) ?? []).slice(0, left);
      for (const event of delivered) show(event, renderEvent(event));
      left -= delivered.length;
      if (deliveries !== null && !page.hasMore)
        await sleep(INTERVAL_MS, undefined, { signal: world.stopped }).catch(() => undefined);
    }
    if (after !== undefined) world.tell(`Continue later: malipo tail --after ${after}`);
  },
};

/** `latest` is turned into a cursor before anything else is done: what happens from now on is shown. */
async function firstCursor(malipo: Malipo, after: string): Promise<string | undefined> {
  if (after === 'oldest') return undefined;
  return after === 'latest' ? (await malipo.events.read({ after })).next : after;
}

/** Null when it was stopped meanwhile. */
async function readPage(
  { world }: Pick<Call, 'world'>,
  malipo: Malipo,
  { after, ...page }: { readonly after: string | undefined; readonly limit: number; readonly wait: number },
): Promise<EventsPage | null> {
  const options = { ...page, signal: world.stopped, ...(after === undefined ? {} : { after }) };
  try {
    return await malipo.events.read(options);
  } catch (error) {
    if (world.stopped.aborted) return null;
    throw error;
  }
}

/** Reads those since the last call, each once. Null where the gateway is not a sandbox. */
async function openDeliveries(control: SandboxControl) {
  const first = await readSandboxEvents(control).catch((error: unknown) => {
    if (error instanceof NotASandbox) return null;
    throw error;
  });
  if (first === null) return null;
  let { cursor } = first;
  const seen = new Set<string>();
  return async () => {
    const page = await readSandboxEvents(control, cursor);
    ({ cursor } = page);
    // Late commits appear late: pages overlap.
    const fresh = page.events.filter(({ type, eventId }) => type === 'DELIVERY' && !seen.has(eventId));
    for (const { eventId } of fresh) seen.add(eventId);
    return fresh;
  };
}
