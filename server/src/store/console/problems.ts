// What is open and waits for people, for the platform's first screen. Each statement reads the first few rows of an
// index that holds nothing else, so what it costs does not follow from how much there is.
import type { Evidence } from '../../domain/payments/lifecycle.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { paymentKeys } from '../rows.ts';

const unresolved = columns({
  ...paymentKeys.defs,
  provider: 'text',
  amount: 'numeric',
  currency: 'text',
  createdAt: 'timestamptz',
});

export type UnresolvedPayment = Row<typeof unresolved>;

/** Payments without a clear result, the oldest first, by `payments_in_reconciliation`. */
export async function listUnresolved(tx: Tx, countMax: number): Promise<readonly UnresolvedPayment[]> {
  const tail = `from payments where state = 'IN_RECONCILIATION' order by created_at limit $1`;
  return unresolved.select(tx, tail, [countMax]);
}

const open = columns({
  caseId: 'uuid',
  ...paymentKeys.defs,
  evidence: column<Evidence>('text'),
  openedAt: 'timestamptz',
});

export type WaitingCase = Row<typeof open>;

/** Cases that wait for people, the oldest first, by `cases_open`. */
export async function listWaitingCases(tx: Tx, countMax: number): Promise<readonly WaitingCase[]> {
  return open.select(tx, 'from cases where resolved_at is null order by opened_at limit $1', [countMax]);
}
