// Plays payments as merchants' programs and operators would, while the sandbox's clock is moved from one thing that
// happens to the next.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../../../core/engine.ts';
import type { MovableClock } from '../../../sandbox/movable-clock.ts';
import type { RunningSimulator } from '../../../sandbox/simulator/simulator.ts';
import type { Moment } from './calendar.ts';
import { drawPayment, type DrawnPayment, type PaidDeposit } from './draw-payment.ts';
import type { Random } from './random.ts';
import type { Shop } from './shops.ts';
import type { ShopServer } from './shop-server.ts';

export type TrafficOptions = {
  readonly engine: Pick<Engine, 'wake'>;
  readonly clock: MovableClock;
  readonly simulator: Pick<RunningSimulator, 'addFault'>;
  readonly baseUrl: string;
  readonly shops: readonly Shop[];
  readonly server: Pick<ShopServer, 'isAcknowledged'>;
  readonly random: Random;
};

type SentPayment = Pick<DrawnPayment, 'shop' | 'path' | 'body' | 'fault'>;

type Step = { readonly at: number; readonly payment: DrawnPayment; readonly looks: number };

/** Payments of one moment come within this time. */
const SPREAD_MS = 30_000;
/** What is this close together happens at once: each move of the clock takes some 50 ms of real time. */
const TOGETHER_MS = 5_000;
/** From the operator's end to the callback, on the clock of the sandbox. */
const ANNOUNCED_WITHIN_MS = 300;
/** How long to wait for a callback, in real time; then the clock is moved on, and it is looked for again. */
const PATIENCE_MS = 250;
const LOOK_AGAIN_MS = 4_000;
const LOOKS_MAX = 8;

export class Traffic {
  readonly #options: TrafficOptions;
  readonly #paid = new Map<Shop, PaidDeposit[]>();
  readonly counts = { accepted: 0, rejected: 0 };

  constructor(options: TrafficOptions) {
    this.#options = options;
  }

  async play({ at, count }: Moment): Promise<void> {
    const { random } = this.#options;
    const arriveAt = () => at.getTime() + random.between(0, SPREAD_MS);
    const steps = Array.from({ length: count }, () => ({ at: arriveAt(), payment: this.#draw(), looks: 0 }));
    await this.#playAll(steps);
  }

  async playOne(payment: DrawnPayment): Promise<void> {
    await this.#playAll([{ at: this.#options.clock.now().getTime(), payment, looks: 0 }]);
  }

  async #playAll(all: readonly Step[]): Promise<void> {
    let steps = all;
    while (steps.length > 0) {
      const first = Math.min(...steps.map((step) => step.at));
      const now = steps.filter((step) => step.at <= first + TOGETHER_MS);
      await this.moveTo(Math.max(...now.map((step) => step.at)));
      const next = await Promise.all(now.map((step) => this.#take(step)));
      steps = [...steps.filter((step) => !now.includes(step)), ...next.flat()];
    }
  }

  /** The clock is only moved forward. */
  async moveTo(at: number): Promise<void> {
    const { clock, engine } = this.#options;
    const byMs = at - clock.now().getTime();
    if (byMs <= 0) return;
    await clock.move(byMs);
    engine.wake();
  }

  /** Starts a payment and does not look after it. Answers whether it was accepted. */
  async send({ shop, path, body, fault }: SentPayment): Promise<boolean> {
    const { simulator, baseUrl } = this.#options;
    simulator.addFault(fault);
    const headers = { authorization: `Bearer ${shop.apiToken}`, 'content-type': 'application/json' };
    const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const { status } = (await answer.json()) as { readonly status?: string };
    const isAccepted = status === 'ACCEPTED';
    this.counts[isAccepted ? 'accepted' : 'rejected'] += 1;
    return isAccepted;
  }

  #draw(): DrawnPayment {
    const { random, shops } = this.#options;
    const shop = random.pick(shops.map((one) => [one.profile.share, one] as const));
    const payment = drawPayment(random, shop, this.#paid.get(shop)?.[0] ?? null);
    // Each deposit is given back once at most.
    if (payment.operation === 'REFUND') this.#paid.get(shop)?.shift();
    return payment;
  }

  /** Answers what is to be done next about the payment. */
  async #take({ payment, looks }: Step): Promise<readonly Step[]> {
    const { clock } = this.#options;
    if (looks === 0) {
      if (!(await this.send(payment))) return [];
      const at = clock.now().getTime() + payment.delayMs + ANNOUNCED_WITHIN_MS;
      return [{ at, payment, looks: 1 }];
    }
    if (await this.#isAnnounced(payment)) {
      this.#remember(payment);
      return [];
    }
    if (looks === LOOKS_MAX) return [];
    return [{ at: clock.now().getTime() + LOOK_AGAIN_MS, payment, looks: looks + 1 }];
  }

  async #isAnnounced({ id }: DrawnPayment): Promise<boolean> {
    const { server } = this.#options;
    const deadline = performance.now() + PATIENCE_MS;
    while (!server.isAcknowledged(id)) {
      if (performance.now() > deadline) return false;
      await sleep(5);
    }
    return true;
  }

  #remember({ shop, paid }: DrawnPayment): void {
    if (paid === null) return;
    const known = this.#paid.get(shop) ?? [];
    this.#paid.set(shop, [...known, paid]);
  }
}
