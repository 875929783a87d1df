// What limits let through, small enough to be read: a list of what counts, and when it was accepted.
import type { Limit, LimitPeriod } from '../../src/domain/limits/limit.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';

/** A payment. A split payment is several: its collection, and its parts. */
export type Counting = {
  readonly kind: PaymentKind;
  readonly paymentId: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly provider: string;
  readonly country: string;
  readonly phoneNumber: string;
  /** What a person or a payer requests has none. */
  readonly tokenId: string | undefined;
  /** Of a part of a split payment: it fails with its collection. */
  readonly collectionId?: string;
};

type Counted = Counting & { readonly at: Date };

export class LimitsModel {
  readonly #limits: readonly Limit[];
  readonly #acceptedAt = new Map<string, Date>();
  #counted: readonly Counted[] = [];

  constructor(limits: readonly Limit[]) {
    this.#limits = limits;
  }

  /** Counts all of a request, one after the other, or nothing. Answers the limits that refuse it. */
  accept(request: readonly Counting[], at: Date): readonly Limit[] {
    const before = this.#counted;
    for (const one of request) {
      const full = this.#limits.filter((limit) => !this.#fits(limit, { ...one, at }));
      if (full.length > 0) {
        this.#counted = before;
        return full;
      }
      this.#counted = [...this.#counted, { ...one, at }];
    }
    for (const { paymentId } of request) this.#acceptedAt.set(paymentId, at);
    return [];
  }

  /** Gives back what failed. */
  fail(failed: Pick<Counting, 'kind' | 'paymentId'>): void {
    this.#counted = this.#counted.filter(
      ({ kind, paymentId, collectionId }) =>
        !(kind === failed.kind && paymentId === failed.paymentId) &&
        !(failed.kind === 'DEPOSIT' && collectionId === failed.paymentId),
    );
  }

  /**
   * Counts again what failed and was paid all the same, in the windows of that time, whether it fits or not. A process
   * that has not yet heard that time moved counts in the windows of the acceptance.
   */
  payAfterAll(paid: Counting, at: Date): void {
    const accepted = this.#acceptedAt.get(paid.paymentId) ?? at;
    this.#counted = [...this.#counted, { ...paid, at: at < accepted ? accepted : at }];
  }

  get counted(): readonly Counted[] {
    return this.#counted;
  }

  /** What every counter has: limits of platform and merchant share one. */
  counters(): readonly { readonly count: number; readonly amount: bigint }[] {
    const counters = new Map<string, { count: number; amount: bigint }>();
    for (const one of this.#counted) {
      const names = this.#limits
        .filter((limit) => counts(limit, one))
        .map((limit) => counterName(limit, one));
      for (const name of new Set(names)) {
        const { count, amount } = counters.get(name) ?? { count: 0, amount: 0n };
        counters.set(name, { count: count + 1, amount: amount + one.amount });
      }
    }
    return [...counters.values()];
  }

  #fits(limit: Limit, one: Counted): boolean {
    if (!counts(limit, one)) return true;
    const name = counterName(limit, one);
    const same = this.#counted.filter((other) => counts(limit, other) && counterName(limit, other) === name);
    const amount = same.reduce((sum, other) => sum + other.amount, one.amount);
    const { countMax, amountMax } = limit;
    return same.length < (countMax ?? Infinity) && (amountMax === null || amount <= amountMax);
  }
}

function counts(limit: Limit, one: Counting): boolean {
  const subject = subjectOf(limit, one);
  return (
    limit.kind === one.kind &&
    (limit.currency === '' || limit.currency === one.currency) &&
    subject !== undefined &&
    (limit.subject === '' || limit.subject === subject)
  );
}

/** What is counted together. */
function counterName(limit: Limit, one: Counted): string {
  const { kind, scope, period, currency } = limit;
  return [kind, scope, subjectOf(limit, one), period, currency, windowOf(period, one.at)].join(' ');
}

function subjectOf({ scope }: Limit, one: Counting): string | undefined {
  switch (scope) {
    case 'MERCHANT':
      return '';
    case 'TOKEN':
      return one.tokenId;
    case 'PROVIDER':
      return one.provider;
    case 'COUNTRY':
      return one.country;
    case 'NUMBER':
      return one.phoneNumber;
  }
}

/** The minute, hour, day or month of UTC, as it is written: 2027-03-01T12:34. */
const WRITTEN: Readonly<Record<LimitPeriod, number>> = { MINUTE: 16, HOUR: 13, DAY: 10, MONTH: 7 };

function windowOf(period: LimitPeriod, at: Date): string {
  return at.toISOString().slice(0, WRITTEN[period]);
}
