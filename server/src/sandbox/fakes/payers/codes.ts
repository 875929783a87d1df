// One-time codes that payers got from their menu. For a payer without codes, any code in a request is accepted; after
// the first code, only real ones are.
import { randomInt } from 'node:crypto';
import { parseAmount } from '../../../domain/money.ts';
import type { TransactionRequest } from '../books/transaction-request.ts';

export type Code = {
  readonly code: string;
  readonly phoneNumber: string;
  readonly provider: string;
  readonly amount: string;
  readonly currency: string;
  readonly madeAt: string;
  readonly endsAt: string;
};

export type CodeRequest = Pick<Code, 'phoneNumber' | 'provider' | 'amount' | 'currency'>;

const LIFETIME_MS = 15 * 60_000;

export class Codes {
  readonly #codes: Code[] = [];
  readonly #used = new Set<string>();

  make(request: CodeRequest, now: Date): Code {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const endsAt = new Date(now.getTime() + LIFETIME_MS).toISOString();
    const made = { ...request, code, madeAt: now.toISOString(), endsAt };
    this.#codes.push(made);
    return made;
  }

  listOf(phoneNumber: string): readonly Code[] {
    return this.#codes.filter((code) => code.phoneNumber === phoneNumber);
  }

  isOpen({ code, endsAt }: Code, now: Date): boolean {
    return !this.#used.has(code) && now < new Date(endsAt);
  }

  /** Whether a request's code is valid. A valid code is used up. */
  redeem(request: TransactionRequest, now: Date): boolean {
    const own = this.listOf(request.phoneNumber).filter(({ provider }) => provider === request.provider);
    if (own.length === 0) return true;
    const found = own.find((code) => this.isOpen(code, now) && isFor(code, request));
    if (found !== undefined) this.#used.add(found.code);
    return found !== undefined;
  }
}

function isFor({ code, amount, currency }: Code, request: TransactionRequest): boolean {
  const isSameMoney = currency === request.currency && parseAmount(amount) === parseAmount(request.amount);
  return code === request.oneTimeCode && isSameMoney;
}
