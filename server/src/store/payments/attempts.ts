// Attempts at an operator. Inserting one is the permission to call it.
import { paymentKeyText, type PaymentKey } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import {
  byNumber,
  isAmong,
  numberedKeys,
  PAYMENT_NO,
  PAYMENT_NOS,
  paymentKeyColumns,
  paymentKeys,
  rowInserter,
  unnested,
  valuesOf,
} from '../rows.ts';

const claims = columns({
  ...numberedKeys.defs,
  attemptNo: 'int',
  reference: 'text',
  claimedAt: 'timestamptz',
  sendDeadlineAt: 'timestamptz',
  /** 0: nothing was sent as far as is known, and nothing may be until the operator has said that it saw nothing. */
  sendCount: 'int',
  /** How many of these permissions ended before a byte was written, as the process that held them said. */
  unsentCount: 'int',
  /** The operator account it was claimed with. Not there: the operator has no accounts, or it was not recorded. */
  account: column<string | undefined>('text?', 'operator_account'),
  /** Of a deposit: the account that can reverse it. */
  refundAccount: 'text?',
});
const attempts = columns({
  ...claims.defs,
  providerReference: 'text?',
  /** What a message said that nothing vouches for. */
  reportedReceipt: 'text?',
  /** What an enquiry confirmed. */
  provedReceipt: 'text?',
  /** The code of a failure that needs a second enquiry. */
  reportedFailure: 'text?',
  reportedFailureAt: 'timestamptz?',
});
type AttemptRow = Row<typeof attempts>;

