// Which connector carries which payments, as a host writes it.
import { describe, expect, test } from 'vitest';
import { findBinding, parseBindings, type Binding } from '../../src/connectors/bindings.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { complaintAbout } from '../settings.ts';

function connectorFor(text: string, provider: string, kind: PaymentKind): string | null {
  const binding = findBinding(parseBindings(text) as readonly Binding[], { provider, kind });
  return binding === null ? null : `${binding.connector} ${binding.account ?? provider}`;
}

describe('bindings', () => {
  const text = `MTN_MOMO_*=mtn-momo MTN_MOMO_ZMB/PAYOUT=mtn-momo:zambia
    MTN_MOMO_GHA=simulator`;

  test.each([
    ['MTN_MOMO_RWA', 'DEPOSIT', 'mtn-momo MTN_MOMO_RWA'],
    ['MTN_MOMO_ZMB', 'DEPOSIT', 'mtn-momo MTN_MOMO_ZMB'],
    ['MTN_MOMO_ZMB', 'PAYOUT', 'mtn-momo zambia'],
    ['MTN_MOMO_GHA', 'REFUND', 'simulator MTN_MOMO_GHA'],
    ['AIRTEL_RWA', 'DEPOSIT', null],
  ] as const)('%s for a %s goes to %s', (provider, kind, expected) => {
    expect(connectorFor(text, provider, kind)).toBe(expected);
  });

  test.each(['MTN_MOMO_XYZ=mtn-momo', 'MTN_MOMO_RWA', 'MTN_MOMO_RWA/TOPUP=mtn-momo', '=mtn-momo'])(
    '%s is no binding, and the host is told so',
    (entry) => {
      expect(parseBindings(`AIRTEL_RWA=simulator ${entry}`)).toEqual({ fault: entry });
      expect(complaintAbout({ MALIPO_OPERATORS: entry })).toContain(`not "${entry}"`);
    },
  );

  test('an unknown connector is refused at the start', () => {
    expect(complaintAbout({ MALIPO_OPERATORS: 'MTN_MOMO_RWA=mtn-mono' })).toContain(
      'there is no connector "mtn-mono"',
    );
  });

  test.each(['{"mtn-mono":{}}', '{"mtn-momo":{"timeout":1}}', '[]', '{"mtn-momo":7}'])(
    'a timing %s that would leave defaults in force is refused',
    (timing) => {
      expect(complaintAbout({ MALIPO_OPERATOR_TIMING: timing })).toContain('MALIPO_OPERATOR_TIMING must be');
    },
  );
});
