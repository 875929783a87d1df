// Random lives of a deposit through the lifecycle and the posting templates together. What must come out is told a
// second time below, from the events alone and without asking the lifecycle.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isFinal,
  transition,
  type Evidence,
  type PaymentEvent,
  type Transition,
} from '../../src/domain/payments/lifecycle.ts';
import { shareOf, type Amount } from '../../src/domain/money.ts';
import {
  validateOutcome,
  type Asked,
  type Outcome,
  type UnknownReason,
} from '../../src/domain/payments/outcome.ts';
import type { PaymentState } from '../../src/domain/payments/payment.ts';
import {
  lateSuccessOfDeposit,
  reversalOfDeposit,
  settleDeposit,
  type Leg,
  type Posted,
} from '../../src/domain/ledger/postings.ts';
import { arbitraryEvent } from './arbitrary-event.ts';
import {
  accountName,
  createMemoryLedger,
  sumOfTransfers,
  sumsByCurrency,
  type MemoryLedger,
} from './memory-ledger.ts';

/** Measured: all rules together take about 5 s on two cores. */
const LIVES = 10_000;

/** One event and what it did. */
type Step = {
  readonly from: PaymentState;
  readonly to: PaymentState;
  readonly answer: Transition;
  readonly posted: readonly Leg[];
};

type Life = {
  readonly deposit: Posted;
  readonly events: readonly PaymentEvent[];
  readonly state: PaymentState;
  readonly cases: ReadonlySet<Evidence>;
  readonly steps: readonly Step[];
  readonly ledger: MemoryLedger;
};

const CASE_POSTINGS: Readonly<Record<Evidence, (deposit: Posted) => readonly Leg[]>> = {
  LATE_SUCCESS: lateSuccessOfDeposit,
  LATE_FAILURE: reversalOfDeposit,
  // What was moved is not what we asked for, so no one knows yet what to post.
  DISCREPANCY: () => [],
};

const ACCOUNTS = {
  wallet: 'WALLET shop RWA RWF',
  receivable: 'RECEIVABLE shop RWA RWF',
  float: 'FLOAT platform MTN_MOMO_RWA RWA RWF',
  fee: 'FEE platform MTN_MOMO_RWA RWA RWF',
  suspense: 'SUSPENSE platform MTN_MOMO_RWA RWA RWF',
} as const;

const PHONE_NUMBER = '250783456789';

const anyDeposit: fc.Arbitrary<Posted> = fc
  .record({
    units: fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }),
    decimals: fc.constantFrom(0, 2),
    basisPoints: fc.oneof(fc.bigInt({ min: 0n, max: 500n }), fc.constantFrom(0n, 10_000n)),
  })
  .map(({ units, decimals, basisPoints }) => {
    const amount = units * (decimals === 0 ? 10_000n : 100n);
    return {
      merchantId: 'shop',
      country: 'RWA',
      currency: 'RWF',
      provider: 'MTN_MOMO_RWA',
      walletProvider: '',
      amount,
      fee: shareOf(amount, { basisPoints, decimals }),
    };
  });

const anyLife = anyDeposit.chain((deposit) =>
  fc
    .array(arbitraryEvent(askedOf(deposit)), { maxLength: 24, size: 'max' })
    .map((events) => live(deposit, events)),
);

