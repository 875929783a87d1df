// Merges ordered streams of what both sides moved for each payment, so that a day is compared without having it in
// memory.
import type { Amount } from '../money.ts';
import { PAYMENT_KINDS, type PaymentKey } from '../payments/payment.ts';

/** What one side moved. */
export type Net = {
  readonly received: Amount;
  readonly sent: Amount;
  /** How many lines or postings that were. */
  readonly count: number;
};

/** What the operator's lines and our postings moved for a payment; null where a side has nothing of it. */
export type PaymentNet = PaymentKey & { readonly theirs: Net | null; readonly ours: Net | null };

/** Pages in the order of `compareKeys`, each payment once. */
export type NetStream = AsyncIterable<readonly PaymentNet[]>;

/** Calls `visit` once for each payment that any stream has, with what each stream has of it, in their order. */
export async function mergeNets(
  streams: readonly NetStream[],
  visit: (nets: readonly (PaymentNet | null)[]) => void,
): Promise<void> {
  const heads = await Promise.all(streams.map((stream) => Head.open(stream)));
  for (;;) {
    const first = heads.reduce<PaymentNet | null>((least, { net }) => lesser(least, net), null);
    if (first === null) return;
    const isHere = heads.map(({ net }) => net !== null && compareKeys(net, first) === 0);
    visit(heads.map(({ net }, index) => (isHere[index] === true ? net : null)));
    for (const [index, head] of heads.entries())
      // Only the end of a page waits: a promise for each of millions of payments would take most of the time.
      if (isHere[index] === true && !head.step()) await head.turn();
  }
}

/** Where a stream is. */
class Head {
  readonly #pages: AsyncIterator<readonly PaymentNet[]>;
  #page: readonly PaymentNet[] = [];
  #index = 0;

  static async open(stream: NetStream): Promise<Head> {
    const head = new Head(stream[Symbol.asyncIterator]());
    await head.turn();
    return head;
  }

  private constructor(pages: AsyncIterator<readonly PaymentNet[]>) {
    this.#pages = pages;
  }

  /** Null at the end. */
  get net(): PaymentNet | null {
    return this.#page[this.#index] ?? null;
  }

  /** Answers false at the end of a page. */
  step(): boolean {
    this.#index += 1;
    return this.#index < this.#page.length;
  }

  async turn(): Promise<void> {
    this.#index = 0;
    do {
      const next = await this.#pages.next();
      this.#page = next.done === true ? [] : next.value;
      if (next.done === true) return;
    } while (this.#page.length === 0);
  }
}

function lesser(one: PaymentNet | null, other: PaymentNet | null): PaymentNet | null {
  if (one === null || other === null) return one ?? other;
  return compareKeys(other, one) < 0 ? other : one;
}

/** As the database orders payments: identifiers are written in small letters, and kinds come as they are declared. */
function compareKeys(one: PaymentKey, other: PaymentKey): number {
  if (one.paymentId !== other.paymentId) return one.paymentId < other.paymentId ? -1 : 1;
  if (one.merchantId !== other.merchantId) return one.merchantId < other.merchantId ? -1 : 1;
  return PAYMENT_KINDS.indexOf(one.kind) - PAYMENT_KINDS.indexOf(other.kind);
}
