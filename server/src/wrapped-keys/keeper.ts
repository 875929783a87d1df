// Holds the unwrapped encryption keys of a process. It asks the service again and again: while the service is out of
// reach the keys stay; when it denies them, what is in progress is finished, operators are heard for a while, and the
// keys are dropped. Then it waits like a new process, until it is granted access again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyAccess, KeyAnswer, KeyFailure, KeyProblem, KeyService, KeyServiceObserver } from './port.ts';

export type WrappedKey = { readonly id: number; readonly wrapped: string };
export type UnwrappedKey = { readonly id: number; readonly key: Buffer };

export type KeeperOptions = {
  readonly service: KeyService;
  readonly wrappedKeys: readonly WrappedKey[];
  /** How often it is asked whether access is still granted. */
  readonly checkMs: number;
  /** How long after a denial operators are heard. 0: this process does not listen for them. */
  readonly hearMs: number;
  readonly observer: KeyServiceObserver;
  readonly provide: (keys: readonly UnwrappedKey[]) => void;
  readonly drop: () => void;
  /** What changed, for a log. */
  readonly report: (change: KeyChange) => void;
};

export type KeyChange =
  | { readonly type: 'GRANTED' }
  /** Keys that are held stay. */
  | { readonly type: 'PROBLEM'; readonly failure: KeyFailure; readonly areKeysHeld: boolean }
  | { readonly type: 'DROPPED' };

/** What a process does when it has keys, and before it drops them. */
export type KeyUsers = {
  readonly begin: () => Promise<void>;
  /** Takes up nothing new, and stores what operators answered. */
  readonly rest: () => Promise<void>;
  /** No operator is heard any more: ends what is left, before keys are dropped. */
  readonly finish: () => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/** A process that waits for its keys is missed: it asks more often. */
const WAITING_MS_MAX = 2_000;

export class KeyKeeper implements KeyAccess {
  readonly #options: KeeperOptions;
  readonly #stopping = new AbortController();
  #areKeysHeld = false;
  #mayHearOperators = false;
  #deniedAtMs = 0;
  /** Null while keys are held and may be used. */
  #problem: KeyProblem | null = 'KEY_SERVICE_UNREACHABLE';
  #lastReported: KeyProblem | null = null;

  constructor(options: KeeperOptions) {
    this.#options = options;
    options.observer.held(false);
  }

  problem(): KeyProblem | null {
    return this.#problem;
  }

  mayHearOperators(): boolean {
    return this.#mayHearOperators;
  }

  /** Asks once. Null: the keys are there. */
  async unwrap(): Promise<KeyFailure | null> {
    const keys = await this.#unwrapAll();
    this.#note(keys);
    if (keys.type === 'FAILED') {
      this.#problem = keys.problem;
      return keys;
    }
    this.#options.provide(keys.value);
    this.#areKeysHeld = true;
    this.#mayHearOperators = this.#options.hearMs > 0;
    this.#problem = null;
    this.#options.observer.held(true);
    return null;
  }

  /** Begins at once where the keys are there. From then on it looks after them by itself. */
  async start(users: KeyUsers): Promise<void> {
    let isWorking = false;
    const begin = async () => {
      await users.begin();
      isWorking = true;
    };
    if (this.#areKeysHeld) await begin();
    const look = async () => {
      await (this.#areKeysHeld ? this.#check() : this.unwrap());
      if (this.#stopping.signal.aborted) return;
      if (this.#problem === null) return isWorking ? undefined : begin();
      if (!this.#areKeysHeld) return;
      if (isWorking) await users.rest();
      isWorking = false;
      if (performance.now() < this.#deniedAtMs + this.#options.hearMs) return;
      this.#mayHearOperators = false;
      await users.finish();
      this.#drop();
    };
    void this.#repeat(() => look().catch(users.onError));
  }

  /** Does not wait for what is being finished: that has its own end. */
  stop(): void {
    this.#stopping.abort();
  }

  async #repeat(look: () => Promise<void>): Promise<void> {
    const { checkMs } = this.#options;
    while (!this.#stopping.signal.aborted) {
      const pauseMs = this.#problem === null ? checkMs : Math.min(checkMs, WAITING_MS_MAX);
      await sleep(pauseMs, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
      if (!this.#stopping.signal.aborted) await look();
    }
  }

  /** From a denial on nothing new is begun; keys that are still held may be granted again. */
  async #check(): Promise<void> {
    const [first] = this.#options.wrappedKeys;
    if (first === undefined) return;
    const answer = await this.#options.service.unwrap(first.wrapped);
    this.#note(answer);
    if (answer.type === 'DONE') {
      answer.value.fill(0);
      this.#mayHearOperators = this.#options.hearMs > 0;
      this.#problem = null;
    } else if (answer.problem === 'KEY_SERVICE_DENIED') {
      if (this.#problem === null) this.#deniedAtMs = performance.now();
      this.#problem = answer.problem;
    }
  }

  async #unwrapAll(): Promise<KeyAnswer<readonly UnwrappedKey[]>> {
    const keys: UnwrappedKey[] = [];
    for (const { id, wrapped } of this.#options.wrappedKeys) {
      const answer = await this.#options.service.unwrap(wrapped);
      if (answer.type === 'FAILED') return answer;
      keys.push({ id, key: answer.value });
    }
    return { type: 'DONE', value: keys };
  }

  #drop(): void {
    this.#options.drop();
    this.#areKeysHeld = false;
    this.#options.observer.held(false);
    this.#options.report({ type: 'DROPPED' });
  }

  /** A problem that lasts is reported once. */
  #note(answer: KeyAnswer<unknown>): void {
    const problem = answer.type === 'DONE' ? null : answer.problem;
    this.#options.observer.asked(problem ?? 'GRANTED');
    const isChange = problem !== this.#lastReported;
    this.#lastReported = problem;
    if (!isChange) return;
    const { report } = this.#options;
    if (answer.type === 'DONE') report({ type: 'GRANTED' });
    else report({ type: 'PROBLEM', failure: answer, areKeysHeld: this.#areKeysHeld });
  }
}
