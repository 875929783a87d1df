// Merchants' clients: they start payments of every kind all the time, and behave as good clients do. A request without
// an answer is sent again with the same identifier until the outcome is known.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { ApiVersion } from '../../../server/src/domain/payments/payment.ts';
import { InFlight } from '../in-flight.ts';
import type { Merchant } from '../merchants.ts';
import type { Random } from '../random.ts';
import { NOUNS, type Kind } from './endpoint.ts';
import type { Market } from './markets.ts';
import {
  randomDeposit,
  randomPayout,
  randomPayouts,
  randomRefund,
  randomRemittance,
  randomSplit,
  type Request,
} from './requests.ts';

/** A payment that the gateway acknowledged: from then on it must never be lost. */
export type Acknowledged = {
  readonly merchantId: string;
  readonly kind: Kind;
  readonly id: string;
  readonly apiVersion: ApiVersion;
};

export type LoadOptions = {
  readonly apiUrl: string;
  readonly merchants: readonly Merchant[];
  readonly markets: readonly Market[];
  readonly random: Random;
  /** The next request, instead of a mix of everything; null for nothing. */
  readonly next?: () => Promise<void> | null;
  readonly onAcknowledged?: (payment: Acknowledged) => void;
  /** The maximum of waiting clients: then the load pauses, like clients with a connection pool. */
  readonly inFlightMax?: number;
  /** The longest time before a request without an answer is sent again. */
  readonly repeatMsMax?: number;
};

export type LoadCounts = {
  acknowledged: number;
  /** How many of them were started in API v1. */
  earlier: number;
  rejected: number;
  repeated: number;
  /** Requests without an answer, or with a 5xx: sent again with the same identifier. */
  unanswered: number;
  /** The errors of those requests. */
  readonly causes: Record<string, number>;
  /** Why initiations were rejected. */
  readonly reasons: Record<string, number>;
};

type InitiationAnswer = {
  readonly status?: string;
  readonly failureReason?: { readonly failureCode?: string };
  readonly rejectionReason?: { readonly rejectionCode?: string };
  /** Of API v1, instead of a status. */
  readonly errorMessage?: string;
};

/** Answers that mean that the payment exists. */
const TAKEN = ['ACCEPTED', 'ENQUEUED', 'DUPLICATE_IGNORED'];
/** More than the gateway's slowest normal answer. */
const TIMEOUT_MS = 8_000;
const IN_FLIGHT_MAX = 48;

export class Load {
  readonly counts: LoadCounts = {
    acknowledged: 0,
    earlier: 0,
    rejected: 0,
    repeated: 0,
    unanswered: 0,
    causes: {},
    reasons: {},
  };
  readonly acknowledged = new Map<string, Acknowledged>();
  /** When the first acknowledgement of each came, by `performance.now()`. */
  readonly acknowledgedAt: number[] = [];
  /** Why the last request for a payment was rejected, by "KIND id". */
  readonly rejections = new Map<string, string>();
  readonly #options: LoadOptions;
  readonly #inFlightMax: number;
  readonly #agent: Agent;
  readonly #completedDeposits = new Map<string, readonly string[]>();
  readonly #recentPayouts: { merchant: Merchant; kind: Kind; id: string }[] = [];
  readonly #inFlight = new InFlight();
  #isPaused = false;
  #isStopped = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#inFlightMax = options.inFlightMax ?? IN_FLIGHT_MAX;
    this.#agent = new Agent({ connections: this.#inFlightMax * 2, keepAliveTimeout: 1_000 });
    for (const { merchantId, endpoint } of options.merchants) {
      endpoint.onCompletedDeposit((depositId) => {
        const deposits = [...this.#depositsOf(merchantId), depositId];
        this.#completedDeposits.set(merchantId, deposits.slice(-500));
      });
    }
  }

