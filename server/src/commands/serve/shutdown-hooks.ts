/** What has to be released, the latest first. Running it twice releases once. */
export class ShutdownHooks {
  readonly #shutdownHooks: (() => Promise<void>)[] = [];

  add(close: () => Promise<void>): void {
    this.#shutdownHooks.push(close);
  }

  async run(): Promise<void> {
    for (let close = this.#shutdownHooks.pop(); close !== undefined; close = this.#shutdownHooks.pop())
      await close();
  }
}
