// How cases may be resolved: every evidence and kind of payment, and what each resolution posts.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameName } from '../../src/domain/approval.ts';
import {
  allowedResolutions,
  amountAtRisk,
  firstLegNoOf,
  openingLegNoOf,
  needsAmount,
  opensDebt,
  RESOLUTIONS,
  resolutionLegs,
  type CaseKind,
  type Resolution,
} from '../../src/domain/reconciliation/cases.ts';
import type { Evidence } from '../../src/domain/payments/lifecycle.ts';
import { parseAmount, renderAmount, type Amount } from '../../src/domain/money.ts';
import { PAYMENT_KINDS, type PaymentKind, type PaymentState } from '../../src/domain/payments/payment.ts';
import {
  lateSuccessOfDeposit,
  lateSuccessOfOutgoing,
  reversalOfDeposit,
  reversalOfOutgoing,
  type Leg,
  type Resolved,
} from '../../src/domain/ledger/postings.ts';
import { accountName, createMemoryLedger, renderLegs, sumsByCurrency } from './memory-ledger.ts';
import { readTextTable } from './text-table.ts';

const EVIDENCE: readonly Evidence[] = ['LATE_SUCCESS', 'LATE_FAILURE', 'DISCREPANCY'];

const amountOf = (text: string): Amount => parseAmount(text)!;

/** A payment of 10,000 RWF at MTN Rwanda, of the merchant "shop" whose wallet has 6,000 available. */
const resolved: Resolved = {
  merchantId: 'shop',
  country: 'RWA',
  currency: 'RWF',
  provider: 'MTN_MOMO_RWA',
  walletProvider: '',
  amount: amountOf('10000'),
  available: amountOf('6000'),
  collected: 0n,
};

describe('what may be done about a case', () => {
  const table = readTextTable(`
    evidence     | kind       | allowed
    LATE_SUCCESS | DEPOSIT    | CREDIT_MERCHANT RETURN_TO_PAYER REVERSE_EVIDENCE
    LATE_SUCCESS | PAYOUT     | RECOVER_FROM_MERCHANT WRITE_OFF REVERSE_EVIDENCE
    LATE_SUCCESS | REFUND     | RECOVER_FROM_MERCHANT WRITE_OFF REVERSE_EVIDENCE
    LATE_SUCCESS | REMITTANCE | RECOVER_FROM_MERCHANT WRITE_OFF REVERSE_EVIDENCE
    LATE_FAILURE | DEPOSIT    | RECOVER_FROM_MERCHANT WRITE_OFF REVERSE_EVIDENCE
    LATE_FAILURE | PAYOUT     | CREDIT_MERCHANT REVERSE_EVIDENCE
    LATE_FAILURE | REFUND     | CREDIT_MERCHANT RETURN_TO_PAYER REVERSE_EVIDENCE
    LATE_FAILURE | REMITTANCE | CREDIT_MERCHANT REVERSE_EVIDENCE
    DISCREPANCY  | DEPOSIT    | CREDIT_MERCHANT RETURN_TO_PAYER RECOVER_FROM_MERCHANT WRITE_OFF
    DISCREPANCY  | PAYOUT     | CREDIT_MERCHANT RECOVER_FROM_MERCHANT WRITE_OFF
    DISCREPANCY  | REFUND     | CREDIT_MERCHANT RETURN_TO_PAYER RECOVER_FROM_MERCHANT WRITE_OFF
    DISCREPANCY  | REMITTANCE | CREDIT_MERCHANT RECOVER_FROM_MERCHANT WRITE_OFF
  `);

  test.each(table)('%s of a %s: %s', (evidence, kind, allowed) => {
    expect(allowedResolutions(caseKind(evidence, kind)).join(' ')).toBe(allowed);
  });

  test('every evidence and kind is in the table', () => {
    expect(table.map(([evidence, kind]) => `${evidence} ${kind}`)).toEqual(
      EVIDENCE.flatMap((evidence) => PAYMENT_KINDS.map((kind) => `${evidence} ${kind}`)),
    );
  });

  test('what is not allowed posts nothing: it throws', () => {
    for (const of of everyCase()) {
      for (const resolution of RESOLUTIONS.filter((one) => !allowedResolutions(of).includes(one))) {
        // People may not request it, but a discrepancy ends so when the file that alone reported it is voided.
        if (of.evidence === 'DISCREPANCY' && resolution === 'REVERSE_EVIDENCE') continue;
        expect(() => resolutionLegs(of, resolution, resolved)).toThrow(resolution);
      }
    }
  });

  test('a discrepancy that ends with its voided file posts nothing, because nothing was posted when it opened', () => {
    for (const of of everyCase().filter(({ evidence }) => evidence === 'DISCREPANCY'))
      expect(resolutionLegs(of, 'REVERSE_EVIDENCE', resolved)).toEqual([]);
  });

  test('only a discrepancy needs a person to say how much it is about', () => {
    expect(EVIDENCE.filter((evidence) => needsAmount({ evidence }))).toEqual(['DISCREPANCY']);
  });

  test('leg numbers of resolutions are apart from each other and from those of settlements and cases', () => {
    const numbered = [1, 2, 12].flatMap((caseNo) => EVIDENCE.map((evidence) => ({ evidence, caseNo })));
    const opening = numbered.filter(({ evidence }) => evidence !== 'DISCREPANCY').map(openingLegNoOf);
    const first = [0, ...opening, ...numbered.map(firstLegNoOf)];
    for (const [index, one] of first.entries()) {
      for (const other of first.slice(index + 1)) expect(Math.abs(one - other)).toBeGreaterThanOrEqual(10);
    }
  });
});

