// The world of a simulation: payments, books, workers, operators, merchants and a clock, in plain objects.
// The store it stands for promises one thing only: what one transaction writes is written together or not at all.
import {
  decide,
  unchanged,
  type Change,
  type DecisionFacts,
} from '../../src/core/payments/process/decide.ts';
import { validateEvent } from '../../src/core/operators/validate-answer.ts';
import { subjectOf } from '../../src/core/payments/payment-postings.ts';
import {
  isFinal,
  type Evidence,
  type PaymentEvent,
  type Transition,
} from '../../src/domain/payments/lifecycle.ts';
import type { Amount } from '../../src/domain/money.ts';
import type { Attempt } from '../../src/store/payments/attempts.ts';
import type { Availability } from '../../src/store/operators/availability.ts';
import type { Merchant } from '../../src/store/merchants/merchants.ts';
import type { StoredPayment } from '../../src/store/payments/payments.ts';
import { Agenda } from './agenda.ts';
import { Books } from './books.ts';
import { announce, type Deliveries } from './callbacks.ts';
import { checkCommit } from './commit-checks.ts';
import { planStep } from './steps.ts';
import { Operator, type Entry } from './operator.ts';
import { OPERATORS } from './providers.ts';
import type { Random } from '../../../drills/kit/random.ts';
import type { Rules } from './rules.ts';
import { advanceSplit, type Split } from './splits.ts';
import { demand } from './violation.ts';

/** A payment with everything the store keeps about it, and what only the simulation knows. */
export type Kept = {
  payment: StoredPayment;
  attempt: Attempt | null;
  readonly merchant: Merchant;
  readonly operator: Operator;
  /** Wake-ups by event number. */
  readonly cases: Map<Evidence, 'OPEN' | 'RESOLVED'>;
  readonly history: { readonly atMs: number; readonly line: string }[];
  readonly refunds: Kept[];
  /** Callbacks that announce an end; there must be one. */
  finalCallbacks: number;
  readonly split: Split | null;
  /** Requests that were written to the socket and have not arrived. */
  flying: number;
  /** The outcome of its callbacks. */
  readonly callbacks: Deliveries;
};

export type Counts = {
  payments: number;
  rejected: number;
  crashes: number;
  pauses: number;
  cases: number;
  sends: number;
};

/** What happens to a payment in the write path's transaction, and the operator's record it comes from, if any. */
export type Happening = { readonly event: PaymentEvent; readonly version?: number };

export class World {
  readonly rules: Rules;
  readonly random: Random;
  readonly agenda = new Agenda();
  readonly books = new Books();
  readonly payments: Kept[] = [];
  readonly open = new Set<Kept>();
  /** Those that wait for their provider and have not been released. */
  readonly waiting = new Set<Kept>();
  readonly splits: Split[] = [];
  readonly operators: ReadonlyMap<string, Operator>;
  readonly unavailable = new Map<string, Availability>();
  readonly merchants: Merchant[] = [];
  /** What merchants brought by bank, by "merchant currency". */
  readonly brought = new Map<string, Amount>();
  /** Owners of operators' transactions, by "provider transaction". */
  readonly transactions = new Map<string, Kept>();
  readonly counts: Counts = {
    payments: 0,
    rejected: 0,
    crashes: 0,
    pauses: 0,
    cases: 0,
    sends: 0,
  };
  /** How often each move was made: what was never reached was never tried. */
  readonly reached = new Map<string, number>();
  /** No more faults and no new payments: everything may settle. */
  isCalm = false;
  /** Numbers manual actions, such as top-ups. */
  acts = 0;
  #nowMs: number;

  constructor(rules: Rules, random: Random, startMs: number) {
    this.rules = rules;
    this.random = random;
    this.#nowMs = startMs;
    this.operators = new Map(OPERATORS.map((facts) => [facts.name, new Operator(this, facts)]));
  }