  /** Runs until it is paused or stopped. */
  async run(perSecond: number): Promise<void> {
    const { random, next = () => this.#next() } = this.#options;
    this.#isPaused = false;
    const isOver = () => this.#isStopped || this.#isPaused;
    while (!isOver()) {
      await sleep(random.waitMs(1_000 / perSecond));
      const work = isOver() || this.#inFlight.size >= this.#inFlightMax ? null : next();
      if (work !== null) this.#inFlight.add(work);
    }
  }

  /** Runs for some time, and until every client has an answer. */
  async runFor(perSecond: number, ms: number): Promise<void> {
    const running = this.run(perSecond);
    await sleep(ms);
    this.pause();
    await running;
    await this.untilAnswered();
  }

  /** Nothing new is started. Unanswered requests are still repeated. */
  pause(): void {
    this.#isPaused = true;
  }

  async untilAnswered(): Promise<void> {
    await this.#inFlight.ended();
  }

  /** Starts a payment when a client is free. */
  async start(merchant: Merchant, wanted: Request): Promise<void> {
    await this.#inFlight.below(this.#inFlightMax);
    this.#inFlight.add(this.initiate(merchant, wanted));
  }

  /** Many deposits of one merchant at once. */
  async burst(merchant: Merchant, count: number): Promise<void> {
    for (let sent = 0; sent < count && !this.#isStopped; sent += 1) {
      this.#inFlight.add(this.initiate(merchant, randomDeposit(this.#options.random, this.#options.markets)));
      await sleep(15);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#inFlight.ended();
    await this.#agent.close();
  }

  /** Completed deposits, which can be refunded. */
  #depositsOf(merchantId: string): readonly string[] {
    return this.#completedDeposits.get(merchantId) ?? [];
  }

  #next(): Promise<void> {
    const { random, merchants, markets } = this.#options;
    const merchant = random.pick(merchants);
    const act = random.pickWeighted<() => Promise<void>>([
      [44, () => this.initiate(merchant, randomDeposit(random, markets))],
      [16, () => this.initiate(merchant, randomPayout(random, markets))],
      [3, () => this.initiate(merchant, randomPayouts(random, markets))],
      [10, () => this.#refund(merchant)],
      [8, () => this.initiate(merchant, randomRemittance(random, markets))],
      [8, () => this.initiate(merchant, randomSplit(random, markets))],
      [3, () => this.#initiateTwice(merchant, randomPayout(random, markets))],
      [4, () => this.#cancel()],
      [4, () => this.#look()],
    ]);
    return act();
  }

  async #refund(merchant: Merchant): Promise<void> {
    const wanted = this.randomRefund(merchant);
    if (wanted !== null) await this.initiate(merchant, wanted);
  }

  /** Null if nothing can be refunded yet. */
  randomRefund({ merchantId }: Merchant): Request | null {
    const deposits = this.#depositsOf(merchantId);
    const { random } = this.#options;
    return deposits.length === 0 ? null : randomRefund(random, random.pick(deposits));
  }

  /** An impatient client: the same request twice at the same time. */
  async #initiateTwice(merchant: Merchant, wanted: Request): Promise<void> {
    await Promise.all([this.initiate(merchant, wanted), this.initiate(merchant, wanted)]);
  }

  async #cancel(): Promise<void> {
    const recent = this.#recentPayouts.pop();
    if (recent === undefined) return;
    await this.#call(recent.merchant, 'POST', `${this.#pathOf(recent.kind)}/fail-enqueued/${recent.id}`);
  }

  async #look(): Promise<void> {
    const some = this.#recentPayouts.at(0);
    if (some !== undefined) await this.#call(some.merchant, 'GET', `${this.#pathOf(some.kind)}/${some.id}`);
  }

  /** In either API version, whichever started the payment; remittances exist only in v2. */
  #pathOf(kind: Kind): string {
    const group = `/${NOUNS[kind]}s`;
    return kind !== 'REMITTANCE' && this.#options.random.chance(0.5) ? group : `/v2${group}`;
  }

  /** Until the outcome is known. */
  async initiate(merchant: Merchant, wanted: Request): Promise<void> {
    const { repeatMsMax = 2_000 } = this.#options;
    for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, repeatMsMax)) {
      const answers = await this.#call(merchant, 'POST', wanted.path, wanted.body);
      if (answers !== null) {
        this.#record(merchant, wanted, Array.isArray(answers) ? answers : [answers]);
        return;
      }
      this.counts.unanswered += 1;
      // It was never acknowledged: the payment may or may not exist.
      if (this.#isStopped) return;
      await sleep(waitMs);
    }
  }

  #record(merchant: Merchant, wanted: Request, answers: readonly InitiationAnswer[]): void {
    const { kind, apiVersion } = wanted;
    wanted.ids.forEach((id, index) => {
      const answer = answers[index];
      const isRejected = answer?.status === 'REJECTED' || answer?.errorMessage !== undefined;
      if (isRejected) this.#reject(`${kind} ${id}`, answer);
      if (answer?.status === 'DUPLICATE_IGNORED') this.counts.repeated += 1;
      if (!TAKEN.includes(answer?.status ?? '')) return;
      this.#acknowledge({ merchantId: merchant.merchantId, kind, id, apiVersion });
      if (kind === 'PAYOUT' || kind === 'REMITTANCE') this.#recentPayouts.push({ merchant, kind, id });
      if (this.#recentPayouts.length > 50) this.#recentPayouts.shift();
    });
  }

  #acknowledge(payment: Acknowledged): void {
    const name = `${payment.kind} ${payment.id}`;
    if (!this.acknowledged.has(name)) {
      this.counts.acknowledged += 1;
      this.acknowledgedAt.push(performance.now());
      if (payment.apiVersion === 'v1') this.counts.earlier += 1;
    }
    this.acknowledged.set(name, payment);
    this.rejections.delete(name);
    this.#options.onAcknowledged?.(payment);
  }

  #reject(name: string, { failureReason, rejectionReason, errorMessage }: InitiationAnswer): void {
    const reason = failureReason?.failureCode ?? rejectionReason?.rejectionCode ?? errorMessage ?? 'none';
    this.counts.rejected += 1;
    this.counts.reasons[reason] = (this.counts.reasons[reason] ?? 0) + 1;
    this.rejections.set(name, reason);
  }

  /** The body of a usable answer; null if nothing is known. */
  async #call(
    merchant: Merchant,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<object | null> {
    try {
      const response = await request(`${this.#options.apiUrl}${path}`, {
        dispatcher: this.#agent,
        method,
        headers: { authorization: `Bearer ${merchant.apiToken}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      // A proxy's own error is a page.
      const text = await response.body.text();
      if (response.statusCode < 500) return JSON.parse(text) as object;
      this.#countCause(`${response.statusCode} ${text.startsWith('{') ? 'of the gateway' : 'of the proxy'}`);
      return null;
    } catch (error) {
      this.#countCause(error instanceof Error ? `${error.name} ${error.message}` : 'none');
      return null;
    }
  }

  #countCause(cause: string): void {
    this.counts.causes[cause] = (this.counts.causes[cause] ?? 0) + 1;
  }
}