describe('the amount at risk of a case about a payment of 10,000', () => {
  const table = readTextTable(`
    evidence     | kind       | state             | reported | held
    LATE_SUCCESS | DEPOSIT    | FAILED            | -        | 0
    DISCREPANCY  | PAYOUT     | IN_RECONCILIATION | -        | 0
    DISCREPANCY  | PAYOUT     | IN_RECONCILIATION | 9000     | 0
    DISCREPANCY  | PAYOUT     | IN_RECONCILIATION | 50000    | 40000
    LATE_SUCCESS | PAYOUT     | FAILED            | -        | 10000
    LATE_FAILURE | DEPOSIT    | COMPLETED         | -        | 10000
    LATE_FAILURE | PAYOUT     | COMPLETED         | -        | 0
    DISCREPANCY  | DEPOSIT    | IN_RECONCILIATION | 9000     | 0
    DISCREPANCY  | DEPOSIT    | COMPLETED         | -        | 10000
    DISCREPANCY  | DEPOSIT    | COMPLETED         | 9000     | 1000
    DISCREPANCY  | DEPOSIT    | COMPLETED         | 0        | 10000
    DISCREPANCY  | DEPOSIT    | COMPLETED         | 11000    | 0
    DISCREPANCY  | DEPOSIT    | FAILED            | -        | 0
    DISCREPANCY  | DEPOSIT    | FAILED            | 9000     | 0
    DISCREPANCY  | PAYOUT     | COMPLETED         | -        | 10000
    DISCREPANCY  | PAYOUT     | COMPLETED         | 9000     | 0
    DISCREPANCY  | PAYOUT     | COMPLETED         | 11000    | 1000
    DISCREPANCY  | REFUND     | FAILED            | -        | 10000
    DISCREPANCY  | REFUND     | FAILED            | 9000     | 9000
  `);

  test.each(table)('%s of a %s that is %s, reported as %s: %s', (evidence, kind, state, reported, held) => {
    const reportedAmount = reported === '-' ? null : amountOf(reported);
    const found = { ...caseKind(evidence, kind), reportedAmount };
    const payment = { state: state as PaymentState, amount: amountOf('10000') };
    expect(renderAmount(amountAtRisk(found, payment))).toBe(held);
  });

  test.each([
    ['PAYOUT', 'COMPLETED', '50000', '50000'],
    ['PAYOUT', 'COMPLETED', '9000', '9000'],
    ['REFUND', 'COMPLETED', '-', '10000'],
    ['DEPOSIT', 'COMPLETED', '9000', '10000'],
  ] as const)('about another transaction than the one that ended a %s as %s: %s moved, %s held', (...row) => {
    const [kind, state, reported, held] = row;
    const reportedAmount = reported === '-' ? null : amountOf(reported);
    const found = { evidence: 'DISCREPANCY', kind, reportedAmount, providerTransactionId: 'T2' } as const;
    const payment = { state, amount: amountOf('10000'), providerTransactionId: 'T1' };
    expect(renderAmount(amountAtRisk(found, payment))).toBe(held);
  });
});

