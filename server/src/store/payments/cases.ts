// Cases: evidence that contradicts what we recorded. A repeat about the same operator transaction is the same case.
import { randomUUID } from 'node:crypto';
import { comparableTransaction } from '../../domain/ledger/money-reference.ts';
import type { Amount } from '../../domain/money.ts';
import type { Evidence } from '../../domain/payments/lifecycle.ts';
import { paymentKeyText, type PaymentKey } from '../../domain/payments/payment.ts';
import type { Resolution } from '../../domain/reconciliation/cases.ts';
import type { CaseFacts } from '../../domain/reconciliation/given-back.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isAmong, paymentKeyColumns, paymentKeys, rowInserter, valuesOf } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';
import { packCounters } from '../limits/limit-counters.ts';

const cases = columns({
  caseId: 'uuid',
  ...paymentKeys.defs,
  evidence: column<Evidence>('text'),
  /** Which of those of its payment with the same evidence it is. */
  caseNo: 'int',
  openedAt: 'timestamptz',
  encryptedEvidence: 'bytea null',
  /** The operator's transaction the evidence is about, where it named one. */
  providerTransactionId: 'text?',
  /** The counters of limits in which a late success counts. */
  countedIn: 'bytea?',
  /** What the operator says it moved, where only the amount differs from ours. */
  reportedAmount: 'numeric null',
  /** The line of a report that says so; left out where the operator itself does. */
  lineHash: 'bytea?',
});

const insertEncrypted = rowInserter('cases', cases.cells);

export type OpenedCase = Omit<
  Row<typeof cases>,
  'caseId' | 'encryptedEvidence' | 'providerTransactionId' | 'countedIn'
> & {
  readonly providerTransactionId?: string | undefined;
  /** Of a late success: the counters of limits in which it counts. */
  readonly countedIn?: readonly string[] | undefined;
  /** What the operator said. Encrypted at rest. */
  readonly statement?: string | undefined;
};

export type NewCase = Omit<OpenedCase, 'caseNo'>;

/**
 * Opens cases of payments that are locked, one for each operator transaction. Answers which are new; only those get
 * postings.
 */
export async function openCases(
  tx: Tx,
  keyring: Keyring,
  found: readonly NewCase[],
): Promise<readonly OpenedCase[]> {
  const opened: OpenedCase[] = [];
  for (const one of found) {
    const others = await listSiblings(tx, one);
    const known = others.find((sibling) => isSame(sibling, one));
    if (known !== undefined) {
      await nameTransaction(tx, known, one);
      if (one.lineHash === undefined) await markConfirmed(tx, known);
      continue;
    }
    const next = { ...one, caseNo: 1 + Math.max(0, ...others.map(({ caseNo }) => caseNo)) };
    await insertEncrypted(tx, [encrypted(keyring, next)]);
    opened.push(next);
  }
  return opened;
}

/** The case that evidence would belong to; null where it would open one. */
export async function findCaseOf(tx: Tx, found: NewCase): Promise<string | null> {
  const siblings = await listSiblings(tx, found);
  return siblings.find((sibling) => isSame(sibling, found))?.caseId ?? null;
}

/** Evidence that the operator took back counts for nothing any more. */
const IS_REVERSED = `(resolved_at is not null and resolution = 'REVERSE_EVIDENCE')`;

const siblings = columns({
  caseId: 'uuid',
  caseNo: 'int',
  transaction: column<string | null>('text null', 'provider_transaction_id'),
  reportedAmount: 'numeric null',
  /** The operator took its evidence back: what it says again is new. */
  isReversed: column<boolean>('bool', IS_REVERSED),
});

type Sibling = Row<typeof siblings>;

/** Cases of the same payment with the same evidence. */
async function listSiblings(tx: Tx, one: NewCase): Promise<readonly Sibling[]> {
  return siblings.select(
    tx,
    'from cases where merchant_id = $1 and kind = $2 and payment_id = $3 and evidence = $4 order by case_no',
    [one.merchantId, one.kind, one.paymentId, one.evidence],
  );
}

/**
 * Evidence that names no transaction may be about the known one, and would be posted a second time as another case. A
 * discrepancy posts nothing when it opens, so one about another transaction, or with another amount, is a case of its
 * own: each holds what it could cost.
 */
