// Attempts at an operator. Inserting one is the permission to call it.
import type { PaymentKey } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { paymentKeyColumns, rowInserter, unnested, valuesOf } from '../rows.ts';

export type Attempt = PaymentKey & {
  readonly attemptNo: number;
  readonly reference: string;
  readonly claimedAt: Date;
  readonly sendDeadlineAt: Date;
  /** 0: nothing was sent as far as is known, and nothing may be until the operator has said that it saw nothing. */
  readonly sendCount: number;
  /** How many of these permissions ended before a byte was written, as the process that held them said. */
  readonly unsentCount: number;
  readonly providerReference?: string;
  /** The operator account it was claimed with. Not there: the operator has no accounts, or it was not recorded. */
  readonly account?: string;
  /** Of a deposit: the account that can reverse it. */
  readonly refundAccount?: string;
  /** What a message told that nothing vouches for. */
  readonly reportedReceipt?: string;
  /** What an enquiry confirmed. */
  readonly provedReceipt?: string;
  /** A failure that needs a second enquiry. */
  readonly reportedFailure?: { readonly code: string; readonly at: Date };
};

/** Whether no operator can have heard of the payment: no permission was given, or each ended unused. */
export function isUnsent(attempt: Pick<Attempt, 'sendCount' | 'unsentCount'> | null): boolean {
  return attempt === null || (attempt.sendCount > 0 && attempt.unsentCount === attempt.sendCount);
}

/** Whether somebody may send under the attempt's latest permission. There is none where it is held or given back. */
export function isPermitted({ sendCount, unsentCount }: Pick<Attempt, 'sendCount' | 'unsentCount'>): boolean {
  return unsentCount < sendCount;
}

type AttemptRow = {
  merchant_id: string;
  kind: PaymentKey['kind'];
  payment_id: string;
  attempt_no: number;
  reference: string;
  claimed_at: Date;
  send_deadline_at: Date;
  send_count: number;
  unsent_count: number;
  provider_reference: string | null;
  operator_account: string | null;
  refund_account: string | null;
  reported_receipt: string | null;
  proved_receipt: string | null;
  reported_failure: string | null;
  reported_failure_at: Date | null;
};

const SELECTED = `merchant_id, kind, payment_id, attempt_no, reference, claimed_at, send_deadline_at, send_count,
  unsent_count, provider_reference, operator_account, refund_account, reported_receipt, proved_receipt,
  reported_failure, reported_failure_at`;

/** Fails on an attempt that is there: its payment was locked, so somebody broke the single write path. */
export const insertAttempts = rowInserter<Attempt>('payment_attempts', [
  ...paymentKeyColumns,
  ['attempt_no', 'int', (attempt) => attempt.attemptNo],
  ['reference', 'text', (attempt) => attempt.reference],
  ['claimed_at', 'timestamptz', (attempt) => attempt.claimedAt],
  ['send_deadline_at', 'timestamptz', (attempt) => attempt.sendDeadlineAt],
  ['send_count', 'int', (attempt) => attempt.sendCount],
  ['unsent_count', 'int', (attempt) => attempt.unsentCount],
  ['operator_account', 'text', (attempt) => attempt.account ?? null],
  ['refund_account', 'text', (attempt) => attempt.refundAccount ?? null],
]);

/** The latest attempt of each payment that has one. */
export async function listLatestAttempts(tx: Tx, keys: readonly PaymentKey[]): Promise<readonly Attempt[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<AttemptRow>(
    `select distinct on (merchant_id, kind, payment_id) ${SELECTED} from payment_attempts
     where (merchant_id, kind, payment_id) in (select * from ${unnested(paymentKeyColumns)})
     order by merchant_id, kind, payment_id, attempt_no desc`,
    valuesOf(paymentKeyColumns, keys),
  );
  return rows.map(attemptOf);
}

export async function listAttemptsByReference(
  tx: Tx,
  references: readonly string[],
): Promise<readonly Attempt[]> {
  if (references.length === 0) return [];
  const { rows } = await tx.query<AttemptRow>(
    `select ${SELECTED} from payment_attempts where reference = any($1)`,
    [references],
  );
  return rows.map(attemptOf);
}

