// Which requests are being answered. Before a process drops its encryption keys, it lets them end.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 20;

export class RequestsInProgress {
  #count = 0;

  add(response: ServerResponse): void {
    this.#count += 1;
    response.once('close', () => (this.#count -= 1));
  }

  /** Waits until none is left, or until the time is over. */
  async end(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs;
    while (this.#count > 0 && performance.now() < until) await sleep(LOOK_MS);
  }
}