function isSame(sibling: Sibling, found: NewCase): boolean {
  const { transaction, isReversed, reportedAmount } = sibling;
  const named = found.providerTransactionId ?? null;
  if (isReversed) return false;
  const isSameName =
    transaction === null || named === null
      ? transaction === named
      : comparableTransaction(transaction) === comparableTransaction(named);
  if (found.evidence !== 'DISCREPANCY') return isSameName || transaction === null || named === null;
  const isOtherAmount =
    reportedAmount !== null && found.reportedAmount !== null && reportedAmount !== found.reportedAmount;
  return isSameName && !isOtherAmount;
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

/** Whether a case is resolved. It must be locked with its payment. */
export async function isCaseResolved(
  tx: Tx,
  { merchantId, kind, paymentId, evidence, caseNo }: PaymentKey & Pick<OpenedCase, 'evidence' | 'caseNo'>,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from cases
     where (merchant_id, kind, payment_id, evidence, case_no) = ($1, $2, $3, $4, $5) and resolved_at is not null`,
    [merchantId, kind, paymentId, evidence, caseNo],
  );
  return rowCount === 1;
}

/** The operator itself says what only reports have said so far. */
async function markConfirmed(tx: Tx, { caseId }: Sibling): Promise<void> {
  await tx.query(
    'update cases set line_hash = null where case_id = $1 and line_hash is not null and resolved_at is null',
    [caseId],
  );
}

const numbered = columns({
  ...paymentKeys.defs,
  evidence: column<Evidence>('text'),
  caseNo: 'int',
  reportedAmount: 'numeric null',
  providerTransactionId: 'text?',
});

/** Open cases about these payments that an operator's answer opened before their end. */
export async function listOpenDiscrepancies(
  tx: Tx,
  keys: readonly PaymentKey[],
): Promise<readonly Row<typeof numbered>[]> {
  if (keys.length === 0) return [];
  return numbered.select(
    tx,
    `from cases where evidence = 'DISCREPANCY' and resolved_at is null and ${isAmong(paymentKeyColumns)}`,
    valuesOf(paymentKeyColumns, keys),
  );
}

const discrepancies = columns({
  caseId: 'uuid',
  openedAt: 'timestamptz',
  isOpen: column<boolean>('bool', 'resolved_at is null'),
});

/** All cases about a payment that an operator's answer opened because something differs. */
export async function listDiscrepancies(
  tx: Tx,
  { merchantId, kind, paymentId }: PaymentKey,
): Promise<readonly Row<typeof discrepancies>[]> {
  return discrepancies.select(
    tx,
    `from cases where merchant_id = $1 and kind = $2 and payment_id = $3 and evidence = 'DISCREPANCY'`,
    [merchantId, kind, paymentId],
  );
}

/** The evidence there is about payments, each as "merchant/kind/payment EVIDENCE". */
export async function listEvidence(tx: Tx, keys: readonly PaymentKey[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await tx.query<{ name: string }>(
    `select merchant_id || '/' || kind || '/' || payment_id || ' ' || evidence as name from cases
     where ${isAmong(paymentKeyColumns)} and not ${IS_REVERSED}`,
    valuesOf(paymentKeyColumns, keys),
  );
  return new Set(rows.map((row) => row.name));
}

const facts = columns({
  ...paymentKeys.defs,
  evidence: column<Evidence>('text'),
  resolution: column<Resolution | null>('text null'),
  amount: column<Amount | null>('numeric null', 'resolved_amount'),
});

/** The cases about payments, by the payment's name in the order of locks. Without those whose evidence was reversed. */
export async function listCaseFacts(
  tx: Tx,
  keys: readonly PaymentKey[],
): Promise<ReadonlyMap<string, readonly CaseFacts[]>> {
  if (keys.length === 0) return new Map();
  const rows = await facts.select(
    tx,
    `from cases where ${isAmong(paymentKeyColumns)} and not ${IS_REVERSED}`,
    valuesOf(paymentKeyColumns, keys),
  );
  const found = rows.map(({ evidence, resolution, amount, ...key }) => {
    const resolved = resolution === null || amount === null ? null : { resolution, amount };
    return [paymentKeyText(key), { evidence, resolved }] as const;
  });
  return new Map(
    [...Map.groupBy(found, ([name]) => name)].map(([name, all]) => [name, all.map(([, one]) => one)]),
  );
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

const lateTransactions = columns({ ...paymentKeys.defs, providerTransactionId: 'text' });

/**
 * Under which transaction each of these payments was paid after it had FAILED, or taken back after it had COMPLETED, by
 * its name in the order of locks.
 */
export async function listLateTransactions(
  tx: Tx,
  keys: readonly PaymentKey[],
  evidence: 'LATE_SUCCESS' | 'LATE_FAILURE',
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await lateTransactions.select(
    tx,
    `from cases where evidence = $${paymentKeyColumns.length + 1} and provider_transaction_id is not null
       and not ${IS_REVERSED} and ${isAmong(paymentKeyColumns)}`,
    [...valuesOf(paymentKeyColumns, keys), evidence],
  );
  return new Map(rows.map((row) => [paymentKeyText(row), row.providerTransactionId]));
}

function encrypted(keyring: Keyring, { countedIn = [], ...opened }: OpenedCase) {
  const caseId = randomUUID();
  const identity = { merchantId: opened.merchantId, row: `cases/${caseId}` };
  const encryptedEvidence =
    opened.statement === undefined ? null : keyring.encrypt(identity, opened.statement);
  return {
    ...opened,
    caseId,
    encryptedEvidence,
    ...(countedIn.length > 0 && { countedIn: packCounters(countedIn) }),
  };
}
