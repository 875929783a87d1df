/** Work that was started and is awaited later. */
export class InFlight {
  readonly #works = new Set<Promise<void>>();

  get size(): number {
    return this.#works.size;
  }

  add(work: Promise<void>): void {
    const tracked = work.finally(() => this.#works.delete(tracked));
    this.#works.add(tracked);
  }

  /** Waits until one more fits. */
  async below(countMax: number): Promise<void> {
    while (this.#works.size >= countMax) await Promise.race(this.#works);
  }

  async ended(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works);
  }
}
