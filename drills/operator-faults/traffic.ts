// The payments of one operator's providers, of every kind it supports, one in five with a fault.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorFake } from '../../server/src/sandbox/fakes/operator-fake.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import type { Load } from '../kit/load/load.ts';
import type { Merchant } from '../kit/merchants.ts';
import type { Market } from '../kit/load/markets.ts';
import { randomDeposit, randomPayout, type Request } from '../kit/load/requests.ts';
import type { Random } from '../kit/random.ts';
import { randomFault } from './faults.ts';

export type TrafficOptions = {
  readonly name: string;
  readonly fake: OperatorFake;
  readonly markets: readonly Market[];
  readonly engine: Engine;
  readonly load: Load;
  readonly merchants: readonly Merchant[];
  readonly random: Random;
};

/** A little more than one fifth: some faults wait for an enquiry that may not happen. */
const FAULTY_SHARE = 0.23;
/** Payments at once, for each operator. */
const CLIENTS = 4;
/** A provider that counts as down rejects; it recovers soon. */
const REJECTED_PAUSE_MS = 250;
const REFUNDABLE_PATIENCE_MS = 1_000;

export class Traffic {
  readonly #options: TrafficOptions;
  readonly #deposits = new Set<string>();
  readonly #refundable: { readonly merchant: Merchant; readonly depositId: string }[] = [];
  #started = 0;
  acknowledged = 0;
  #faultsAdded = 0;
  faultsStruck = 0;

  constructor(options: TrafficOptions) {
    this.#options = options;
    for (const merchant of options.merchants) {
      merchant.endpoint.onCompletedDeposit((depositId) => {
        if (this.#deposits.has(depositId)) this.#refundable.push({ merchant, depositId });
      });
    }
  }

  async run(count: number): Promise<void> {
    const client = async () => {
      while (this.#started < count) {
        this.#started += 1;
        while (!(await this.#playOne())) await sleep(REJECTED_PAUSE_MS);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }

  /** Called before the faults are cleared: those that still wait met no payment. */
  async countStruck(): Promise<void> {
    const answer = await fetch(`${this.#options.fake.url}/control/faults`);
    this.faultsStruck = this.#faultsAdded - ((await answer.json()) as readonly object[]).length;
  }

  async #playOne(): Promise<boolean> {
    const { random, fake, load } = this.#options;
    const { merchant, request } = await this.#generate();
    if (this.#faultsAdded < this.#started * FAULTY_SHARE) {
      fake.addFault(randomFault(random));
      this.#faultsAdded += 1;
    }
    if (request.kind === 'DEPOSIT') for (const id of request.ids) this.#deposits.add(id);
    await load.initiate(merchant, request);
    if (!request.ids.some((id) => load.acknowledged.has(`${request.kind} ${id}`))) return false;
    this.acknowledged += 1;
    return true;
  }

  async #generate(): Promise<{ readonly merchant: Merchant; readonly request: Request }> {
    const { random, merchants } = this.#options;
    const merchant = random.pick(merchants);
    const payouts = this.#carrying('PAYOUT');
    const kind = random.weighted({ DEPOSIT: 5, PAYOUT: 3, REFUND: 2 });
    const refundable = kind === 'REFUND' ? await this.#takeRefundable() : undefined;
    if (refundable !== undefined)
      return { merchant: refundable.merchant, request: refundOf(refundable.depositId) };
    const isPayout = kind === 'PAYOUT' || this.#carrying('DEPOSIT').length === 0;
    if (isPayout && payouts.length > 0) return { merchant, request: randomPayout(random, payouts) };
    return { merchant, request: randomDeposit(random, this.#carrying('DEPOSIT')) };
  }

  /** A deposit that completed and was not refunded; a refund may be in progress. */
  async #takeRefundable() {
    const until = Date.now() + (this.#carrying('REFUND').length > 0 ? REFUNDABLE_PATIENCE_MS : 0);
    while (this.#refundable.length === 0 && Date.now() < until) await sleep(50);
    return this.#refundable.shift();
  }

  #carrying(kind: 'DEPOSIT' | 'PAYOUT' | 'REFUND'): readonly Market[] {
    const { markets, engine, name } = this.#options;
    return markets.filter(({ code }) => engine.connectorOf(code, kind) === name);
  }
}

/** The full amount: some operators do not support partial refunds. */
function refundOf(depositId: string): Request {
  const refundId = randomUUID();
  const body = { refundId, depositId };
  return { kind: 'REFUND', apiVersion: 'v2', path: '/v2/refunds', ids: [refundId], body };
}
