// Cases: evidence that contradicts what we recorded. A repeat about the same operator transaction is the same case.
import { randomUUID } from 'node:crypto';
import type { Evidence } from '../../domain/payments/lifecycle.ts';
import { paymentKeyText, type PaymentKey, type PaymentKind } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { paymentKeyColumns, rowInserter, unnested, valuesOf } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type NewCase = PaymentKey & {
  readonly evidence: Evidence;
  readonly openedAt: Date;
  /** What the operator said. Encrypted at rest. */
  readonly statement?: string | undefined;
  /** The operator's transaction the evidence is about, where it named one. */
  readonly providerTransactionId?: string | undefined;
};

/** A new case, and which of those of its payment with the same evidence it is. */
export type OpenedCase = NewCase & { readonly caseNo: number };

const insertEncrypted = rowInserter<
  OpenedCase & { readonly caseId: string; readonly encryptedStatement: Buffer | null }
>('cases', [
  ['case_id', 'uuid', (opened) => opened.caseId],
  ...paymentKeyColumns,
  ['evidence', 'text', (opened) => opened.evidence],
  ['case_no', 'int', (opened) => opened.caseNo],
  ['opened_at', 'timestamptz', (opened) => opened.openedAt],
  ['encrypted_evidence', 'bytea', (opened) => opened.encryptedStatement],
  ['provider_transaction_id', 'text', (opened) => opened.providerTransactionId ?? null],
]);

/**
 * Opens cases of payments that are locked, one for each operator transaction. Answers which are new; only those get
 * postings.
 */
export async function openCases(
  tx: Tx,
  keyring: Keyring,
  cases: readonly NewCase[],
): Promise<readonly OpenedCase[]> {
  const opened: OpenedCase[] = [];
  for (const one of cases) {
    const siblings = await listSiblings(tx, one);
    const known = siblings.find((sibling) => isSame(sibling, one));
    if (known !== undefined) {
      await nameTransaction(tx, known, one);
      continue;
    }
    const next = { ...one, caseNo: 1 + Math.max(0, ...siblings.map(({ caseNo }) => caseNo)) };
    await insertEncrypted(tx, [encrypted(keyring, next)]);
    opened.push(next);
  }
  return opened;
}

type Told = { readonly evidence: Evidence; readonly providerTransactionId?: string | null | undefined };

type Sibling = {
  readonly caseId: string;
  readonly caseNo: number;
  readonly transaction: string | null;
  /** The operator took its evidence back: what it says again is new. */
  readonly isReversed: boolean;
};

/** Cases of the same payment with the same evidence. */
async function listSiblings(tx: Tx, one: NewCase): Promise<readonly Sibling[]> {
  const { rows } = await tx.query<Sibling>(
    `select case_id as "caseId", case_no as "caseNo", provider_transaction_id as transaction,
       ${IS_REVERSED} as "isReversed" from cases
     where merchant_id = $1 and kind = $2 and payment_id = $3 and evidence = $4 order by case_no`,
    [one.merchantId, one.kind, one.paymentId, one.evidence],
  );
  return rows;
}

/**
 * What names no transaction may be the known one, and would be posted a second time as another. A discrepancy posts
 * nothing when it opens, so it is a case of its own.
 */
function isSame(
  { transaction, isReversed }: Sibling,
  { evidence, providerTransactionId: told = null }: Told,
): boolean {
  if (isReversed) return false;
  if (transaction === told) return true;
  return evidence !== 'DISCREPANCY' && (transaction === null || told === null);
}

/** A transaction that is named only now. */
async function nameTransaction(tx: Tx, { caseId, transaction }: Sibling, one: NewCase): Promise<void> {
  const { providerTransactionId } = one;
  if (transaction !== null || providerTransactionId === undefined) return;
  await tx.query('update cases set provider_transaction_id = $2 where case_id = $1', [
    caseId,
    providerTransactionId,
  ]);
}

/** Evidence that the operator took back counts for nothing any more. */
const IS_REVERSED = `(resolved_at is not null and resolution = 'REVERSE_EVIDENCE')`;

/** The evidence there is about payments, each as "merchant/kind/payment EVIDENCE". */
export async function listEvidence(tx: Tx, keys: readonly PaymentKey[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await tx.query<{ name: string }>(
    `select merchant_id || '/' || kind || '/' || payment_id || ' ' || evidence as name from cases
     where (merchant_id, kind, payment_id) in (select * from ${unnested(paymentKeyColumns)}) and not ${IS_REVERSED}`,
    valuesOf(paymentKeyColumns, keys),
  );
  return new Set(rows.map((row) => row.name));
}

/** The case that holds what was said about a payment: the one about this transaction, or else the latest. */
export async function findCaseAbout(
  tx: Tx,
  { merchantId, kind, paymentId }: PaymentKey,
  providerTransactionId: string | null,
): Promise<string | null> {
  const { rows } = await tx.query<{ case_id: string }>(
    `select case_id from cases where merchant_id = $1 and kind = $2 and payment_id = $3
     order by provider_transaction_id is not distinct from $4 desc, opened_at desc, case_no desc limit 1`,
    [merchantId, kind, paymentId, providerTransactionId],
  );
  return rows[0]?.case_id ?? null;
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
     from cases where evidence = 'LATE_SUCCESS' and provider_transaction_id is not null and not ${IS_REVERSED}
       and (merchant_id, kind, payment_id) in (select * from ${unnested(paymentKeyColumns)})`,
    valuesOf(paymentKeyColumns, keys),
  );
  return new Map(rows.map((row) => [paymentKeyText(row), row.transaction]));
}

function encrypted(keyring: Keyring, opened: OpenedCase) {
  const caseId = randomUUID();
  const identity = { merchantId: opened.merchantId, row: `cases/${caseId}` };
  const encryptedStatement =
    opened.statement === undefined ? null : keyring.encrypt(identity, opened.statement);
  return { ...opened, caseId, encryptedStatement };
}
