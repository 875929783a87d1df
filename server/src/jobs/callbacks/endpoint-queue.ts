// One endpoint queue while this process holds it: as many callbacks at the endpoint as it has slots, the next one as
// soon as a place is free. What was answered and is not yet recorded is bounded too: a crash repeats no more than
// that.
import { AboutPayment } from '../../core/payment-log.ts';
import { afterAcknowledgement, afterFailure, healthAtStart, shouldDisable } from '../../callbacks/breaker.ts';
import type { EndpointQueueHealth } from '../../callbacks/breaker.ts';
import type { CallbackPoster } from '../../callbacks/post.ts';
import type { Engine } from '../../core/engine.ts';
import { addMs } from '../../domain/time.ts';
import { switchOffCallbacks, type SwitchOff } from '../../core/merchants/disable-callbacks.ts';
import {
  abandonSwitchedOff,
  type EndpointQueueReport,
  type LeasedEndpointQueue,
} from '../../store/callbacks/endpoint-queues.ts';
import type { Delivery, DueCallback, Wish } from '../../store/callbacks/callbacks.ts';
import { attempt, type Attempted } from './attempt-callback.ts';

/** Callbacks that are due, and the clock that says so. */
export type TakenCallbacks = { readonly callbacks: readonly DueCallback[]; readonly time: () => Date };

/** What endpoint queues are given by the worker that leased them. */
export type EndpointQueueContext = {
  readonly engine: Engine;
  readonly poster: CallbackPoster;
  readonly take: (wish: Wish) => Promise<TakenCallbacks>;
  /** Answers whether the endpoint queue, if there is a report of one, was still ours. */
  readonly record: (entry: EndpointQueueEntry) => Promise<boolean>;
  /** What all endpoint queues of a process share. */
  readonly sockets: {
    readonly hasRoom: () => boolean;
    readonly use: <Result>(work: () => Promise<Result>) => Promise<Result>;
  };
  readonly isStopping: () => boolean;
  readonly slotsPerEndpointQueueMax: number;
  readonly timeoutMs: number;
  readonly leaseMs: number;
  readonly switchOffAfterMs: number;
  readonly onError: (error: unknown) => void;
};

export type EndpointQueueEntry = {
  readonly deliveries: readonly Delivery[];
  readonly report: EndpointQueueReport | null;
};

/** An endpoint that has left us waiting this long is counted with those that fail: others must not wait for it. */
const PROMPT_MS = 1_000;

/** Enough that the next ones are there before these are gone. */
const TAKEN_PER_SLOT = 4;

/** As many callbacks are given up with one statement: no one waits long for the rows, nor for the connection. */
const GIVEN_UP_AT_ONCE = 1_000;

export class EndpointQueue {
  readonly #context: EndpointQueueContext;
  readonly endpointId: string;
  /** When each attempt was begun that is at the endpoint now, by the callback's id. */
  readonly #inProgress = new Map<string, number>();
  /** Those that are over and not yet recorded. */
  readonly #unwritten = new Set<string>();
  /** Whether the endpoint queue was leased as one that fails. */
  readonly #wasFailing: boolean;
  #waiting: DueCallback[] = [];
  #url: string;
  #health: EndpointQueueHealth;
  #leasedUntil: Date;
  /** What the time is, as it is written. */
  #time: () => Date;
  /** By our own clock, for what happens within this process. */
  #lastFailure = -Infinity;
  /** Whether the last look found everything that is due. */
  #isDry = false;
  #isTaking = false;
  /** The endpoint queue belongs to somebody else, or soon will. */
  #isLost = false;
  /** The endpoint was switched off. */
  #isOver = false;
  #wakeSignal = Promise.withResolvers<void>();

  constructor(context: EndpointQueueContext, leased: LeasedEndpointQueue, time: () => Date) {
    this.#context = context;
    this.#time = time;
    this.endpointId = leased.endpointId;
    this.#wasFailing = leased.failureCount > 0;
    this.#stock(leased.callbacks);
    this.#url = leased.callbacks[0]?.url ?? '';
    this.#health = healthAtStart(leased, context.slotsPerEndpointQueueMax);
    this.#leasedUntil = leased.leasedUntil;
  }

