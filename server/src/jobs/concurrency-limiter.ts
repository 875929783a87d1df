// Places at operators: how many payments of a worker may be there at once, and how many of one provider.
import type { ProviderOperation } from '../store/operators/availability.ts';

/**
 * No one may hold more places than are left free. One provider alone gets half of them, and however many are slow, the
 * next one that comes finds room: their shares shrink with every one that fills up.
 */
export class ConcurrencyLimiter {
  readonly #max: number;
  readonly #held = new Map<string, ProviderOperation & { count: number }>();
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get free(): number {
    return this.#max - this.#count;
  }

  /** Whose payments must wait until some of theirs are back. */
  full(): readonly ProviderOperation[] {
    return [...this.#held.values()].filter(({ count }) => count >= this.free);
  }

  async hold<Result>(holder: ProviderOperation, work: () => Promise<Result>): Promise<Result> {
    const { provider, operation } = holder;
    const name = `${provider} ${operation}`;
    const held = this.#held.get(name) ?? { provider, operation, count: 0 };
    this.#held.set(name, held);
    held.count += 1;
    this.#count += 1;
    try {
      return await work();
    } finally {
      held.count -= 1;
      this.#count -= 1;
      if (held.count === 0) this.#held.delete(name);
    }
  }
}