describe('what a resolution posts', () => {
  test.each<[string, CaseKind, Resolution, string]>([
    [
      'the money of a failed deposit becomes the merchant’s',
      { evidence: 'LATE_SUCCESS', kind: 'DEPOSIT' },
      'CREDIT_MERCHANT',
      'SUSPENSE platform MTN_MOMO_RWA RWA RWF | WALLET shop RWA RWF | 10000',
    ],
    [
      'the money of a failed deposit goes back to its payer, out of our float',
      { evidence: 'LATE_SUCCESS', kind: 'DEPOSIT' },
      'RETURN_TO_PAYER',
      'SUSPENSE platform MTN_MOMO_RWA RWA RWF | FLOAT platform MTN_MOMO_RWA RWA RWF | 10000',
    ],
    [
      'a merchant pays for a failed payout that was sent, as far as its wallet goes, and owes the rest',
      { evidence: 'LATE_SUCCESS', kind: 'PAYOUT' },
      'RECOVER_FROM_MERCHANT',
      `WALLET shop RWA RWF | SUSPENSE platform MTN_MOMO_RWA RWA RWF | 6000
       RECEIVABLE shop RWA RWF | SUSPENSE platform MTN_MOMO_RWA RWA RWF | 4000`,
    ],
    [
      'the platform pays for a failed payout that was sent',
      { evidence: 'LATE_SUCCESS', kind: 'PAYOUT' },
      'WRITE_OFF',
      'WRITE_OFF platform MTN_MOMO_RWA RWA RWF | SUSPENSE platform MTN_MOMO_RWA RWA RWF | 10000',
    ],
    [
      'a merchant pays off what it owes for a deposit taken back; the rest stays owed where it stands',
      { evidence: 'LATE_FAILURE', kind: 'DEPOSIT' },
      'RECOVER_FROM_MERCHANT',
      'WALLET shop RWA RWF | RECEIVABLE shop RWA RWF | 6000',
    ],
    [
      'the platform pays what a merchant owes for a deposit taken back',
      { evidence: 'LATE_FAILURE', kind: 'DEPOSIT' },
      'WRITE_OFF',
      'WRITE_OFF platform MTN_MOMO_RWA RWA RWF | RECEIVABLE shop RWA RWF | 10000',
    ],
    [
      'the money of a payout that came back is the merchant’s again',
      { evidence: 'LATE_FAILURE', kind: 'PAYOUT' },
      'CREDIT_MERCHANT',
      'SUSPENSE platform MTN_MOMO_RWA RWA RWF | WALLET shop RWA RWF | 10000',
    ],
    [
      'the money of a refund that came back is sent to its payer in another way',
      { evidence: 'LATE_FAILURE', kind: 'REFUND' },
      'RETURN_TO_PAYER',
      'SUSPENSE platform MTN_MOMO_RWA RWA RWF | FLOAT platform MTN_MOMO_RWA RWA RWF | 10000',
    ],
    [
      'an operator has more than our books say: the merchant gets it',
      { evidence: 'DISCREPANCY', kind: 'DEPOSIT' },
      'CREDIT_MERCHANT',
      'FLOAT platform MTN_MOMO_RWA RWA RWF | WALLET shop RWA RWF | 10000',
    ],
    [
      'an operator has more than our books say: it came, and it goes back to its payer',
      { evidence: 'DISCREPANCY', kind: 'DEPOSIT' },
      'RETURN_TO_PAYER',
      `FLOAT platform MTN_MOMO_RWA RWA RWF | SUSPENSE platform MTN_MOMO_RWA RWA RWF | 10000
       SUSPENSE platform MTN_MOMO_RWA RWA RWF | FLOAT platform MTN_MOMO_RWA RWA RWF | 10000`,
    ],
    [
      'an operator has less than our books say: the merchant pays, and owes the rest',
      { evidence: 'DISCREPANCY', kind: 'PAYOUT' },
      'RECOVER_FROM_MERCHANT',
      `WALLET shop RWA RWF | FLOAT platform MTN_MOMO_RWA RWA RWF | 6000
       RECEIVABLE shop RWA RWF | FLOAT platform MTN_MOMO_RWA RWA RWF | 4000`,
    ],
    [
      'an operator has less than our books say: the platform pays',
      { evidence: 'DISCREPANCY', kind: 'PAYOUT' },
      'WRITE_OFF',
      'WRITE_OFF platform MTN_MOMO_RWA RWA RWF | FLOAT platform MTN_MOMO_RWA RWA RWF | 10000',
    ],
    [
      'A10: the operator takes back its word about a failed deposit',
      { evidence: 'LATE_SUCCESS', kind: 'DEPOSIT' },
      'REVERSE_EVIDENCE',
      'SUSPENSE platform MTN_MOMO_RWA RWA RWF | FLOAT platform MTN_MOMO_RWA RWA RWF | 10000',
    ],
    [
      'A10: the operator takes back its word about a failed payout',
      { evidence: 'LATE_SUCCESS', kind: 'PAYOUT' },
      'REVERSE_EVIDENCE',
      'FLOAT platform MTN_MOMO_RWA RWA RWF | SUSPENSE platform MTN_MOMO_RWA RWA RWF | 10000',
    ],
    [
      'A10: the operator takes back its reversal of a deposit',
      { evidence: 'LATE_FAILURE', kind: 'DEPOSIT' },
      'REVERSE_EVIDENCE',
      'FLOAT platform MTN_MOMO_RWA RWA RWF | RECEIVABLE shop RWA RWF | 10000',
    ],
    [
      'A10: the operator takes back its reversal of a payout',
      { evidence: 'LATE_FAILURE', kind: 'PAYOUT' },
      'REVERSE_EVIDENCE',
      'SUSPENSE platform MTN_MOMO_RWA RWA RWF | FLOAT platform MTN_MOMO_RWA RWA RWF | 10000',
    ],
  ])('%s', (_title, of, resolution, table) => {
    const expected = readTextTable(`debit | credit | amount\n${table}`);
    expect(renderLegs(resolutionLegs(of, resolution, resolved))).toEqual(expected);
  });

  test('a merchant with an empty wallet owes everything; one with enough owes nothing', () => {
    const of = caseKind('LATE_SUCCESS', 'PAYOUT');
    const debitsWith = (available: string) =>
      resolutionLegs(of, 'RECOVER_FROM_MERCHANT', { ...resolved, available: amountOf(available) }).map(
        ({ debit, amount }) => `${debit.type} ${renderAmount(amount)}`,
      );
    expect(debitsWith('0')).toEqual(['RECEIVABLE 10000']);
    expect(debitsWith('10000')).toEqual(['WALLET 10000']);
    expect(debitsWith('10000.5')).toEqual(['WALLET 10000']);
  });

  test('a merchant who keeps one wallet per provider pays from that one, and owes beside it', () => {
    const of = caseKind('LATE_SUCCESS', 'PAYOUT');
    const own = { ...resolved, walletProvider: 'MTN_MOMO_RWA' };
    const debits = resolutionLegs(of, 'RECOVER_FROM_MERCHANT', own).map(({ debit }) => accountName(debit));
    expect(debits).toEqual(['WALLET shop MTN_MOMO_RWA RWA RWF', 'RECEIVABLE shop MTN_MOMO_RWA RWA RWF']);
  });

  test('A10: what was collected for a reversal goes back to the wallet when the operator takes it back', () => {
    const of = caseKind('LATE_FAILURE', 'DEPOSIT');
    const partlyPaid = { ...resolved, collected: amountOf('7000') };
    expect(renderLegs(resolutionLegs(of, 'REVERSE_EVIDENCE', partlyPaid))).toEqual(
      readTextTable(`debit | credit | amount
        FLOAT platform MTN_MOMO_RWA RWA RWF | RECEIVABLE shop RWA RWF | 10000
        RECEIVABLE shop RWA RWF | WALLET shop RWA RWF | 7000`),
    );
  });

  test('A10: what later credits have paid of a reversed deposit is not recovered again', () => {
    const of = caseKind('LATE_FAILURE', 'DEPOSIT');
    const partlyPaid = { ...resolved, collected: amountOf('7000') };
    expect(renderLegs(resolutionLegs(of, 'RECOVER_FROM_MERCHANT', partlyPaid))).toEqual(
      readTextTable('debit | credit | amount\nWALLET shop RWA RWF | RECEIVABLE shop RWA RWF | 3000'),
    );
  });

  test('M10: what was collected for a reversal goes back to the wallet when the platform writes it off', () => {
    const of = caseKind('LATE_FAILURE', 'DEPOSIT');
    const partlyPaid = { ...resolved, collected: amountOf('7000') };
    expect(renderLegs(resolutionLegs(of, 'WRITE_OFF', partlyPaid))).toEqual(
      readTextTable(`debit | credit | amount
        WRITE_OFF platform MTN_MOMO_RWA RWA RWF | RECEIVABLE shop RWA RWF | 10000
        RECEIVABLE shop RWA RWF | WALLET shop RWA RWF | 7000`),
    );
  });

  test('a discrepancy that comes to nothing posts nothing', () => {
    for (const of of everyCase().filter(needsAmount)) {
      for (const resolution of allowedResolutions(of)) {
        expect(resolutionLegs(of, resolution, { ...resolved, amount: 0n })).toEqual([]);
      }
    }
  });
});