  /** Whether the endpoint answers, and soon. */
  isPrompt(): boolean {
    if (this.#health.failureCount > 0) return false;
    const since = performance.now() - PROMPT_MS;
    return [...this.#inProgress.values()].every((begun) => begun > since);
  }

  /**
   * Whether the endpoint queue has a place among those that fail: it was leased as one, and nothing was acknowledged
   * since.
   */
  isOnTrial(): boolean {
    return this.#wasFailing && this.#health.failureCount > 0;
  }

  /** Something may have become due. */
  look(): void {
    this.#isDry = false;
    this.#wake();
  }

  /** Works until nothing is due, or the endpoint is to be left alone. */
  async run(): Promise<void> {
    let isBusy = true;
    while (isBusy) {
      if (this.#mayBegin() && (await this.#keepLease())) {
        this.#restock();
        this.#fillPlaces();
      }
      isBusy = this.#inProgress.size + this.#unwritten.size > 0 || this.#isTaking;
      if (isBusy) await this.#stirred();
    }
    if (this.#isOver) await this.#giveUp();
    if (!this.#isLost) await this.#giveBack();
  }

  #mayBegin(): boolean {
    return this.#health.pausedUntil === null && !this.#isLost && !this.#isOver && !this.#context.isStopping();
  }

  /** Takes more before the last one is gone, so that no place waits for the database. */
  #restock(): void {
    const { slots, failureCount } = this.#health;
    const isWanted = this.#waiting.length < slots && (failureCount === 0 || this.#inProgress.size < slots);
    if (this.#isTaking || this.#isDry || !isWanted) return;
    this.#isTaking = true;
    void this.#take(slots * TAKEN_PER_SLOT).finally(() => {
      this.#isTaking = false;
      this.#wake();
    });
  }

  async #take(countMax: number): Promise<void> {
    try {
      const waiting = this.#waiting.map(({ callbackId }) => callbackId);
      const except = [...waiting, ...this.#inProgress.keys(), ...this.#unwritten];
      const wish = { endpointId: this.endpointId, countMax, except };
      const { callbacks: taken, time } = await this.#context.take(wish);
      this.#time = time;
      this.#isDry = taken.length < countMax;
      this.#stock(taken);
      if (taken[0] !== undefined && taken[0].url !== this.#url) this.#moveTo(taken[0].url);
    } catch (error) {
      this.#leave(error);
    }
  }

  /** An endpoint can be switched off beside the making of a callback: that one is given up, not sent. */
  #stock(callbacks: readonly DueCallback[]): void {
    if (callbacks.some(({ isSwitchedOff }) => isSwitchedOff)) this.#isOver = true;
    else this.#waiting.push(...callbacks);
  }

  /** The merchant has named another address, of which nothing is known. */
  #moveTo(url: string): void {
    this.#url = url;
    this.#waiting = this.#waiting.filter((callback) => callback.url === url);
    this.#forget();
  }