  nowMs(): number {
    return this.#nowMs;
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  after(delayMs: number, run: () => void): void {
    this.agenda.plan(this.#nowMs + delayMs, run);
  }

  /** One step: the next thing on the agenda happens. */
  step(): boolean {
    const planned = this.agenda.take();
    if (planned === undefined) return false;
    this.#nowMs = planned.atMs;
    planned.run();
    return true;
  }

  /** A fault, as often as its share says; none once it is calm. */
  fault(share: number): boolean {
    return !this.isCalm && this.random.chance(share);
  }

  insert(payment: StoredPayment, merchant: Merchant, split: Split | null = null): Kept {
    const operator = this.operators.get(payment.connector);
    if (operator === undefined) throw new Error(`no operator ${payment.connector}`);
    const kept: Kept = {
      payment,
      attempt: null,
      merchant,
      operator,
      cases: new Map(),
      history: [],
      refunds: [],
      finalCallbacks: 0,
      split,
      flying: 0,
      callbacks: { announced: 0, acknowledged: 0, waiting: 0 },
    };
    this.payments.push(kept);
    this.open.add(kept);
    this.counts.payments += 1;
    this.note(kept, `accepted as ${payment.state}`);
    this.#planNext(kept);
    return kept;
  }

  /** The single write path: lock, decide, write everything together. Answers what each event meant. */
  advance(kept: Kept, happenings: readonly Happening[], lease?: Date): readonly Transition[] {
    const facts = { ...this.#factsOf(kept), lease };
    let change = unchanged(kept.payment, kept.attempt);
    const answers = happenings.map(({ event, version }) => {
      const actual = this.#isTaken(kept, event)
        ? TRANSACTION_TAKEN
        : this.rules.waitingEvent(event, change.payment, this.unavailable);
      if (version !== undefined) kept.operator.heard(kept, event, version);
      const decision = decide(change, actual, facts, this.rules.decision);
      change = decision.change;
      return decision.transition;
    });
    if (change.events.length > 0) this.#commit(kept, change);
    return answers;
  }

  walletProviderOf(kept: Kept): string {
    return kept.merchant.walletPerProvider ? kept.payment.provider : '';
  }

  entryOf(kept: Kept): Entry | undefined {
    return kept.attempt === null ? undefined : kept.operator.entries.get(kept.attempt.reference);
  }

  #commit(kept: Kept, change: Change): void {
    const before = kept.payment;
    for (const { event, detail, fromState, toState } of change.events) {
      const isSaid = event === 'OPERATOR_ANSWERED';
      const what = [isSaid ? null : event, detail].filter(Boolean).join(' ');
      const move = `${what}: ${fromState} -> ${toState}`;
      this.reached.set(move, (this.reached.get(move) ?? 0) + 1);
      this.note(kept, isSaid ? `${event} ${move}` : move);
    }
    checkCommit(this, kept, change);
    kept.payment = change.payment;
    kept.attempt = change.attempt;
    const { payment } = kept;
    for (const posting of change.postings) this.books.post(posting);
    this.#openCases(kept, change);
    if (change.holdEndsAs !== undefined) this.books.end(subjectOf(payment), change.holdEndsAs);
    for (const { announcedState } of change.callbacks) {
      if (isFinal(announcedState)) kept.finalCallbacks += 1;
      announce(this, kept.callbacks);
    }
    if (isFinal(payment.state) && !isFinal(before.state)) {
      this.open.delete(kept);
      demand(kept.finalCallbacks === 1, 'a payment that ends is announced once', kept);
      if (kept.split !== null) advanceSplit(this, kept.split, kept);
    }
    this.#planNext(kept);
  }

  #planNext(kept: Kept): void {
    const { nextAction, state } = kept.payment;
    planStep(this, kept);
    if (state === 'ENQUEUED' && nextAction === null) this.waiting.add(kept);
    else this.waiting.delete(kept);
  }

  /** One case for each evidence: people look when all is over, and a discrepancy is the whole difference. */
  #openCases(kept: Kept, change: Change): void {
    for (const { evidence } of change.cases) {
      if (kept.cases.has(evidence)) continue;
      kept.cases.set(evidence, 'OPEN');
      this.counts.cases += 1;
      const opened = { evidence, caseNo: 1 };
      const posting = this.rules.postingOfCase(kept.payment, opened, this.walletProviderOf(kept));
      if (posting !== null) this.books.post(posting);
    }
  }

  /** An operator's transaction belongs to one payment, the first that claims it. */
  #isTaken(kept: Kept, event: PaymentEvent): boolean {
    const judged = validateEvent(event, kept.payment);
    if (judged.type !== 'OPERATOR_ANSWERED' || judged.outcome.type !== 'COMPLETED') return false;
    const { providerTransactionId } = judged.outcome;
    if (providerTransactionId === undefined) return false;
    const name = `${kept.payment.provider} ${providerTransactionId}`;
    const owner = this.transactions.get(name);
    if (owner === undefined) this.transactions.set(name, kept);
    return owner !== undefined && owner !== kept;
  }

  #factsOf(kept: Kept): DecisionFacts {
    const { paymentId, kind } = kept.payment;
    return {
      now: this.now(),
      timing: kept.operator.facts.timing,
      walletProvider: this.walletProviderOf(kept),
      reference: `${kind}-${paymentId}`,
      evidence: undefined,
    };
  }

  /** For the person who has to understand a payment's life. */
  note(kept: Kept, line: string): void {
    kept.history.push({ atMs: this.#nowMs, line });
  }
}

const TRANSACTION_TAKEN: PaymentEvent = {
  type: 'OPERATOR_ANSWERED',
  outcome: { type: 'UNKNOWN', reason: 'TRANSACTION_TAKEN' },
};
