// Processes a request: accepts it once, plans its end, ends it at its time and announces it.
import type { Clock } from '../../../domain/clock.ts';
import { parseAmount, renderAmount } from '../../../domain/money.ts';
import type { Agenda } from '../agenda.ts';
import type { Announcer } from '../announcements.ts';
import { isAsked, takesCodes } from '../payers/asking.ts';
import type { Books } from './books.ts';
import type { OpenCharge, Verdict } from './charge.ts';
import type { Codes } from '../payers/codes.ts';
import type { AcceptanceFault } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import type { Payers } from '../payers/payers.ts';
import type { Settings } from '../settings.ts';
import type { TransactionRequest } from './transaction-request.ts';

export type TransactionsOptions = {
  readonly books: Books;
  readonly faults: Faults;
  readonly agenda: Agenda;
  readonly announcer: Announcer;
  readonly payers: Payers;
  readonly codes: Codes;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly habits: OperatorHabits;
};

/** What differs between operators. */
export type OperatorHabits = {
  readonly createTransactionId: () => string;
  /** The end of a request without faults. */
  readonly plannedVerdict: (request: TransactionRequest) => Verdict;
  /** Where the payer of this request must go; undefined if the phone asks. */
  readonly authorizationUrlOf: (request: TransactionRequest, transactionId: string) => string | undefined;
  /** The end of a payment that its payer does not pay. */
  readonly refusalOf: (refusal: Refusal) => Verdict;
  /** A code that is in no table of the operator. */
  readonly unknownCode: string;
};

/** Why a payer did not pay. */
export type Refusal = 'PAYER_DECLINED' | 'PIN_BLOCKED' | 'PIN_TIMEOUT';

/** How often to check whether a person still holds a phone whose payment is due. */
const LOOK_AGAIN_MS = 1_000;

export class Transactions {
  readonly #options: TransactionsOptions;

  constructor(options: TransactionsOptions) {
    this.#options = options;
    for (const charge of options.books.list()) if (charge.status === 'PENDING') this.#plan(charge);
  }

  /** A known reference is counted. Only an operator that does not recognise repeats charges it again. */
  submit(request: TransactionRequest): { readonly charge: OpenCharge; readonly isRepeat: boolean } {
    const { books, faults, settings } = this.#options;
    const earlier = books.find(request.reference);
    if (earlier === undefined) this.#accept(request, faults.takeForAcceptance(request));
    else if (settings.repeats === 'CHARGED') return this.#chargeAgain(request, earlier);
    else books.repeat(request.reference);
    return { charge: this.#charge(request.reference), isRepeat: earlier !== undefined };
  }

  #chargeAgain(request: TransactionRequest, earlier: OpenCharge) {
    const { books } = this.#options;
    books.repeat(request.reference);
    // A separate entry of the books, under a reference that cannot be queried.
    const reference = `${request.reference} (${earlier.submissions + 1})`;
    this.#accept({ ...request, reference }, undefined);
    return { charge: this.#charge(reference), isRepeat: false };
  }

  list(): readonly OpenCharge[] {
    this.#options.agenda.runDue();
    return this.#options.books.list();
  }

  find(reference: string): OpenCharge | undefined {
    this.#options.agenda.runDue();
    return this.#options.books.find(reference);
  }

  findByTransactionId(transactionId: string): OpenCharge | undefined {
    this.#options.agenda.runDue();
    return this.#options.books.findByTransactionId(transactionId);
  }

  /** The payer approves, on the page or on the phone. The outcome of the phone number applies. */
  approve(reference: string): OpenCharge {
    this.#end(reference, this.#charge(reference).plan);
    return this.#charge(reference);
  }

  refuse(reference: string, refusal: Refusal): OpenCharge {
    this.#end(reference, this.#options.habits.refusalOf(refusal));
    return this.#charge(reference);
  }

  /** The payer never answers: the operator times out. */
  ignore(reference: string): OpenCharge {
    const { agenda, payers, settings, clock } = this.#options;
    const charge = this.#charge(reference);
    const givesUpAt = Date.parse(charge.acceptedAt) + settings.promptTimeoutMs;
    const dueAt = new Date(Math.max(givesUpAt, clock.now().getTime()));
    payers.ignore(reference, dueAt);
    agenda.add({ dueAt, run: () => void this.refuse(reference, 'PIN_TIMEOUT') });
    return charge;
  }

  /** Announces an end again. False if there is none, or no message for it. */
  announceAgain(reference: string): boolean {
    const charge = this.find(reference);
    if (charge === undefined || charge.status === 'PENDING') return false;
    return this.#options.announcer.repeat(charge);
  }

  #accept(request: TransactionRequest, fault: AcceptanceFault | undefined): void {
    const { books, clock } = this.#options;
    const acceptedAt = clock.now();
    const charge: OpenCharge = {
      ...this.#address(request),
      plan: this.#hasGoodCode(request, acceptedAt)
        ? verdictUnder(fault, request, this.#options.habits)
        : BAD_CODE,
      dueAt: this.#dueAt(request, acceptedAt, fault)?.toISOString() ?? null,
      amount: amountUnder(fault, request.amount),
      status: 'PENDING',
      submissions: 1,
      acceptedAt: acceptedAt.toISOString(),
      settledAt: null,
    };
    books.accept(charge);
    this.#plan(charge);
  }

  #hasGoodCode(request: TransactionRequest, now: Date): boolean {
    if (request.operation !== 'DEPOSIT' || !takesCodes(request.provider)) return true;
    return this.#options.codes.redeem(request, now);
  }

