// Cases as people resolve them: what was found, and how it was resolved.
import type { Resolution } from '../../domain/reconciliation/cases.ts';
import type { Evidence } from '../../domain/payments/lifecycle.ts';
import type { Amount } from '../../domain/money.ts';
import type { PaymentKey, PaymentState } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric } from '../columns.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type StoredCase = PaymentKey & {
  readonly caseId: string;
  readonly evidence: Evidence;
  /** Which of those of its payment with the same evidence. */
  readonly caseNo: number;
  /** The operator's transaction it is about; null where the operator named none. */
  readonly providerTransactionId: string | null;
  readonly openedAt: Date;
  readonly resolvedAt: Date | null;
  readonly encryptedStatement: Buffer | null;
  /** Of the payment the case is about. */
  readonly payment: {
    readonly state: PaymentState;
    readonly amount: Amount;
    readonly currency: string;
    readonly provider: string;
  };
};

type CaseRow = {
  case_id: string;
  merchant_id: string;
  kind: PaymentKey['kind'];
  payment_id: string;
  evidence: Evidence;
  case_no: number;
  transaction: string | null;
  opened_at: Date;
  encrypted_evidence: Buffer | null;
  resolved_at: Date | null;
  state: PaymentState;
  amount: string;
  currency: string;
  provider: string;
};

/** A reversal without a transaction of its own is named by the one that it reverses. */
const SELECTED = `select case_id, merchant_id, kind, payment_id, evidence, case_no, coalesce(
      cases.provider_transaction_id, case evidence when 'LATE_FAILURE' then payments.provider_transaction_id end)
      as transaction, opened_at, encrypted_evidence,
    resolved_at, state, amount, currency, provider
  from cases join payments using (merchant_id, kind, payment_id)`;

/** The oldest first. */
export async function listCases(
  tx: Tx,
  options: { readonly onlyOpen: boolean },
): Promise<readonly StoredCase[]> {
  const { rows } = await tx.query<CaseRow>(
    `${SELECTED} where not $1 or resolved_at is null order by opened_at, case_id`,
    [options.onlyOpen],
  );
  return rows.map(caseOf);
}

export type CasePlace = { readonly at: Date; readonly caseId: string };

/** A page of those that wait, the oldest first. */
export async function listOpenCases(
  tx: Tx,
  { after, countMax }: { readonly after: CasePlace | null; readonly countMax: number },
): Promise<readonly StoredCase[]> {
  const { rows } = await tx.query<CaseRow>(
    `${SELECTED} where resolved_at is null and (opened_at, case_id) > ($1, $2)
     order by opened_at, case_id limit $3`,
    [after?.at ?? '-infinity', after?.caseId ?? NO_CASE, countMax],
  );
  return rows.map(caseOf);
}

/** A page of those that were resolved, the newest first. */
export async function listResolvedCases(
  tx: Tx,
  { after, countMax }: { readonly after: CasePlace | null; readonly countMax: number },
): Promise<readonly StoredCase[]> {
  const { rows } = await tx.query<CaseRow>(
    `${SELECTED} where resolved_at is not null and (resolved_at, case_id) < ($1, $2)
     order by resolved_at desc, case_id desc limit $3`,
    [after?.at ?? 'infinity', after?.caseId ?? NO_CASE, countMax],
  );
  return rows.map(caseOf);
}

/** Before every other identifier; at the end of time it comes after all there are. */
const NO_CASE = '00000000-0000-0000-0000-000000000000';

/** The oldest first. */
export async function listCasesOf(
  tx: Tx,
  { merchantId, kind, paymentId }: PaymentKey,
): Promise<readonly StoredCase[]> {
  const { rows } = await tx.query<CaseRow>(
    `${SELECTED} where merchant_id = $1 and kind = $2 and payment_id = $3 order by opened_at, case_id`,
    [merchantId, kind, paymentId],
  );
  return rows.map(caseOf);
}

export async function findCase(tx: Tx, caseId: string): Promise<StoredCase | null> {
  return selectCase(tx, caseId, '');
}

/** Locks a case. Its payment is locked before, as everywhere. */
export async function lockCase(tx: Tx, caseId: string): Promise<StoredCase | null> {
  return selectCase(tx, caseId, 'for update of cases');
}

/** The database refuses it without an approval in the same transaction. */
export async function markResolved(
  tx: Tx,
  resolved: { readonly caseId: string; readonly resolution: Resolution; readonly now: Date },
): Promise<void> {
  const { caseId, resolution, now } = resolved;
  await tx.query('update cases set resolution = $2, resolved_at = $3 where case_id = $1', [
    caseId,
    resolution,
    now,
  ]);
}

/** What the operator said. The merchant's data key must be loaded. */
export function openStatement(keyring: Keyring, found: StoredCase): string | null {
  if (found.encryptedStatement === null) return null;
  const identity = { merchantId: found.merchantId, row: `cases/${found.caseId}` };
  return keyring.open(identity, found.encryptedStatement).toString();
}

async function selectCase(tx: Tx, caseId: string, suffix: string): Promise<StoredCase | null> {
  const { rows } = await tx.query<CaseRow>(`${SELECTED} where case_id = $1 ${suffix}`, [caseId]);
  return rows[0] === undefined ? null : caseOf(rows[0]);
}

function caseOf(row: CaseRow): StoredCase {
  const { state, currency, provider } = row;
  return {
    caseId: row.case_id,
    merchantId: row.merchant_id,
    kind: row.kind,
    paymentId: row.payment_id,
    evidence: row.evidence,
    caseNo: row.case_no,
    providerTransactionId: row.transaction,
    openedAt: row.opened_at,
    resolvedAt: row.resolved_at,
    encryptedStatement: row.encrypted_evidence,
    payment: { state, amount: amountOfNumeric(row.amount), currency, provider },
  };
}