  #forget(): void {
    this.#health = healthAtStart(
      { failureCount: 0, failingSince: null },
      this.#context.slotsPerEndpointQueueMax,
    );
  }

  #fillPlaces(): void {
    while (this.#mayBegin() && this.#hasPlace()) {
      const callback = this.#waiting.shift();
      if (callback === undefined) return;
      this.#inProgress.set(callback.callbackId, performance.now());
      void this.#deliver(callback).finally(() => {
        this.#inProgress.delete(callback.callbackId);
        this.#unwritten.delete(callback.callbackId);
        this.#wake();
      });
    }
  }

  #hasPlace(): boolean {
    const { slots } = this.#health;
    if (this.#unwritten.size >= slots) return false;
    // Every endpoint queue may have one, so that each comes to an end.
    return this.#inProgress.size === 0 || (this.#inProgress.size < slots && this.#context.sockets.hasRoom());
  }

  async #deliver(callback: DueCallback): Promise<void> {
    try {
      const begun = performance.now();
      const attempted = await this.#context.sockets.use(() =>
        attempt({ ...this.#context, time: this.#time }, callback),
      );
      this.#unwritten.add(callback.callbackId);
      this.#inProgress.delete(callback.callbackId);
      this.#learn(attempted, begun);
      this.#wake();
      const switchOff = this.#switchOffAfter(attempted);
      // What waits is given up with the endpoint.
      if (switchOff !== null) this.#isOver = true;
      await this.#context.record({ deliveries: [attempted.delivery], report: null });
      if (switchOff !== null) await switchOffCallbacks(this.#context.engine, switchOff);
    } catch (error) {
      this.#leave(new AboutPayment(callback, error));
    }
  }

  /** Going on would send the same callbacks again and again. The lease runs out, then somebody tries. */
  #leave(error: unknown): void {
    this.#isLost = true;
    this.#context.onError(error);
  }

  #learn({ delivery, reading, wishMs }: Attempted, begun: number): void {
    if (delivery.callback.url !== this.#url || reading === 'OURS') return;
    if (reading === 'ACKNOWLEDGED') {
      this.#health = afterAcknowledgement(this.#health, this.#context.slotsPerEndpointQueueMax);
      return;
    }
    // What was in progress together fails together: that is one failure.
    if (begun < this.#lastFailure) return;
    this.#lastFailure = performance.now();
    this.#health = afterFailure(this.#health, { at: this.#time(), wishMs });
  }

  #switchOffAfter({ delivery, reading }: Attempted): SwitchOff | null {
    const { endpointId, url } = delivery.callback;
    if (delivery.httpStatus === 410) return { endpointId, url, because: 'GONE' };
    if (reading !== 'FAILED' || url !== this.#url) return null;
    const now = this.#time();
    const isOver = shouldDisable(this.#health, { now, switchOffAfterMs: this.#context.switchOffAfterMs });
    return isOver ? { endpointId, url, because: 'FAILING' } : null;
  }

  /** An attempt is begun only while the lease outlives it; an endpoint queue is never worked by two. */
  async #keepLease(): Promise<boolean> {
    const { leaseMs, timeoutMs } = this.#context;
    const leftMs = this.#leasedUntil.getTime() - this.#time().getTime();
    if (leftMs > (leaseMs + timeoutMs) / 2) return true;
    return this.#report(addMs(this.#time(), leaseMs));
  }

  /** What waits for an endpoint that is switched off. Whatever is left when we stop is given up when it is due. */
  async #giveUp(): Promise<void> {
    const order = { endpointId: this.endpointId, countMax: GIVEN_UP_AT_ONCE };
    // It may be switched on again at any time, and then nothing is held against it.
    this.#forget();
    try {
      while (!this.#isLost && !this.#context.isStopping() && (await this.#keepLease())) {
        const count = await abandonSwitchedOff(this.#context.engine.store.database, order);
        if (count < GIVEN_UP_AT_ONCE) return;
      }
    } catch (error) {
      this.#leave(error);
    }
  }

  async #giveBack(): Promise<void> {
    await this.#report(this.#time());
  }

  async #report(nextLeasedUntil: Date): Promise<boolean> {
    const { failureCount, failingSince, pausedUntil } = this.#health;
    const report = {
      endpointId: this.endpointId,
      url: this.#url,
      leasedUntil: this.#leasedUntil,
      nextLeasedUntil,
      failureCount,
      failingSince,
      pausedUntil: pausedUntil ?? this.#time(),
    };
    try {
      const isOurs = await this.#context.record({ deliveries: [], report });
      if (!isOurs) this.#isLost = true;
      this.#leasedUntil = nextLeasedUntil;
      return isOurs;
    } catch (error) {
      this.#leave(error);
      return false;
    }
  }

  #wake(): void {
    this.#wakeSignal.resolve();
  }

  /** Until an attempt ends, or something may have become due. */
  async #stirred(): Promise<void> {
    await this.#wakeSignal.promise;
    this.#wakeSignal = Promise.withResolvers<void>();
  }
}