export type Attempt = Omit<AttemptRow, 'reportedFailure' | 'reportedFailureAt'> & {
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

/** Fails on an attempt that is there: its payment was locked, so somebody broke the single write path. */
export const insertAttempts = rowInserter('payment_attempts', claims.cells);

/** The latest attempt of each payment that has one. */
export async function listLatestAttempts(tx: Tx, keys: readonly PaymentKey[]): Promise<readonly Attempt[]> {
  if (keys.length === 0) return [];
  const { where, values } = byNumber(keys) ?? {
    where: `payment_no in ${PAYMENT_NOS}`,
    values: valuesOf(paymentKeyColumns, keys),
  };
  const rows = await attempts.query(
    tx,
    `select distinct on (payment_no) ${attempts.names} from payment_attempts where ${where}
     order by payment_no, attempt_no desc`,
    values,
  );
  return rows.map(attemptOf);
}

export async function listAttemptsByReference(
  tx: Tx,
  references: readonly string[],
): Promise<readonly Attempt[]> {
  if (references.length === 0) return [];
  const rows = await attempts.select(tx, 'from payment_attempts where reference = any($1)', [references]);
  return rows.map(attemptOf);
}

/**
 * Attempts of payments in reconciliation by the reference the operator picked, or by the receipt in a message.
 * They are few and need no index.
 */
export async function listAttemptsInReconciliation(
  tx: Tx,
  {
    providerReferences,
    receipts,
  }: { readonly providerReferences: readonly string[]; readonly receipts: readonly string[] },
): Promise<readonly Attempt[]> {
  if (providerReferences.length === 0 && receipts.length === 0) return [];
  const rows = await attempts.query(
    tx,
    `select ${attempts.namesIn('a')} from payments p join payment_attempts a using (payment_no)
     where state = 'IN_RECONCILIATION' and (provider_reference = any($1) or reported_receipt = any($2))`,
    [providerReferences, receipts],
  );
  return rows.map(attemptOf);
}

/** Writes the attempt's permissions: one more, or one that was given back. Only under the payment's lock. */
export async function updateAttempt(tx: Tx, attempt: Attempt): Promise<void> {
  const { paymentNo, attemptNo, claimedAt, sendDeadlineAt, sendCount, unsentCount, account, refundAccount } =
    attempt;
  await tx.query(
    `update payment_attempts set claimed_at = $3, send_deadline_at = $4, send_count = $5, unsent_count = $6,
       operator_account = $7, refund_account = $8
     where payment_no = $1 and attempt_no = $2`,
    [
      paymentNo,
      attemptNo,
      claimedAt,
      sendDeadlineAt,
      sendCount,
      unsentCount,
      account ?? null,
      refundAccount ?? null,
    ],
  );
}

const pickedReferences = columns({ paymentNo: 'uuid', providerReference: 'text' });

/** Keeps the references that operators picked, one for each payment. The first one stays. */
export async function setProviderReferences(
  tx: Tx,
  picked: readonly Row<typeof pickedReferences>[],
): Promise<void> {
  if (picked.length === 0) return;
  await tx.query(
    `update payment_attempts a set provider_reference = p.provider_reference
     from ${unnested(pickedReferences.cells, 'p')}
     where a.payment_no = p.payment_no and a.provider_reference is null`,
    valuesOf(pickedReferences.cells, picked),
  );
}

/** Keeps the receipt of a message, until one is proved. */
export async function setReportedReceipt(tx: Tx, key: PaymentKey, receipt: string): Promise<void> {
  await setOnLatest(tx, key, {
    set: 'reported_receipt = $4',
    where: 'proved_receipt is null',
    values: [receipt],
  });
}

/** Keeps a receipt that an enquiry confirmed. The first one stays. */
export async function setProvedReceipt(tx: Tx, key: PaymentKey, receipt: string): Promise<void> {
  await setOnLatest(tx, key, {
    set: 'proved_receipt = $4',
    where: 'proved_receipt is null',
    values: [receipt],
  });
}

/** Keeps a failure that needs a second enquiry, with the time it was first said. */
export async function setReportedFailure(tx: Tx, key: PaymentKey, code: string, at: Date): Promise<void> {
  await setOnLatest(tx, key, {
    set: 'reported_failure = $4, reported_failure_at = $5',
    where: 'reported_failure is distinct from $4',
    values: [code, at],
  });
}

type Setting = { readonly set: string; readonly where: string; readonly values: readonly unknown[] };

async function setOnLatest(tx: Tx, key: PaymentKey, { set, where, values }: Setting): Promise<void> {
  await tx.query(
    `update payment_attempts a set ${set} where payment_no = ${PAYMENT_NO} and ${where}
       and attempt_no = (select max(attempt_no) from payment_attempts l where l.payment_no = a.payment_no)`,
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
       from payments p where p.payment_no = a.payment_no), true))
     returning reference`,
    [references, now, HINTS_MAX],
  );
  return new Set(rows.map((row) => row.reference));
}

const claimed = columns({
  ...paymentKeys.defs,
  provider: 'text',
  providerTransactionId: 'text',
  claimedAt: 'timestamptz',
});

export type TransactionClaim = Row<typeof claimed>;

/** The columns of a claim, for statements of moves. */
export const CLAIM_COLUMNS = claimed;

const insertClaims = rowInserter('provider_transactions', claimed.cells, 'on conflict do nothing');

const names = claimed.only('provider', 'providerTransactionId').cells;

export type TransactionName = Pick<TransactionClaim, 'provider' | 'providerTransactionId'>;

/** Claims operators' transactions for payments. Answers the claims another payment holds. */
export async function claimProviderTransactions(
  tx: Tx,
  wanted: readonly TransactionClaim[],
): Promise<readonly TransactionClaim[]> {
  if (wanted.length === 0) return [];
  await insertClaims(tx, wanted);
  const held = await listTransactionClaims(tx, wanted);
  const owners = new Map(held.map((one) => [transactionName(one), paymentKeyText(one)]));
  return wanted.filter((claim) => owners.get(transactionName(claim)) !== paymentKeyText(claim));
}

/** The claims that are held on operators' transactions. */
export async function listTransactionClaims(
  tx: Tx,
  wanted: readonly TransactionName[],
): Promise<readonly TransactionClaim[]> {
  return claimed.select(tx, `from provider_transactions where ${isAmong(names)}`, valuesOf(names, wanted));
}

/** What was claimed from one time until before another one, by its index of time. At most `countMax` of them. */
export async function listTransactionsClaimed(
  tx: Tx,
  { from, to, countMax }: { readonly from: Date; readonly to: Date; readonly countMax: number },
): Promise<readonly TransactionClaim[]> {
  const tail = 'from provider_transactions where claimed_at >= $1 and claimed_at < $2 limit $3';
  return claimed.select(tx, tail, [from, to, countMax]);
}

export function transactionName({ provider, providerTransactionId }: TransactionName): string {
  return `${provider} ${providerTransactionId}`;
}

/** Of these claims, those to a transaction that another payment has. */
export async function listTakenTransactions(
  tx: Tx,
  wanted: readonly TransactionClaim[],
): Promise<readonly TransactionClaim[]> {
  const held = wanted.length === 0 ? [] : await listTransactionClaims(tx, wanted);
  const owners = new Map(held.map((one) => [transactionName(one), paymentKeyText(one)]));
  return wanted.filter((claim) => {
    const owner = owners.get(transactionName(claim));
    return owner !== undefined && owner !== paymentKeyText(claim);
  });
}

/** The payments that operators' transactions belong to, by transaction. */
export async function listTransactionOwners(
  tx: Tx,
  {
    provider,
    providerTransactionIds,
  }: { readonly provider: string; readonly providerTransactionIds: readonly string[] },
): Promise<ReadonlyMap<string, PaymentKey>> {
  const tail = 'from provider_transactions where provider = $1 and provider_transaction_id = any($2)';
  const rows = await claimed.select(tx, tail, [provider, providerTransactionIds]);
  return new Map(
    rows.map(({ providerTransactionId, merchantId, kind, paymentId }) => [
      providerTransactionId,
      { merchantId, kind, paymentId },
    ]),
  );
}

function attemptOf({ reportedFailure: code, reportedFailureAt: at, ...attempt }: AttemptRow): Attempt {
  return code === undefined || at === undefined ? attempt : { ...attempt, reportedFailure: { code, at } };
}
