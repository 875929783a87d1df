// Cases: evidence that contradicts what we recorded. A repeat of the same evidence is the same case.
import { randomUUID } from 'node:crypto';
import type { Evidence } from '../domain/lifecycle.ts';
import type { PaymentKey } from '../domain/payment.ts';
import type { Tx } from './database.ts';
import { paymentKeyColumns, rowInserter } from './rows.ts';
import type { Keyring } from './sealing.ts';

export type NewCase = PaymentKey & {
  readonly evidence: Evidence;
  readonly openedAt: Date;
  /** What the operator said. Sealed at rest. */
  readonly statement?: string | undefined;
};

const insertSealed = rowInserter<
  NewCase & { readonly caseId: string; readonly sealedStatement: Buffer | null }
>(
  'cases',
  [
    ['case_id', 'uuid', (opened) => opened.caseId],
    ...paymentKeyColumns,
    ['evidence', 'text', (opened) => opened.evidence],
    ['opened_at', 'timestamptz', (opened) => opened.openedAt],
    ['sealed_evidence', 'bytea', (opened) => opened.sealedStatement],
  ],
  'on conflict on constraint cases_once_per_evidence do nothing returning merchant_id, kind, payment_id, evidence',
);

/** Opens cases. Answers which are new; only those get postings. */
export async function openCases(
  tx: Tx,
  keyring: Keyring,
  cases: readonly NewCase[],
): Promise<readonly NewCase[]> {
  const rows = await insertSealed<{
    payment_id: string;
    kind: string;
    merchant_id: string;
    evidence: string;
  }>(
    tx,
    cases.map((opened) => sealed(keyring, opened)),
  );
  const isNew = new Set(
    rows.map((row) => `${row.merchant_id}/${row.kind}/${row.payment_id}/${row.evidence}`),
  );
  return cases.filter(({ merchantId, kind, paymentId, evidence }) =>
    isNew.has(`${merchantId}/${kind}/${paymentId}/${evidence}`),
  );
}

function sealed(keyring: Keyring, opened: NewCase) {
  const caseId = randomUUID();
  const identity = { merchantId: opened.merchantId, row: `cases/${caseId}` };
  const sealedStatement = opened.statement === undefined ? null : keyring.seal(identity, opened.statement);
  return { ...opened, caseId, sealedStatement };
}
