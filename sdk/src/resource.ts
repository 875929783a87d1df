// The operations on payments of one kind. Each class adds what further kinds can do.
import { readActed, readLookup, readReason, failureError, type Fields } from './answer.ts';
import { unreadable, type Answered, type Call } from './connection.ts';
import { tell, type Kind } from './kind.ts';
import { MalipoError } from './malipo-error.ts';
import type { Acted, Final, Found, Started, Still } from './outcome.ts';
import { sendUntilClear } from './send-until-clear.ts';
import { startOrders, type Parts } from './start-orders.ts';
import { waitForFinal, type WaitOptions } from './wait-for-final.ts';

/** The gateway's maximum per list. */
const LIST_MAX = 20;

/** What can be read. */
export class Inquiries<Payment> {
  protected readonly parts: Parts;
  protected readonly kind: Kind;

  constructor(parts: Parts, kind: Kind) {
    this.parts = parts;
    this.kind = kind;
  }

  /**
   * Asks for one. `found` only says that the gateway has it; its outcome is `payment.status`.
   *
   * @example
   * ```ts
   * const answer = await malipo.deposits.get(crypto.randomUUID());
   * if (!answer.found) console.log('no such deposit'); // no such deposit
   * else if (answer.payment.paid) console.log('paid');
   * else console.log(answer.payment.status);
   * ```
   */
  async get(id: string, options: { readonly signal?: AbortSignal } = {}): Promise<Found<Payment>> {
    const answer = await this.ask({ method: 'GET', path: this.pathOf(id), signal: options.signal });
    const looked = readLookup(answer);
    if (looked === null) throw refusedAs(answer);
    return looked.found ? { found: true, payment: tell(this.kind, looked.payment) as Payment } : looked;
  }

  /**
   * Asks until it is final, for two minutes unless `timeoutMs` says otherwise. Then it tells what it still is.
   *
   * @example
   * ```ts
   * const { id } = await malipo.deposits.create({
   *   amount: '100',
   *   currency: 'RWF',
   *   payer: { type: 'MMO', accountDetails: { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' } },
   * });
   * const payment = await malipo.deposits.waitForFinal(id, { timeoutMs: 60_000 });
   * if (!payment.isFinal) console.log('still', payment.still);
   * else if (payment.paid) console.log('paid', payment.amount, payment.currency); // paid 100 RWF
   * else console.log('failed', payment.failureReason.failureCode);
   * ```
   */
  async waitForFinal(id: string, options: WaitOptions = {}): Promise<Final<Payment> | Still> {
    return waitForFinal((signal) => this.get(id, { signal }), options);
  }

  protected pathOf(id: string): string {
    return `${this.kind.path}/${encodeURIComponent(id)}`;
  }

  /** For requests that can be repeated safely. */
  protected async ask(call: Call): Promise<Answered> {
    const answer = await sendUntilClear(this.parts.connection, call, Date.now() + this.parts.retryForMs);
    if (answer.type !== 'answered') throw answer.cause;
    return answer;
  }
}

/** What can be created: split payments, checkouts. */
export class Resource<Order extends object, Payment, Extra = unknown> extends Inquiries<Payment> {
  /**
   * Orders one. Without an identifier it gets one, which is remembered in the journal before anything is sent.
   * Check `outcome`: an accepted payment is not yet a paid one.
   *
   * @example
   * ```ts
   * const started = await malipo.deposits.create({
   *   amount: '100',
   *   currency: 'RWF',
   *   payer: { type: 'MMO', accountDetails: { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' } },
   *   clientReferenceId: 'invoice-7',
   * });
   * if (started.outcome === 'rejected') console.log(started.failureReason.failureMessage);
   * else if (started.outcome === 'unknown') console.log('ask later for', started.id);
   * else console.log(started.outcome, started.nextStep); // accepted FINAL_STATUS
   * ```
   */
  async create(order: Order): Promise<Started<Extra>> {
    const bodies = [this.complete(order)];
    const [started] = await startOrders(this.parts, { kind: this.kind, bodies, isList: false });
    return started as Started<Extra>;
  }

  /** The request as it is sent: with identifiers. */
  protected complete(order: Order): Fields {
    return { [this.kind.idName]: crypto.randomUUID(), ...withoutUndefined(order) };
  }

