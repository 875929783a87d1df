// The operations on payments of one kind. Each class adds what further kinds can do.
import { readActionResult, readLookup, refusedAs, type Fields } from './answer.ts';
import type { ListFilter } from './api.ts';
import { interrupted, type Answered, type Call } from './connection.ts';
import { withMeaning, type Kind } from './kind.ts';
import { listPages } from './list-pages.ts';
import { MalipoError } from './malipo-error.ts';
import type { Acted, Final, Found, Started, Still } from './outcome.ts';
import { sendUntilClear } from './send-until-clear.ts';
import { startRequests, type Parts } from './start-requests.ts';
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
    return looked.found
      ? { found: true, payment: withMeaning(this.kind, looked.payment) as Payment }
      : looked;
  }

  /**
   * Asks until it is final or `timeoutMs` is over; default: two minutes. Then it returns the current status.
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
export class Resource<NewRequest extends object, Payment, Extra = unknown> extends Inquiries<Payment> {
  /**
   * Creates one. Without an identifier it gets one, which is stored in the journal before anything is sent.
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
  async create(request: NewRequest): Promise<Started<Extra>> {
    const bodies = [this.complete(request)];
    const [started] = await startRequests(this.parts, { kind: this.kind, bodies, isList: false });
    return started as Started<Extra>;
  }

  /** The request as it is sent: with identifiers. */
  protected complete(request: NewRequest): Fields {
    return { [this.kind.idName]: crypto.randomUUID(), ...withoutUndefined(request) };
  }

  /** Not repeated if the result is unclear: the second answer would report the action as impossible. */
  protected async act(id: string, path: string): Promise<Acted> {
    const answer = await this.parts.connection.send({ method: 'POST', path });
    if (answer.type !== 'answered') throw answer.cause;
    const acted = readActionResult(id, answer);
    if (acted === null) throw refusedAs(answer);
    return acted;
  }
}

type WithStatus = { readonly status: string };

/** Payments with a callback that can be resent, and that can be listed: deposits. */
export class AnnouncedResource<
  NewRequest extends object,
  Payment extends WithStatus,
  Extra = unknown,
  Listed extends WithStatus = Payment,
> extends Resource<NewRequest, Payment, Extra> {
  /**
   * Lists payments, the newest first. Pages are read as the loop needs them, so leaving it early costs nothing. Without
   * the scope personal-data:read, personal data is masked.
   *
   * @example
   * ```ts
   * await malipo.deposits.create({
   *   amount: '100',
   *   currency: 'RWF',
   *   payer: { type: 'MMO', accountDetails: { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' } },
   *   clientReferenceId: 'invoice-8',
   * });
   * for await (const deposit of malipo.deposits.list({ clientReferenceId: 'invoice-8' })) {
   *   console.log(deposit.amount, deposit.currency); // 100 RWF
   * }
   * ```
   */
  async *list(
    filter: ListFilter<Payment['status']> = {},
    options: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<Listed, void, undefined> {
    const read = async (path: string) => {
      const answer = await this.ask({ method: 'GET', path, signal: options.signal });
      if (answer.status !== 200) throw refusedAs(answer);
      return answer;
    };
    for await (const record of listPages(this.kind.path, filter, read))
      yield withMeaning(this.kind, record) as Listed;
  }

  /**
   * Resends the callback of a final payment.
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
export class CancellableResource<
  NewRequest extends object,
  Payment extends WithStatus,
  Listed extends WithStatus = Payment,
> extends AnnouncedResource<NewRequest, Payment, unknown, Listed> {
  /**
   * Cancels one that is ENQUEUED. Otherwise it is rejected, because it may already be sent.
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
export class ListedResource<
  NewRequest extends object,
  Payment extends WithStatus,
  Listed extends WithStatus = Payment,
> extends CancellableResource<NewRequest, Payment, Listed> {
  /**
   * Creates any number of them, twenty per call. The outcomes are in the same order. If one of twenty does not fit its
   * schema, the whole call is rejected.
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
  async createMany(requests: readonly NewRequest[]): Promise<readonly Started[]> {
    const bodies = requests.map((request) => this.complete(request));
    requireDistinct(bodies.map((body) => String(body[this.kind.idName])));
    // What JSON cannot hold throws here, before anything is sent, and not in a later call.
    JSON.stringify(bodies);
    const results: Started[] = [];
    for (let from = 0; from < bodies.length; from += LIST_MAX) {
      const some = bodies.slice(from, from + LIST_MAX);
      results.push(...(await this.#createSome(some, { isFirst: from === 0 })));
    }
    return results;
  }

  /** Earlier results must not be lost because of a later request. */
  async #createSome(
    bodies: readonly Fields[],
    { isFirst }: { readonly isFirst: boolean },
  ): Promise<readonly Started[]> {
    try {
      return await startRequests(this.parts, { kind: this.kind, bodies, isList: true });
    } catch (error) {
      if (isFirst) throw error;
      const cause = error instanceof MalipoError ? error : interrupted(error);
      return bodies.map((body) => ({ outcome: 'unknown', id: String(body[this.kind.idName]), cause }));
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
    message: `Two requests of the list have the identifier ${repeated}.`,
    whatToDo: 'Give each request its own identifier, or none.',
  });
}

/** In TypeScript an undefined field counts as absent. */
export function withoutUndefined(request: object): Fields {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
}
