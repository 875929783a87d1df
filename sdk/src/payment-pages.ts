// Addresses of the hosted payment page. The deposit starts when the customer presses Pay, so there is no status before.
// A repeated request replaces the address of the same identifier; it leads to one deposit at most.
import { fieldsOf, readReason, readRefusal, rejected, type Fields } from './answer.ts';
import type { PaymentPageRequest } from './api.ts';
import { unreadable, type Answered } from './connection.ts';
import { sendStored } from './journal.ts';
import { DEPOSIT } from './kind.ts';
import type { Rejected, Unknown } from './outcome.ts';
import { withoutUndefined } from './resource.ts';
import { sendUntilClear } from './send-until-clear.ts';
import { journalEntry, type Parts } from './start-requests.ts';

/** `id` is that of the deposit, which exists once the customer has pressed Pay. */
export type PageOpened =
  | { readonly outcome: 'accepted'; readonly id: string; readonly redirectUrl: string }
  | Rejected
  | Unknown;

export class PaymentPages {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Creates an address for the customer, valid for 15 minutes. `deposits` has the outcome.
   *
   * @example
   * ```ts
   * const page = await malipo.paymentPages.create({
   *   returnUrl: 'https://shop.example/thanks',
   *   amountDetails: { amount: '100', currency: 'RWF' },
   * });
   * if (page.outcome === 'accepted') console.log('send the customer to', page.redirectUrl);
   * console.log((await malipo.deposits.get(page.id)).found); // false
   * ```
   */
  async create(request: PaymentPageRequest): Promise<PageOpened> {
    const id = request.depositId ?? crypto.randomUUID();
    const body = { ...withoutUndefined(request), depositId: id };
    const entries = [journalEntry(DEPOSIT, body)];
    const [opened] = await sendStored(this.#parts.journal, entries, async () => [await this.#open(id, body)]);
    return opened as PageOpened;
  }

  async #open(id: string, body: Fields): Promise<PageOpened> {
    const { connection, retryForMs } = this.#parts;
    const call = { method: 'POST', path: '/v2/paymentpage', body, isInitiation: true } as const;
    const answer = await sendUntilClear(connection, call, Date.now() + retryForMs);
    return answer.type === 'answered'
      ? readOpened(id, answer)
      : { outcome: 'unknown', id, cause: answer.cause };
  }
}

function readOpened(id: string, answer: Answered): PageOpened {
  const { redirectUrl } = fieldsOf(answer.body);
  if (typeof redirectUrl === 'string') return { outcome: 'accepted', id, redirectUrl };
  const refusal = readRefusal(answer);
  const reason = readReason(answer.body);
  if (refusal !== null || reason === null) throw refusal ?? unreadable(answer.status);
  return rejected(id, reason, answer);
}