  /** Not repeated if the result is unclear: the second answer would report the action as impossible. */
  protected async act(id: string, path: string): Promise<Acted> {
    const answer = await this.parts.connection.send({ method: 'POST', path });
    if (answer.type !== 'answered') throw answer.cause;
    const acted = readActed(id, answer);
    if (acted === null) throw refusedAs(answer);
    return acted;
  }
}

/** Payments with a callback that can be resent: deposits. */
export class AnnouncedResource<Order extends object, Payment, Extra = unknown> extends Resource<
  Order,
  Payment,
  Extra
> {
  /**
   * Has the callback of a final payment sent again.
   *
   * @example
   * ```ts
   * const resent = await malipo.deposits.resendCallback(crypto.randomUUID());
   * if (resent.outcome === 'rejected') console.log(resent.failureReason.failureCode); // NOT_FOUND
   * ```
   */
  async resendCallback(id: string): Promise<Acted> {
    return this.act(id, `${this.kind.path}/resend-callback/${encodeURIComponent(id)}`);
  }
}

/** Payments that may wait for their provider: refunds. */
export class CancellableResource<Order extends object, Payment> extends AnnouncedResource<Order, Payment> {
  /**
   * Cancels one that is ENQUEUED. Rejected when it is not: then it may be on its way.
   *
   * @example
   * ```ts
   * const { id } = await malipo.payouts.create({
   *   amount: '100',
   *   currency: 'RWF',
   *   recipient: { type: 'MMO', accountDetails: { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' } },
   * });
   * await malipo.payouts.waitForFinal(id);
   * const cancelled = await malipo.payouts.cancel(id);
   * if (cancelled.outcome === 'rejected') console.log(cancelled.failureReason.failureCode); // INVALID_STATE
   * ```
   */
  async cancel(id: string): Promise<Acted> {
    return this.act(id, `${this.kind.path}/fail-enqueued/${encodeURIComponent(id)}`);
  }
}

/** Payments that can be created in lists: payouts and remittances. */
export class ListedResource<Order extends object, Payment> extends CancellableResource<Order, Payment> {
  /**
   * Orders any number of them, twenty with each request. The outcomes are in the sequence of the orders. A request
   * of twenty in which one does not fit its description is rejected as a whole.
   *
   * @example
   * ```ts
   * const recipient = {
   *   type: 'MMO',
   *   accountDetails: { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' },
   * } as const;
   * const started = await malipo.payouts.createMany([
   *   { amount: '100', currency: 'RWF', recipient },
   *   { amount: '0', currency: 'RWF', recipient },
   * ]);
   * for (const { outcome } of started) console.log(outcome);
   * // accepted
   * // rejected
   * ```
   */
  async createMany(orders: readonly Order[]): Promise<readonly Started[]> {
    const bodies = orders.map((order) => this.complete(order));
    requireDistinct(bodies.map((body) => String(body[this.kind.idName])));
    const results: Started[] = [];
    for (let from = 0; from < bodies.length; from += LIST_MAX) {
      const some = bodies.slice(from, from + LIST_MAX);
      results.push(...(await this.#createSome(some, { isFirst: from === 0 })));
    }
    return results;
  }

  /** Earlier results must not be lost because a later request was refused. */
  async #createSome(
    bodies: readonly Fields[],
    { isFirst }: { readonly isFirst: boolean },
  ): Promise<readonly Started[]> {
    try {
      return await startOrders(this.parts, { kind: this.kind, bodies, isList: true });
    } catch (error) {
      if (isFirst || !(error instanceof MalipoError)) throw error;
      return bodies.map((body) => ({ outcome: 'unknown', id: String(body[this.kind.idName]), cause: error }));
    }
  }
}

/** Two requests of one list with the same identifier would be one payment and look like two. */
function requireDistinct(ids: readonly string[]): void {
  const written = ids.map((id) => id.toLowerCase());
  const repeated = written.find((id, index) => written.indexOf(id) < index);
  if (repeated === undefined) return;
  throw new MalipoError({
    code: 'MISUSE',
    message: `Two orders of the list have the identifier ${repeated}.`,
    whatToDo: 'Give each order its own identifier, or none.',
  });
}

export function refusedAs(answer: Answered): Error {
  const reason = readReason(answer.body);
  return reason === null ? unreadable(answer.status) : failureError(reason, answer.status);
}

/** In TypeScript an undefined field counts as absent. */
export function withoutUndefined(order: object): Fields {
  return Object.fromEntries(Object.entries(order).filter(([, value]) => value !== undefined));
}
