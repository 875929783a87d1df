// Merchants that trade: payments of every kind, each remembered, so that it can be sent again. Some merchants' records
// are as bad as a database that was lost: what they sent in the lost time they never send again.
import { setTimeout as sleep } from 'node:timers/promises';
import { Load, type LoadOptions, type Merchant } from '../kit/load/load.ts';
import {
  drawDeposit,
  drawPayout,
  drawPayouts,
  drawRefund,
  drawRemittance,
  drawSplit,
  type Request,
} from '../kit/load/requests.ts';

export type Order = { readonly merchant: Merchant; readonly request: Request; readonly sentAt: number };

/** One order in so many is never sent again. */
const UNMATCHED_SHARE = 0.2;

export class Trade {
  readonly orders: Order[] = [];
  readonly load: Load;
  readonly #options: LoadOptions;
  readonly #completed: { merchantId: string; depositId: string }[] = [];
  /** Whether an order is one that no one sends again: decided once. */
  readonly #isUnmatched = new Map<Order, boolean>();
  readonly #inProgress = new Set<Promise<void>>();
  #isPaused = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.load = new Load(options);
  }

  noteCompletedDeposit(merchantId: string, depositId: string): void {
    this.#completed.push({ merchantId, depositId });
  }

  async run(perSecond: number): Promise<void> {
    this.#isPaused = false;
    while (!this.#isPaused) {
      await sleep(this.#options.random.waitMs(1_000 / perSecond));
      if (this.#inProgress.size < IN_FLIGHT_MAX) this.#order();
    }
  }

  /** Nothing new is ordered. What was not answered is sent again on and on. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Until every client has had an answer. */
  async untilAnswered(): Promise<void> {
    while (this.#inProgress.size > 0) await Promise.all(this.#inProgress);
  }

  async stop(): Promise<void> {
    this.#isPaused = true;
    await this.load.stop();
  }

  /**
   * What merchants do when they hear of a restore: they send again what they sent since, except what they know to have
   * failed. Answers what no one sends again.
   */
  async sendAgain(since: number, kinds: 'REFUNDS' | 'OTHERS'): Promise<readonly Order[]> {
    const lost = this.orders
      .filter(({ sentAt }) => sentAt >= since)
      .filter(({ request }) => (request.kind === 'REFUND') === (kinds === 'REFUNDS'))
      .filter(({ merchant, request }) => !request.ids.every((id) => hasFailed(merchant, request, id)));
    const unmatched: Order[] = [];
    for (const order of lost) {
      if (this.#forgets(order)) unmatched.push(order);
      else this.#start(this.load.initiate(order.merchant, order.request));
      if (this.#inProgress.size >= IN_FLIGHT_MAX) await Promise.race(this.#inProgress);
    }
    await this.untilAnswered();
    return unmatched;
  }

  #forgets(order: Order): boolean {
    const isUnmatched = this.#isUnmatched.get(order) ?? this.#options.random.chance(UNMATCHED_SHARE);
    this.#isUnmatched.set(order, isUnmatched);
    return isUnmatched;
  }

  #order(): void {
    const { random, merchants, markets } = this.#options;
    const merchant = random.pick(merchants);
    const request = random.draw<() => Request | null>([
      [46, () => drawDeposit(random, markets)],
      [22, () => drawPayout(random, markets)],
      [2, () => drawPayouts(random, markets)],
      [12, () => this.#drawRefund(merchant)],
      [9, () => drawRemittance(random, markets)],
      [9, () => drawSplit(random, markets)],
    ])();
    if (request === null) return;
    this.orders.push({ merchant, request, sentAt: Date.now() });
    this.#start(this.load.initiate(merchant, request));
  }

  #drawRefund({ merchantId }: Merchant): Request | null {
    const own = this.#completed.filter((deposit) => deposit.merchantId === merchantId);
    const { random } = this.#options;
    return own.length === 0 ? null : drawRefund(random, random.pick(own).depositId);
  }

  #start(work: Promise<void>): void {
    const tracked = work.finally(() => this.#inProgress.delete(tracked));
    this.#inProgress.add(tracked);
  }
}

const IN_FLIGHT_MAX = 40;

function hasFailed({ endpoint }: Merchant, { kind }: Request, id: string): boolean {
  return endpoint.acknowledgedStatus(kind, id) === 'FAILED';
}