describe('every resolution of every case', () => {
  const anyResolved: fc.Arbitrary<Resolved> = fc
    .record({
      merchantId: fc.constantFrom('shop', 'school'),
      country: fc.constantFrom('RWA', 'COD'),
      currency: fc.constantFrom('RWF', 'USD'),
      provider: fc.constantFrom('MTN_MOMO_RWA', 'AIRTEL_COD'),
      walletProvider: fc.constantFrom('', 'MTN_MOMO_RWA'),
      amount: fc.bigInt({ min: 1n, max: 10n ** 22n - 1n }),
      available: fc.bigInt({ min: 0n, max: 10n ** 22n - 1n }),
      collectedParts: fc.bigInt({ min: 0n, max: 10_000n }),
    })
    .map(({ collectedParts, ...facts }) => ({
      ...facts,
      collected: (facts.amount * collectedParts) / 10_000n,
    }));
  const anyResolution = fc
    .tuple(fc.constantFrom(...everyCase()), fc.nat(4), anyResolved)
    .map(([of, index, facts]) => {
      const allowed = allowedResolutions(of);
      const resolution = allowed[index % allowed.length]!;
      return { of, resolution, facts, legs: resolutionLegs(of, resolution, facts) };
    });

  test('sums to zero, with transfers the ledger takes: above zero, between two accounts of one place', () => {
    check(anyResolution, ({ facts, legs }) => {
      for (const sum of sumsByCurrency(legs).values()) expect(sum).toBe(0n);
      for (const { debit, credit, amount } of legs) {
        expect(amount > 0n).toBe(true);
        expect(accountName(debit)).not.toBe(accountName(credit));
        const { country, currency } = facts;
        for (const account of [debit, credit]) expect(account).toMatchObject({ country, currency });
      }
    });
  });

  test('never takes more from a wallet than it has', () => {
    check(anyResolution, ({ facts, legs }) => {
      const taken = legs
        .filter(({ debit }) => debit.type === 'WALLET')
        .reduce((sum, leg) => sum + leg.amount, 0n);
      expect(taken <= facts.available).toBe(true);
    });
  });

  test('every resolution of every case leaves nothing in suspense of what its case put there', () => {
    check(anyResolution, ({ of, facts, legs }) => {
      const ledger = createMemoryLedger();
      ledger.post(openingOf(of, facts));
      ledger.post(legs);
      for (const [name, balance] of ledger.balances()) {
        if (name.startsWith('SUSPENSE')) expect(balance).toBe(0n);
      }
    });
  });

  test('M10: every resolution of a reversed deposit leaves the merchant with nothing owed, or recovers all it can', () => {
    check(anyResolution, ({ of, resolution, facts, legs }) => {
      if (!opensDebt(of)) return;
      const ledger = createMemoryLedger();
      ledger.post(openingOf(of, facts));
      const wallet = { ...claimOf(facts), type: 'WALLET' } as const;
      ledger.post([{ debit: wallet, credit: claimOf(facts), amount: facts.collected }]);
      ledger.post(legs);
      const balances = new Map(
        [...ledger.balances()].map(([name, balance]) => [name.split(' ')[0], balance]),
      );
      const owed = -(balances.get('RECEIVABLE') ?? 0n);
      const paid = -(balances.get('WALLET') ?? 0n);
      const left = facts.amount - facts.collected;
      const recovered = resolution === 'RECOVER_FROM_MERCHANT';
      expect(owed).toBe(recovered && left > facts.available ? left - facts.available : 0n);
      expect(paid + owed).toBe(recovered ? facts.amount : 0n);
      expect(-(balances.get('WRITE_OFF') ?? 0n)).toBe(resolution === 'WRITE_OFF' ? facts.amount : 0n);
    });
  });
});