/**
 * Attempts of payments in reconciliation by the reference the operator picked, or by the receipt that a message told.
 * They are few and need no index.
 */
export async function listAttemptsInReconciliation(
  tx: Tx,
  told: { readonly providerReferences: readonly string[]; readonly receipts: readonly string[] },
): Promise<readonly Attempt[]> {
  const { providerReferences, receipts } = told;
  if (providerReferences.length === 0 && receipts.length === 0) return [];
  const { rows } = await tx.query<AttemptRow>(
    `select ${SELECTED} from payments join payment_attempts using (merchant_id, kind, payment_id)
     where state = 'IN_RECONCILIATION' and (provider_reference = any($1) or reported_receipt = any($2))`,
    [providerReferences, receipts],
  );
  return rows.map(attemptOf);
}

/** Writes the attempt's permissions: one more, or one that was given back. Only under the payment's lock. */
export async function updateAttempt(tx: Tx, attempt: Attempt): Promise<void> {
  const { merchantId, kind, paymentId, attemptNo } = attempt;
  const { claimedAt, sendDeadlineAt, sendCount, unsentCount, account, refundAccount } = attempt;
  const key = [merchantId, kind, paymentId, attemptNo];
  await tx.query(
    `update payment_attempts set claimed_at = $5, send_deadline_at = $6, send_count = $7, unsent_count = $8,
       operator_account = $9, refund_account = $10
     where merchant_id = $1 and kind = $2 and payment_id = $3 and attempt_no = $4`,
    [...key, claimedAt, sendDeadlineAt, sendCount, unsentCount, account ?? null, refundAccount ?? null],
  );
}

/** Keeps the reference the operator picked. The first one stays. */
export async function setProviderReference(
  tx: Tx,
  key: PaymentKey,
  providerReference: string,
): Promise<void> {
  await tx.query(
    `update payment_attempts set provider_reference = $4
     where merchant_id = $1 and kind = $2 and payment_id = $3 and provider_reference is null`,
    [key.merchantId, key.kind, key.paymentId, providerReference],
  );
}

/** Keeps the receipt that a message told, until one is proved. */
export async function setToldReceipt(tx: Tx, key: PaymentKey, receipt: string): Promise<void> {
  await setOnLatest(tx, key, {
    columns: 'reported_receipt = $4',
    where: 'proved_receipt is null',
    values: [receipt],
  });
}

/** Keeps a receipt that an enquiry confirmed. The first one stays. */
export async function setProvedReceipt(tx: Tx, key: PaymentKey, receipt: string): Promise<void> {
  await setOnLatest(tx, key, {
    columns: 'proved_receipt = $4',
    where: 'proved_receipt is null',
    values: [receipt],
  });
}

/** Keeps a failure that needs a second enquiry, with the time it was first told. */
export async function setToldFailure(tx: Tx, key: PaymentKey, code: string, at: Date): Promise<void> {
  await setOnLatest(tx, key, {
    columns: 'reported_failure = $4, reported_failure_at = $5',
    where: 'reported_failure is distinct from $4',
    values: [code, at],
  });
}

type Setting = { readonly columns: string; readonly where: string; readonly values: readonly unknown[] };

async function setOnLatest(tx: Tx, key: PaymentKey, { columns, where, values }: Setting): Promise<void> {
  await tx.query(
    `update payment_attempts a set ${columns} where merchant_id = $1 and kind = $2 and payment_id = $3 and ${where}
       and attempt_no = (select max(attempt_no) from payment_attempts l
         where (l.merchant_id, l.kind, l.payment_id) = (a.merchant_id, a.kind, a.payment_id))`,
    [key.merchantId, key.kind, key.paymentId, ...values],
  );
}

/** An open payment is asked about after six hints at most, ten seconds apart; one that has ended, once an hour. */
const HINTS_MAX = 6;

