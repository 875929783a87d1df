// The fake's own books: an append-only record of all charges, to compare with the gateway's ledger.
import { parseAmount, renderAmount, type Amount } from '../../../domain/money.ts';
import { renderCharge, type Charge, type OpenCharge, type Verdict } from './charge.ts';
import type { Journal, JournalLine } from './journal.ts';

export type BooksView = { readonly charges: readonly Charge[]; readonly totals: readonly Total[] };

/** Money that moved through one account. `balance` is the opening float + `received` − `sent`. */
export type Total = {
  readonly provider: string;
  readonly currency: string;
  readonly charges: number;
  readonly received: string;
  readonly sent: string;
  readonly balance: string;
};

type AccountName = { readonly provider: string; readonly currency: string };

export class Books {
  readonly #charges = new Map<string, OpenCharge>();
  readonly #journal: Journal;
  readonly #openingFloat: Amount;

  constructor(options: { journal: Journal; openingFloat: Amount }) {
    this.#journal = options.journal;
    this.#openingFloat = options.openingFloat;
    for (const line of options.journal.earlier) this.#apply(line);
  }

  find(reference: string): OpenCharge | undefined {
    return this.#charges.get(reference);
  }

  findByTransactionId(transactionId: string): OpenCharge | undefined {
    return this.list().find((charge) => charge.transactionId === transactionId);
  }

  list(): readonly OpenCharge[] {
    return [...this.#charges.values()];
  }

  accept(charge: OpenCharge): void {
    this.#write({ type: 'ACCEPTED', charge });
  }

  repeat(reference: string): void {
    this.#write({ type: 'REPEATED', reference });
  }

  settle(reference: string, verdict: Verdict, at: Date): void {
    this.#write({ type: 'SETTLED', reference, verdict, settledAt: at.toISOString() });
  }

  balance(account: AccountName): string {
    return this.#total(account).balance;
  }

  view(): BooksView {
    const accounts = new Map(this.list().map((charge) => [`${charge.provider}/${charge.currency}`, charge]));
    const totals = [...accounts.values()].map((account) => this.#total(account));
    return { charges: this.list().map(renderCharge), totals };
  }

  #write(line: JournalLine): void {
    this.#journal.append(line);
    this.#apply(line);
  }

  #apply(line: JournalLine): void {
    switch (line.type) {
      case 'ACCEPTED':
        this.#charges.set(line.charge.reference, line.charge);
        return;
      case 'REPEATED':
        this.#change(line.reference, (charge) => ({ ...charge, submissions: charge.submissions + 1 }));
        return;
      case 'SETTLED':
        this.#change(line.reference, (charge) => settled(charge, line));
        return;
    }
  }

  #change(reference: string, change: (charge: OpenCharge) => OpenCharge): void {
    const charge = this.#charges.get(reference);
    if (charge !== undefined) this.#charges.set(reference, change(charge));
  }

  #total({ provider, currency }: AccountName): Total {
    const charges = this.list().filter(
      (charge) => charge.provider === provider && charge.currency === currency,
    );
    const done = charges.filter((charge) => charge.status === 'SUCCESSFUL');
    const received = sumOf(done.filter((charge) => charge.operation === 'DEPOSIT'));
    const sent = sumOf(done.filter((charge) => charge.operation !== 'DEPOSIT'));
    return {
      provider,
      currency,
      charges: charges.length,
      received: renderAmount(received),
      sent: renderAmount(sent),
      balance: renderAmount(this.#openingFloat + received - sent),
    };
  }
}

/** The last verdict counts: a contradicted charge gets its new status and loses the old failure code. */
function settled(charge: OpenCharge, line: JournalLine & { type: 'SETTLED' }): OpenCharge {
  const { failureCode: _earlier, ...rest } = charge;
  return { ...rest, ...line.verdict, settledAt: line.settledAt };
}

function sumOf(charges: readonly Charge[]): Amount {
  return charges.reduce((sum, charge) => sum + (parseAmount(charge.amount) ?? 0n), 0n);
}