describe(`in ${LIVES} random lives of a deposit`, { timeout: 60_000 }, () => {
  test('final is final: after COMPLETED or FAILED the state never changes', () => {
    forEveryLife(({ steps }) => {
      expect(steps.filter(({ from, to }) => isFinal(from) && to !== from)).toEqual([]);
    });
  });

  test('every posting sums to zero in each currency, and so do the books', () => {
    forEveryLife(({ steps, ledger }) => {
      for (const { posted } of steps) for (const sum of sumsByCurrency(posted).values()) expect(sum).toBe(0n);
      expect([...ledger.balances().values()].reduce((total, balance) => total + balance, 0n)).toBe(0n);
    });
  });

  test('the balance of each account is the sum of its transfers', () => {
    forEveryLife(({ ledger }) => {
      for (const [name, balance] of ledger.balances()) {
        expect(balance).toBe(sumOfTransfers(ledger.transfers(), name));
      }
    });
  });

  test('the wallet grows once, by the amount less the fee, if and only if the deposit ends COMPLETED', () => {
    forEveryLife(({ deposit, state, ledger }) => {
      const growth = ledger
        .transfers()
        .filter((leg) => accountName(leg.credit) === ACCOUNTS.wallet)
        .map((leg) => leg.amount);
      const net = deposit.amount - deposit.fee;
      expect(growth).toEqual(state === 'COMPLETED' && net > 0n ? [net] : []);
      expect(ledger.transfers().some((leg) => accountName(leg.debit) === ACCOUNTS.wallet)).toBe(false);
    });
  });

  test('a contradiction changes no state, and posts its own template once', () => {
    forEveryLife(({ deposit, steps }) => {
      for (const [index, { from, to, answer, posted }] of steps.entries()) {
        if (answer.type !== 'CONTRADICTION') continue;
        const { evidence } = answer;
        const isRepeat = steps.slice(0, index).some((earlier) => evidenceIn(earlier.answer) === evidence);
        expect(to).toBe(from);
        expect(posted).toEqual(isRepeat ? [] : CASE_POSTINGS[evidence](deposit));
        if (evidence === 'LATE_SUCCESS') expect(from).toBe('FAILED');
        if (evidence === 'LATE_FAILURE') expect(from).toBe('COMPLETED');
      }
    });
  });

  test('money is posted by a settlement or a contradiction, and by nothing else', () => {
    forEveryLife(({ steps }) => {
      for (const { to, answer, posted } of steps) {
        if (posted.length === 0) continue;
        expect(answer.type === 'CONTRADICTION' || (answer.type === 'MOVE' && to === 'COMPLETED')).toBe(true);
      }
    });
  });

  test('state, cases and all balances are what the events alone say they must be', () => {
    forEveryLife((life) => {
      const expected = tellFromEvents(life.deposit, life.events);
      expect(life.state).toBe(expected.state);
      expect([...life.cases].toSorted()).toEqual(expected.cases);
      for (const [account, balance] of Object.entries(expected.balances)) {
        expect([account, life.ledger.balances().get(account) ?? 0n]).toEqual([account, balance]);
      }
    });
  });

  test('every kind of end and of contradiction is among them, so that the rules above are about something', () => {
    const counts = new Map<string, number>();
    const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
    forEveryLife(({ state, cases }) => {
      count(state);
      for (const evidence of cases) count(evidence);
    });
    for (const name of ['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED']) {
      expect([name, (counts.get(name) ?? 0) > LIVES / 100]).toEqual([name, true]);
    }
    for (const evidence of Object.keys(CASE_POSTINGS)) {
      expect([evidence, (counts.get(evidence) ?? 0) > LIVES / 100]).toEqual([evidence, true]);
    }
  });
});

function forEveryLife(rule: (life: Life) => void): void {
  fc.assert(fc.property(anyLife, rule), { numRuns: LIVES });
}

/** What core does with each event, without a database: ask, write down the answer, post. */
function live(deposit: Posted, events: readonly PaymentEvent[]): Life {
  const ledger = createMemoryLedger();
  const cases = new Set<Evidence>();
  const steps: Step[] = [];
  let state: PaymentState = 'ACCEPTED';
  for (const event of events) {
    const answer = transition(state, judged(event, deposit));
    const posted = postingsOf(answer, { deposit, cases });
    ledger.post(posted);
    const evidence = evidenceIn(answer);
    if (evidence !== undefined) cases.add(evidence);
    const to: PaymentState = answer.type === 'MOVE' ? answer.to : state;
    steps.push({ from: state, to, answer, posted });
    state = to;
  }
  return { deposit, events, state, cases, steps, ledger };
}

function evidenceIn(answer: Transition): Evidence | undefined {
  return answer.type === 'NOTHING' ? undefined : answer.evidence;
}

/** A repeat of the same evidence is the same case, and is not posted again. */
function postingsOf(
  answer: Transition,
  { deposit, cases }: { deposit: Posted; cases: ReadonlySet<Evidence> },
): readonly Leg[] {
  switch (answer.type) {
    case 'NOTHING':
      return [];
    case 'MOVE':
      return answer.posting === 'SETTLE' ? settleDeposit(deposit) : [];
    case 'CONTRADICTION':
      return cases.has(answer.evidence) ? [] : CASE_POSTINGS[answer.evidence](deposit);
  }
}

