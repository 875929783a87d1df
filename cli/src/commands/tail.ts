// `malipo tail`: payments and callback deliveries as they happen.
import { setTimeout as sleep } from 'node:timers/promises';
import { countOf, type Command } from '../command.ts';
import { readSandboxEvents, renderEvent } from '../events.ts';
import { openGateway } from '../gateway.ts';
import { controlSandbox } from '../sandbox-control.ts';

const INTERVAL_MS = 500;

export const tailCommand: Command = {
  words: 'tail',
  summary: 'Show payments and callback deliveries of the sandbox live',
  details: 'It works in a sandbox only. The dashboard shows the same elsewhere.',
  options: [{ name: 'count', value: 'COUNT', summary: 'Stop after this many events.' }],
  examples: ['malipo tail', 'malipo tail --json --count 10'],
  run: async (call) => {
    const { world, isJson } = call;
    const { profile } = await openGateway(call);
    const control = controlSandbox(profile, 'show events');
    const countMax = countOf(call, 'count', { min: 1, max: 1_000_000, otherwise: Number.POSITIVE_INFINITY });
    let { cursor } = await readSandboxEvents(control);
    if (!isJson) world.tell('Waiting for payments. Stop with Ctrl-C.');
    const shown = new Set<string>();
    while (!world.stopped.aborted && shown.size < countMax) {
      const page = await readSandboxEvents(control, cursor);
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
