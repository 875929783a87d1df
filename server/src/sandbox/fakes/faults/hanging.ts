// Requests that hang until they are released or their connection closes.
import type { ServerResponse } from 'node:http';
import type { Step } from './fault.ts';
import type { Subject } from './faults.ts';

export type HangingRequest = { readonly id: string; readonly step: Step; readonly reference?: string };

export class Hanging {
  readonly #requests = new Map<string, HangingRequest & { readonly release: () => void }>();
  #count = 0;

  async hold(response: ServerResponse, at: { step: Step; subject: Subject }): Promise<'RELEASED' | 'CLOSED'> {
    this.#count += 1;
    const id = String(this.#count);
    const { reference } = at.subject;
    const end = await new Promise<'RELEASED' | 'CLOSED'>((resolve) => {
      if (response.closed) resolve('CLOSED');
      response.once('close', () => resolve('CLOSED'));
      const release = () => resolve('RELEASED');
      this.#requests.set(id, {
        id,
        step: at.step,
        ...(reference === undefined ? {} : { reference }),
        release,
      });
    });
    this.#requests.delete(id);
    return end;
  }

  list(): readonly HangingRequest[] {
    return [...this.#requests.values()].map(({ id, step, reference }) =>
      reference === undefined ? { id, step } : { id, step, reference },
    );
  }

  /** Releases one request, or all of them; returns how many. */
  release(id?: string): number {
    const released = [...this.#requests.values()].filter((request) => id === undefined || request.id === id);
    for (const request of released) request.release();
    return released.length;
  }
}