function judged(event: PaymentEvent, deposit: Posted): PaymentEvent {
  if (event.type !== 'OPERATOR_ANSWERED') return event;
  return { ...event, outcome: validateOutcome(event.outcome, askedOf(deposit)) };
}

function askedOf(deposit: Posted): Asked {
  return { amount: deposit.amount, currency: deposit.currency, phoneNumber: PHONE_NUMBER };
}

type Told = {
  readonly state: PaymentState;
  readonly cases: readonly Evidence[];
  readonly balances: Readonly<Record<string, Amount>>;
};

/**
 * The same story from its events: nothing counts before the claim; the first decisive answer after it is the end; what
 * the operator says against that end, or says it moved instead of what we asked for, is a case.
 */
function tellFromEvents(deposit: Posted, events: readonly PaymentEvent[]): Told {
  const claimedAt = events.findIndex((event) => event.type === 'SUBMIT_CLAIMED');
  const sinceClaim = claimedAt < 0 ? [] : events.slice(claimedAt + 1);
  const verdicts = sinceClaim.map((event) => verdictOf(event, askedOf(deposit)));
  const end = verdicts.find((verdict) => verdict === 'COMPLETED' || verdict === 'FAILED');
  const doubted = sinceClaim.some((event) => event.type === 'HORIZON_PASSED') || verdicts.includes('DIFFERS');
  const open = claimedAt < 0 ? 'ACCEPTED' : doubted ? 'IN_RECONCILIATION' : 'PROCESSING';
  const state = end ?? open;
  const cases = casesOf(state, verdicts);
  return { state, cases, balances: tellBalances(deposit, { state, cases }) };
}

/** The first decisive answer is the end itself, so any opposite one there is must have come after it. */
function casesOf(state: PaymentState, verdicts: readonly Verdict[]): readonly Evidence[] {
  const cases: Evidence[] = [];
  if (verdicts.includes('DIFFERS')) cases.push('DISCREPANCY');
  if (state === 'COMPLETED' && verdicts.includes('FAILED')) cases.push('LATE_FAILURE');
  if (state === 'FAILED' && verdicts.includes('COMPLETED')) cases.push('LATE_SUCCESS');
  return cases;
}

function tellBalances(
  { amount, fee }: Posted,
  { state, cases }: { state: PaymentState; cases: readonly Evidence[] },
): Readonly<Record<string, Amount>> {
  const settled = state === 'COMPLETED' ? amount : 0n;
  const reversed = cases.includes('LATE_FAILURE') ? amount : 0n;
  const stranded = cases.includes('LATE_SUCCESS') ? amount : 0n;
  return {
    [ACCOUNTS.wallet]: state === 'COMPLETED' ? amount - fee : 0n,
    [ACCOUNTS.fee]: state === 'COMPLETED' ? fee : 0n,
    [ACCOUNTS.float]: reversed - settled - stranded,
    [ACCOUNTS.receivable]: -reversed,
    [ACCOUNTS.suspense]: stranded,
  };
}

const DIFFERENCES: ReadonlySet<UnknownReason> = new Set([
  'AMOUNT_DIFFERS',
  'CURRENCY_DIFFERS',
  'PARTY_DIFFERS',
  'TRANSACTION_TAKEN',
  'SECOND_TRANSACTION',
]);

type Verdict = 'COMPLETED' | 'FAILED' | 'DIFFERS' | 'UNDECIDED';

function verdictOf(event: PaymentEvent, asked: Asked): Verdict {
  return event.type === 'OPERATOR_ANSWERED' ? verdictOfOutcome(event.outcome, asked) : 'UNDECIDED';
}

function verdictOfOutcome(outcome: Outcome, asked: Asked): Verdict {
  if (outcome.type === 'FAILED') return 'FAILED';
  if (outcome.type === 'UNKNOWN') return DIFFERENCES.has(outcome.reason) ? 'DIFFERS' : 'UNDECIDED';
  if (outcome.type !== 'COMPLETED') return 'UNDECIDED';
  const { amount, currency, phoneNumber } = { ...asked, ...outcome.moved };
  const same = amount === asked.amount && currency === asked.currency && phoneNumber === asked.phoneNumber;
  return same ? 'COMPLETED' : 'DIFFERS';
}
