// An operator with books of its own. It takes orders up late, loses answers, answers late or with errors, says "not
// found" of what it has not indexed yet, changes its mind, charges twice by itself, moves another amount, and reports
// another payment's transaction. What it says with its signature is what its books say at that moment.
import type { PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import type { Amount } from '../../src/domain/money.ts';
import type { Outcome, UnknownReason } from '../../src/domain/payments/outcome.ts';
import type { Attempt } from '../../src/store/payments/attempts.ts';
import { announceSurely, notify } from './notifications.ts';
import type { OperatorFacts } from './providers.ts';
import { demand } from './violation.ts';
import type { Kept, World } from './world.ts';

const FATES = {
  COMPLETES: 66,
  FAILS: 15,
  STAYS_PENDING: 4,
  FAILS_THEN_COMPLETES: 4,
  COMPLETES_THEN_REVERSES: 4,
  CHARGES_TWICE: 3,
  DIFFERS: 3,
  REPORTS_ANOTHERS_TRANSACTION: 1,
} as const;

export type Fate = keyof typeof FATES;

/** What the operator knows of one reference. */
export type Entry = {
  readonly kept: Kept;
  readonly fate: Fate;
  state: 'PENDING' | 'COMPLETED' | 'FAILED';
  /** Grows with every change of the state. */
  version: number;
  readonly visibleAtMs: number;
  readonly amount: Amount;
  transactionId: string;
  /** What it moved for us: above zero into the float, below zero out of it. */
  moved: Amount;
  charges: number;
  hasSaidCompleted: boolean;
  hasSaidFailed: boolean;
  /** We believed a statement that was no longer true when it reached us. */
  wasHeardLate: boolean;
  readonly redirects: boolean;
};

/** `version` is that of the entry the answer tells of; absent where it tells of none. */
export type Answer = { readonly outcome: Outcome; readonly version?: number };

/** Longer than every horizon. */
const STUCK_MS = 90 * 60_000;

const NO_ANSWER: Answer = { outcome: { type: 'UNKNOWN', reason: 'NO_ANSWER' } };
const UNKNOWN_REASONS: readonly UnknownReason[] = ['OPERATOR_ERROR', 'UNMAPPED_CODE', 'UNREADABLE_ANSWER'];

export class Operator {
  readonly facts: OperatorFacts;
  readonly entries = new Map<string, Entry>();
  readonly #world: World;
  #transactionCount = 0;

  constructor(world: World, facts: OperatorFacts) {
    this.#world = world;
    this.facts = facts;
  }

  /** A request on its way. From the write until it can be found, no more passes than "not seen" allows for. */
  submit(kept: Kept, attempt: Attempt, onAnswer: (answer: Answer) => void): void {
    const world = this.#world;
    const { timeoutMs } = this.facts.timing;
    if (world.fault(0.02)) {
      world.after(timeoutMs, () => onAnswer(NO_ANSWER));
      return;
    }
    const wayMs = world.fault(0.05) ? world.random.between(0, timeoutMs) : world.random.between(5, 300);
    kept.flying += 1;
    world.after(wayMs, () => {
      kept.flying -= 1;
      const entry = this.#arrive(kept, attempt);
      this.#answer(timeoutMs - wayMs, tell(entry), onAnswer);
    });
  }

  query(kept: Kept, onAnswer: (answer: Answer) => void): void {
    const world = this.#world;
    const { timeoutMs } = this.facts.timing;
    const entry = world.entryOf(kept);
    const isFound = entry !== undefined && entry.visibleAtMs <= world.nowMs();
    this.#answer(timeoutMs, isFound ? tell(entry) : { outcome: { type: 'NOT_SEEN' } }, onAnswer);
  }

  /** Called in the write path: whether what is believed now is still so. */
  heard(kept: Kept, event: PaymentEvent, version: number): void {
    const entry = this.#world.entryOf(kept);
    if (entry === undefined || event.type !== 'OPERATOR_ANSWERED' || entry.version === version) return;
    if (event.outcome.type === 'COMPLETED' || event.outcome.type === 'FAILED') entry.wasHeardLate = true;
  }

  /** A person has the operator give money back, as a case was resolved. */
  giveBack(entry: Entry, amount: Amount): void {
    entry.moved -= amount;
  }

  #answer(timeoutMs: number, answer: Answer, onAnswer: (answer: Answer) => void): void {
    const world = this.#world;
    if (world.fault(0.06)) {
      world.after(timeoutMs, () => onAnswer(NO_ANSWER));
      return;
    }
    if (world.fault(0.04)) {
      const reason = world.random.pick(UNKNOWN_REASONS);
      world.after(world.random.between(20, 500), () => onAnswer({ outcome: { type: 'UNKNOWN', reason } }));
      return;
    }
    const wayMs = world.fault(0.05)
      ? world.random.between(0, Math.max(timeoutMs, 1))
      : world.random.between(5, 400);
    world.after(Math.min(wayMs, timeoutMs), () => onAnswer(wayMs < timeoutMs ? answer : NO_ANSWER));
  }

  #arrive(kept: Kept, attempt: Attempt): Entry {
    const known = this.entries.get(attempt.reference);
    this.#world.note(kept, known === undefined ? 'taken up by the operator' : 'reached the operator again');
    if (known !== undefined) {
      demand(this.facts.repeatedSubmit === 'HARMLESS', 'no payer is charged twice', kept);
      return known;
    }
    demand(kept.payment.state !== 'FAILED', 'a payment is FAILED only once no payer can be charged', kept);
    const entry = this.#newEntry(kept);
    this.entries.set(attempt.reference, entry);
    this.#begin(entry);
    return entry;
  }

  #newEntry(kept: Kept): Entry {
    const world = this.#world;
    const { notSeenAfterMs, sendDeadlineMs, timeoutMs } = this.facts.timing;
    const lagMs = notSeenAfterMs - sendDeadlineMs - timeoutMs;
    const { amount } = kept.payment;
    const fate = world.isCalm ? 'COMPLETES' : world.random.weighted(FATES);
    const moves = fate === 'DIFFERS' ? amount + 10_000n : amount;
    return {
      kept,
      fate,
      state: 'PENDING',
      version: 0,
      visibleAtMs: world.nowMs() + (world.fault(0.3) ? world.random.between(0, lagMs) : 0),
      amount: moves,
      transactionId: '',
      moved: 0n,
      charges: 0,
      hasSaidCompleted: false,
      hasSaidFailed: false,
      wasHeardLate: false,
      redirects: kept.payment.kind === 'DEPOSIT' && world.random.chance(0.05),
    };
  }

  #begin(entry: Entry): void {
    const { random } = this.#world;
    const soonMs = random.chance(0.3) ? 0 : random.between(500, 40_000);
    const laterMs = soonMs + random.between(1_000, 900_000);
    const plan = (delayMs: number, run: () => void) => {
      if (delayMs === 0) run();
      else this.#world.after(delayMs, run);
    };
    switch (entry.fate) {
      case 'COMPLETES':
      case 'DIFFERS':
      case 'REPORTS_ANOTHERS_TRANSACTION':
        return plan(soonMs, () => this.#charge(entry));
      case 'FAILS':
        return plan(soonMs, () => this.#end(entry, 'FAILED'));
      case 'STAYS_PENDING':
        return plan(STUCK_MS, () => this.#charge(entry));
      case 'FAILS_THEN_COMPLETES':
        plan(soonMs, () => this.#end(entry, 'FAILED'));
        return plan(laterMs, () => this.#charge(entry));
      case 'COMPLETES_THEN_REVERSES':
        plan(soonMs, () => this.#charge(entry));
        return plan(laterMs, () => {
          entry.moved = 0n;
          this.#end(entry, 'FAILED');
        });
      case 'CHARGES_TWICE':
        plan(soonMs, () => this.#charge(entry));
        return plan(laterMs, () => this.#charge(entry));
    }
  }

  #charge(entry: Entry): void {
    const { kind } = entry.kept.payment;
    entry.moved += kind === 'DEPOSIT' ? entry.amount : -entry.amount;
    entry.charges += 1;
    const transactionId = this.#transactionIdFor(entry);
    if (entry.charges === 1) entry.transactionId = transactionId;
    this.#end(entry, 'COMPLETED', transactionId);
  }

  #end(entry: Entry, state: Entry['state'], transactionId = entry.transactionId): void {
    const isFirst = entry.state === 'PENDING';
    if (entry.state !== state) entry.version += 1;
    entry.state = state;
    this.#world.note(entry.kept, `${state} in the operator's books`);
    const answer = tell(entry, transactionId);
    // What comes after an end, or is one of two, is told until it is heard; it would not be asked for again.
    const isSure = !isFirst || entry.fate === 'CHARGES_TWICE';
    if (isSure) announceSurely(this.#world, entry.kept, answer);
    else notify(this.#world, entry.kept, answer);
  }

  #transactionIdFor(entry: Entry): string {
    this.#transactionCount += 1;
    const own = `T${this.#transactionCount}`;
    if (entry.fate !== 'REPORTS_ANOTHERS_TRANSACTION') return own;
    const { provider } = entry.kept.payment;
    const others = this.#world.payments.slice(-50).flatMap((kept) => {
      const other = kept.payment.provider === provider ? this.#world.entryOf(kept) : undefined;
      return other === undefined || other === entry || other.transactionId === '' ? [] : other.transactionId;
    });
    return others.length === 0 ? own : this.#world.random.pick(others);
  }
}

/** What the operator's books say at this moment, in our words. */
function tell(entry: Entry, transactionId = entry.transactionId): Answer {
  const { version, amount, redirects } = entry;
  switch (entry.state) {
    case 'PENDING':
      return {
        version,
        outcome: { type: 'PENDING', ...(redirects ? { authorizationUrl: 'https://pay.example' } : {}) },
      };
    case 'COMPLETED': {
      entry.hasSaidCompleted = true;
      const { currency } = entry.kept.payment;
      const moved = { amount, currency };
      return { version, outcome: { type: 'COMPLETED', providerTransactionId: transactionId, moved } };
    }
    case 'FAILED':
      entry.hasSaidFailed = true;
      return { version, outcome: { type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' } };
  }
}