/** Counts hints. Answers the references that may be asked about now; the first hint after an end may always. */
export async function claimHints(tx: Tx, references: readonly string[], now: Date): Promise<Set<string>> {
  if (references.length === 0) return new Set();
  const { rows } = await tx.query<{ reference: string }>(
    `update payment_attempts a set hint_count = hint_count + 1, hinted_at = $2
     where reference = any($1) and (hinted_at is null or coalesce((
       select case when p.final_at is null
         then a.hint_count < $3 and a.hinted_at <= $2::timestamptz - interval '10 seconds'
         else a.hinted_at < p.final_at or a.hinted_at <= $2::timestamptz - interval '1 hour' end
       from payments p
       where (p.merchant_id, p.kind, p.payment_id) = (a.merchant_id, a.kind, a.payment_id)), true))
     returning reference`,
    [references, now, HINTS_MAX],
  );
  return new Set(rows.map((row) => row.reference));
}

export type TransactionClaim = PaymentKey & {
  readonly provider: string;
  readonly providerTransactionId: string;
};

const insertClaims = rowInserter<TransactionClaim>(
  'provider_transactions',
  [
    ...paymentKeyColumns,
    ['provider', 'text', (claim) => claim.provider],
    ['provider_transaction_id', 'text', (claim) => claim.providerTransactionId],
  ],
  'on conflict do nothing',
);

/** Claims operators' transactions for payments. Answers the claims another payment holds. */
export async function claimProviderTransactions(
  tx: Tx,
  claims: readonly TransactionClaim[],
): Promise<readonly TransactionClaim[]> {
  if (claims.length === 0) return [];
  await insertClaims(tx, claims);
  const { rows } = await tx.query<{ provider: string; provider_transaction_id: string; owner: string }>(
    `select provider, provider_transaction_id, merchant_id || '/' || kind || '/' || payment_id as owner
     from provider_transactions
     where (provider, provider_transaction_id) in (select * from unnest($1::text[], $2::text[]))`,
    [claims.map((claim) => claim.provider), claims.map((claim) => claim.providerTransactionId)],
  );
  const owners = new Map(rows.map((row) => [`${row.provider} ${row.provider_transaction_id}`, row.owner]));
  return claims.filter(
    (claim) =>
      owners.get(`${claim.provider} ${claim.providerTransactionId}`) !==
      `${claim.merchantId}/${claim.kind}/${claim.paymentId}`,
  );
}

/** The payments that operators' transactions belong to, by transaction. */
export async function listTransactionOwners(
  tx: Tx,
  {
    provider,
    providerTransactionIds,
  }: { readonly provider: string; readonly providerTransactionIds: readonly string[] },
): Promise<ReadonlyMap<string, PaymentKey>> {
  const { rows } = await tx.query<PaymentKey & { transaction: string }>(
    `select provider_transaction_id as transaction, merchant_id as "merchantId", kind, payment_id as "paymentId"
     from provider_transactions where provider = $1 and provider_transaction_id = any($2)`,
    [provider, providerTransactionIds],
  );
  return new Map(rows.map(({ transaction, ...key }) => [transaction, key]));
}

function attemptOf(row: AttemptRow): Attempt {
  return {
    merchantId: row.merchant_id,
    kind: row.kind,
    paymentId: row.payment_id,
    attemptNo: row.attempt_no,
    reference: row.reference,
    claimedAt: row.claimed_at,
    sendDeadlineAt: row.send_deadline_at,
    sendCount: row.send_count,
    unsentCount: row.unsent_count,
    ...(row.provider_reference === null ? {} : { providerReference: row.provider_reference }),
    ...(row.operator_account === null ? {} : { account: row.operator_account }),
    ...(row.refund_account === null ? {} : { refundAccount: row.refund_account }),
    ...(row.reported_receipt === null ? {} : { reportedReceipt: row.reported_receipt }),
    ...(row.proved_receipt === null ? {} : { provedReceipt: row.proved_receipt }),
    ...(row.reported_failure === null || row.reported_failure_at === null
      ? {}
      : { reportedFailure: { code: row.reported_failure, at: row.reported_failure_at } }),
  };
}