function claimOf({ merchantId, country, currency, walletProvider: provider }: Resolved) {
  return { type: 'RECEIVABLE', merchantId, country, currency, provider } as const;
}

test.each([
  ['Ana', 'Ana', true],
  ['Ana', ' ana ', true],
  ['Ana', 'Ben', false],
])('%s and %s are one person: %s', (one, other, isSame) => {
  expect(isSameName(one, other)).toBe(isSame);
});

function caseKind(evidence: string | undefined, kind: string | undefined): CaseKind {
  return { evidence: evidence as Evidence, kind: kind as PaymentKind };
}

function everyCase(): readonly CaseKind[] {
  return EVIDENCE.flatMap((evidence) => PAYMENT_KINDS.map((kind) => ({ evidence, kind })));
}

/** What was posted when the case was opened. */
function openingOf({ evidence, kind }: CaseKind, facts: Resolved): readonly Leg[] {
  const posted = { ...facts, fee: 0n };
  switch (evidence) {
    case 'LATE_SUCCESS':
      return kind === 'DEPOSIT' ? lateSuccessOfDeposit(posted) : lateSuccessOfOutgoing(posted);
    case 'LATE_FAILURE':
      return kind === 'DEPOSIT' ? reversalOfDeposit(posted) : reversalOfOutgoing(posted);
    case 'DISCREPANCY':
      return [];
  }
}

function check<Value>(arbitrary: fc.Arbitrary<Value>, rule: (value: Value) => void): void {
  fc.assert(fc.property(arbitrary, rule), { numRuns: 1_000 });
}
