/** What has to be let go of, the latest first. Running it twice lets go once. */
export class Closings {
  readonly #closings: (() => Promise<void>)[] = [];

  add(close: () => Promise<void>): void {
    this.#closings.push(close);
  }

  async run(): Promise<void> {
    for (let close = this.#closings.pop(); close !== undefined; close = this.#closings.pop()) await close();
  }
}
