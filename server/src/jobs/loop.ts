// A loop that looks for work: woken after a commit, and by polling if a wake-up was lost. It runs a round at a time;
// what a round starts in the background it counts, so that stopping waits for it.

export type Round = 'MORE' | 'IDLE';

export type LoopOptions = {
  readonly pollMs: number;
  /** One that answers nothing is idle. */
  readonly round: (background: Background) => Promise<Round | void>;
  readonly onError: (error: unknown) => void;
  /** How long a round took, also one that failed. */
  readonly onRound?: (seconds: number) => void;
};

/** Work a round leaves running. */
export type Background = {
  /** Work that could go on permanently ends soon when this is so. */
  readonly isStopping: () => boolean;
  readonly run: (work: () => Promise<void>) => void;
  /** For what failed and did not end the round. */
  readonly onError: (error: unknown) => void;
};

/** After a round that failed; the database may be out of reach, and asking at full speed would not bring it back. */
const PAUSE_AFTER_ERROR_MS = 1_000;

export class Loop {
  readonly #options: LoopOptions;
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;
  #isWoken = false;
  #sleep: { readonly end: () => void } | undefined;
  #finished: Promise<void>;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#finished = this.#work();
  }

  wake(): void {
    this.#isWoken = true;
    this.#sleep?.end();
  }

  /** Starts no further round and waits for everything in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.wake();
    await this.#finished;
    await Promise.all(this.#running);
  }

  async #work(): Promise<void> {
    while (!this.#isStopped) {
      this.#isWoken = false;
      const pauseMs = await this.#runRound();
      if (pauseMs > 0 && !this.#isWoken && !this.#isStopped) await this.#sleepFor(pauseMs);
    }
  }

  async #runRound(): Promise<number> {
    const background: Background = {
      isStopping: () => this.#isStopped,
      run: (work) => this.#track(work()),
      onError: this.#options.onError,
    };
    const since = performance.now();
    try {
      return (await this.#options.round(background)) === 'MORE' ? 0 : this.#options.pollMs;
    } catch (error) {
      this.#options.onError(error);
      return PAUSE_AFTER_ERROR_MS;
    } finally {
      this.#options.onRound?.((performance.now() - since) / 1_000);
    }
  }

  #track(work: Promise<void>): void {
    const tracked = work.catch(this.#options.onError).finally(() => {
      this.#running.delete(tracked);
      // A concurrency slot became free.
      this.wake();
    });
    this.#running.add(tracked);
  }

  async #sleepFor(pauseMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, pauseMs);
    this.#sleep = { end: resolve };
    await promise;
    clearTimeout(timer);
    this.#sleep = undefined;
  }
}
