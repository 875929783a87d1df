import { describe, expect, test } from 'vitest';
import type { OperatorContext } from '../../src/connectors/operator.ts';
import type { Connector, OperationFacts } from '../../src/connectors/port.ts';
import { OPERATORS } from '../../src/connectors/registry.ts';
import { holdAfterRestore, listBlind } from '../../src/core/payments/process/hold-after-restore.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import type { Recovery } from '../../src/domain/recovery.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const BEFORE = new Date('2026-03-01T11:00:00Z');
const AFTER = new Date('2026-03-01T13:00:00Z');

const OPEN: Recovery = {
  lostFrom: new Date('2026-01-01T00:00:00Z'),
  begunAt: NOON,
  isHolding: false,
  isOpen: true,
  resumedProviders: new Set(),
};

const ASKED = { reference: { chosenBy: 'OURS', shape: 'TOKEN' }, repeatedSubmit: 'CHARGES_AGAIN' } as const;
const THEIRS = { ...ASKED, reference: { chosenBy: 'THEIRS', shape: 'TOKEN' } } as const;

function claim(
  recovery: Recovery | null,
  createdAt: Date,
  facts: Omit<OperationFacts, 'timing'> = ASKED,
): string {
  const connector = { ...facts, timing: {}, query: () => undefined } as unknown as Connector;
  const payment = { kind: 'PAYOUT', provider: 'MTN_MOMO_RWA', createdAt } as const;
  return holdAfterRestore({ type: 'SUBMIT_CLAIMED' }, payment, { connector, recovery }).type;
}

describe('a claim', () => {
  test('a claim is one where the database was never restored', () => {
    expect(claim(null, BEFORE)).toBe('SUBMIT_CLAIMED');
  });

  test('of a payment from before is held, also when all is over, and whatever the operator recognises', () => {
    for (const recovery of [OPEN, { ...OPEN, isOpen: false }])
      for (const createdAt of [BEFORE, NOON])
        for (const facts of [ASKED, THEIRS, { ...THEIRS, repeatedSubmit: 'HARMLESS' } as const])
          expect(claim(recovery, createdAt, facts)).toBe('SUBMIT_HELD');
  });

  test('of a payment made since is held until all is over, everywhere or at its provider', () => {
    expect(claim(OPEN, AFTER)).toBe('SUBMIT_HELD');
    expect(claim({ ...OPEN, resumedProviders: new Set(['MTN_MOMO_ZMB']) }, AFTER)).toBe('SUBMIT_HELD');
    expect(claim({ ...OPEN, resumedProviders: new Set(['MTN_MOMO_RWA']) }, AFTER)).toBe('SUBMIT_CLAIMED');
    expect(claim({ ...OPEN, isOpen: false }, AFTER)).toBe('SUBMIT_CLAIMED');
  });

  test.each([
    ['picks the only reference', THEIRS],
    ['never says "not seen"', { ...ASKED, neverSaysNotSeen: true } as const],
  ])('at an operator that %s is held, unless it recognises repeats', (_habit, facts) => {
    expect(claim(OPEN, AFTER, facts)).toBe('SUBMIT_HELD');
    expect(claim(OPEN, AFTER, { ...facts, repeatedSubmit: 'HARMLESS' })).toBe('SUBMIT_CLAIMED');
  });
});

test('of our connectors, these leave no way to know whether a lost payment was made', () => {
  // Making a connector calls nothing, so it needs nothing yet.
  const made = Object.entries(OPERATORS).map(([name, operator]) => ({
    providers: operator.providers,
    connector: { ...operator.create({ timing: {} } as OperatorContext), name },
  }));
  const connectors = new Map<string, Connector>(made.map(({ connector }) => [connector.name, connector]));
  const nameOf = (provider: string, kind: PaymentKind) =>
    made.find(
      ({ providers, connector }) => providers.includes(provider) && connector.supports(kind, provider),
    )?.connector.name ?? null;
  const blind = listBlind(connectors, nameOf);
  const names = new Set(
    blind.map(({ provider, operation }) => `${nameOf(provider, operation)} ${operation}`),
  );
  expect([...names].toSorted()).toEqual([
    'airtel-money REFUND',
    'mpesa-daraja DEPOSIT',
    'mpesa-daraja REFUND',
    'orange-sonatel DEPOSIT',
    'orange-sonatel PAYOUT',
    'orange-sonatel REFUND',
  ]);
});