  #address(wanted: TransactionRequest) {
    const { oneTimeCode: _code, country: _country, ...request } = wanted;
    const { createTransactionId, authorizationUrlOf } = this.#options.habits;
    const transactionId = createTransactionId();
    const authorizationUrl = authorizationUrlOf(wanted, transactionId);
    return { ...request, transactionId, ...(authorizationUrl === undefined ? {} : { authorizationUrl }) };
  }

  #dueAt(request: TransactionRequest, acceptedAt: Date, fault: AcceptanceFault | undefined): Date | null {
    const { outcomeDelayMs } = this.#options.settings;
    if (this.#awaitsPayer(request, fault)) return null;
    const delayMs = fault?.type === 'OUTCOME' ? (fault.delayMs ?? outcomeDelayMs) : outcomeDelayMs;
    return new Date(acceptedAt.getTime() + delayMs);
  }

  /** Only payers are asked: recipients do not have to approve. */
  #awaitsPayer(request: TransactionRequest, fault: AcceptanceFault | undefined): boolean {
    const { redirects, prompts } = this.#options.settings;
    if (request.operation !== 'DEPOSIT') return false;
    const isRedirected = this.#options.habits.authorizationUrlOf(request, '') !== undefined;
    return fault?.type === 'AWAIT_PROMPT' || (isRedirected ? redirects : prompts) === 'MANUAL';
  }

  /** Ends a charge at once if it is due. A redirected payer cannot have approved before the answer. */
  #plan({ reference, dueAt, plan, authorizationUrl }: OpenCharge): void {
    if (dueAt === null) return;
    const isDue = new Date(dueAt) <= this.#options.clock.now();
    if (isDue && authorizationUrl === undefined) this.#comeDue(reference, plan);
    else this.#options.agenda.add({ dueAt: new Date(dueAt), run: () => this.#comeDue(reference, plan) });
  }

  /** A payer whom a person plays does not approve automatically. */
  #comeDue(reference: string, plan: Verdict): void {
    const { payers, agenda, clock } = this.#options;
    if (payers.ignoredUntil(reference) !== null) return;
    if (!this.#isPlayed(this.#charge(reference))) return this.#end(reference, plan);
    const dueAt = new Date(clock.now().getTime() + LOOK_AGAIN_MS);
    agenda.add({ dueAt, run: () => this.#comeDue(reference, plan) });
  }

  #isPlayed(charge: OpenCharge): boolean {
    const { payers } = this.#options;
    return isAsked(charge) && (payers.isHeld(charge.phoneNumber) || payers.isHeld(charge.transactionId));
  }

  #end(reference: string, verdict: Verdict): void {
    const { books, announcer, clock } = this.#options;
    if (this.#charge(reference).status !== 'PENDING') return;
    if (verdict.status === 'PENDING') {
      void announcer.announceNothing(this.#charge(reference));
      return;
    }
    books.settle(reference, verdict, clock.now());
    void announcer.announce(this.#charge(reference), () => this.#contradict(reference));
  }

  /** The simulator changes the result, in its books too: a late success, or a reversal without a reason. */
  #contradict(reference: string): OpenCharge {
    const opposite = this.#charge(reference).status === 'SUCCESSFUL' ? 'FAILED' : 'SUCCESSFUL';
    this.#options.books.settle(reference, { status: opposite }, this.#options.clock.now());
    return this.#charge(reference);
  }

  #charge(reference: string): OpenCharge {
    const charge = this.#options.books.find(reference);
    if (charge === undefined)
      throw new Error('A transaction must be in the books before anything happens to it.');
    return charge;
  }
}

const BAD_CODE: Verdict = { status: 'FAILED', failureCode: 'CODE_INVALID' };

function verdictUnder(
  fault: AcceptanceFault | undefined,
  request: TransactionRequest,
  habits: OperatorHabits,
): Verdict {
  switch (fault?.type) {
    case 'OUTCOME':
      return verdictOf(fault.status, fault.failureCode);
    case 'UNKNOWN_CODE':
      return verdictOf('FAILED', fault.failureCode ?? habits.unknownCode);
    case 'WRONG_AMOUNT':
    case 'AWAIT_PROMPT':
    case undefined:
      return habits.plannedVerdict(request);
  }
}

function verdictOf(status: Verdict['status'], failureCode: string | undefined): Verdict {
  return failureCode === undefined ? { status } : { status, failureCode };
}

function amountUnder(fault: AcceptanceFault | undefined, asked: string): string {
  if (fault?.type !== 'WRONG_AMOUNT') return asked;
  return fault.amount ?? renderAmount((parseAmount(asked) ?? 0n) + ONE_UNIT);
}

const ONE_UNIT = 10_000n;
