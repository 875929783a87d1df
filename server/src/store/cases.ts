// Cases: evidence that contradicts what we recorded. A repeat of the same evidence is the same case.
import { randomUUID } from 'node:crypto';
import type { Evidence } from '../domain/lifecycle.ts';
import { lockOrder, type PaymentKey, type PaymentKind } from '../domain/payment.ts';
import type { Tx } from './database.ts';
import { paymentKeyColumns, rowInserter, unnested, valuesOf } from './rows.ts';
import type { Keyring } from './sealing.ts';

export type NewCase = PaymentKey & {
  readonly evidence: Evidence;
  readonly openedAt: Date;
  /** What the operator said. Sealed at rest. */
  readonly statement?: string | undefined;
  /** The operator's transaction the evidence is about, where it named one. */
  readonly providerTransactionId?: string | undefined;
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
    ['provider_transaction_id', 'text', (opened) => opened.providerTransactionId ?? null],
  ],
  'on conflict on constraint cases_once_per_evidence do nothing returning merchant_id, kind, payment_id, evidence',
);

/** Opens cases. Answers which are new; only those get postings. */
export async function openCases(
  tx: Tx,
  keyring: Keyring,
  cases: readonly NewCase[],
): Promise<readonly NewCase[]> {
  const distinct = [...new Map(cases.map((one) => [nameOf(one), one])).values()];
  const rows = await insertSealed<{
    payment_id: string;
    kind: string;
    merchant_id: string;
    evidence: string;
  }>(
    tx,
    distinct.map((opened) => sealed(keyring, opened)),
  );
  const isNew = new Set(
    rows.map((row) => `${row.merchant_id}/${row.kind}/${row.payment_id} ${row.evidence}`),
  );
  return distinct.filter((opened) => isNew.has(nameOf(opened)));
}

function nameOf({ merchantId, kind, paymentId, evidence }: NewCase): string {
  return `${merchantId}/${kind}/${paymentId} ${evidence}`;
}

/** The evidence there is about payments, each as "merchant/kind/payment EVIDENCE". */
export async function listEvidence(tx: Tx, keys: readonly PaymentKey[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await tx.query<{ name: string }>(
    `select merchant_id || '/' || kind || '/' || payment_id || ' ' || evidence as name from cases
     where (merchant_id, kind, payment_id) in (select * from ${unnested(paymentKeyColumns)})`,
    valuesOf(paymentKeyColumns, keys),
  );
  return new Set(rows.map((row) => row.name));
}

/** Under which transaction each of these payments was paid after it had FAILED, by its name in the order of locks. */
export async function listLateTransactions(
  tx: Tx,
  keys: readonly PaymentKey[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const { rows } = await tx.query<{
    merchantId: string;
    kind: PaymentKind;
    paymentId: string;
    transaction: string;
  }>(
    `select merchant_id as "merchantId", kind, payment_id as "paymentId", provider_transaction_id as transaction
     from cases where evidence = 'LATE_SUCCESS' and provider_transaction_id is not null
       and (merchant_id, kind, payment_id) in (select * from ${unnested(paymentKeyColumns)})`,
    valuesOf(paymentKeyColumns, keys),
  );
  return new Map(rows.map((row) => [lockOrder(row), row.transaction]));
}

function sealed(keyring: Keyring, opened: NewCase) {
  const caseId = randomUUID();
  const identity = { merchantId: opened.merchantId, row: `cases/${caseId}` };
  const sealedStatement = opened.statement === undefined ? null : keyring.seal(identity, opened.statement);
  return { ...opened, caseId, sealedStatement };
}
