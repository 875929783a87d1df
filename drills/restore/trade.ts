// Merchants that trade: payments of every kind, each remembered, so that it can be sent again. Some merchants lose
// records like the database: they never repeat what they sent in the lost time.
import { Load, type LoadOptions } from '../kit/load/load.ts';
import {
  randomDeposit,
  randomPayout,
  randomPayouts,
  randomRemittance,
  randomSplit,
  type Request,
} from '../kit/load/requests.ts';
import type { Merchant } from '../kit/merchants.ts';

export type Order = { readonly merchant: Merchant; readonly request: Request; readonly sentAt: number };

/** One request in this many is never sent again. */
const UNMATCHED_SHARE = 0.2;

export class Trade {
  readonly orders: Order[] = [];
  readonly load: Load;
  readonly #options: LoadOptions;
  /** Whether a request is never sent again: decided once. */
  readonly #isUnmatched = new Map<Order, boolean>();

  constructor(options: LoadOptions) {
    this.#options = options;
    this.load = new Load({ ...options, next: () => this.#order() });
  }

  /**
   * What merchants do after a restore: they repeat what they sent since, except what they know to have failed. Returns
   * what is never sent again.
   */
  async sendAgain(since: number, kinds: 'REFUNDS' | 'OTHERS'): Promise<readonly Order[]> {
    const lost = this.orders
      .filter(({ sentAt }) => sentAt >= since)
      .filter(({ request }) => (request.kind === 'REFUND') === (kinds === 'REFUNDS'))
      .filter(({ merchant, request }) => !request.ids.every((id) => hasFailed(merchant, request, id)));
    const unmatched: Order[] = [];
    for (const order of lost) {
      if (this.#forgets(order)) unmatched.push(order);
      else await this.load.start(order.merchant, order.request);
    }
    await this.load.untilAnswered();
    return unmatched;
  }

  #forgets(order: Order): boolean {
    const isUnmatched = this.#isUnmatched.get(order) ?? this.#options.random.chance(UNMATCHED_SHARE);
    this.#isUnmatched.set(order, isUnmatched);
    return isUnmatched;
  }

  #order(): Promise<void> | null {
    const { random, merchants, markets } = this.#options;
    const merchant = random.pick(merchants);
    const request = random.pickWeighted<() => Request | null>([
      [46, () => randomDeposit(random, markets)],
      [22, () => randomPayout(random, markets)],
      [2, () => randomPayouts(random, markets)],
      [12, () => this.load.randomRefund(merchant)],
      [9, () => randomRemittance(random, markets)],
      [9, () => randomSplit(random, markets)],
    ])();
    if (request === null) return null;
    this.orders.push({ merchant, request, sentAt: Date.now() });
    return this.load.initiate(merchant, request);
  }
}

function hasFailed({ endpoint }: Merchant, { kind }: Request, id: string): boolean {
  return endpoint.acknowledgedStatus(kind, id) === 'FAILED';
}
