// The operator account that an attempt is claimed with. Everything about the attempt is said with that account: asking,
// sending again, checking its notifications. After its first attempt a payment never changes account.
import type { PaymentEvent } from '../../domain/payments/lifecycle.ts';
import { paymentKeyText, type PaymentKey, type PaymentKind } from '../../domain/payments/payment.ts';
import { isUnsent, listLatestAttempts, type Attempt } from '../../store/payments/attempts.ts';
import type { Tx } from '../../store/database.ts';
import type { StoredPayment } from '../../store/payments/payments.ts';
import { listReplacedAccounts, type ReplacedAccount } from '../../store/operators/replaced-credentials.ts';
import type { Engine } from '../engine.ts';
import {
  credentialsKeyFor,
  hasAccounts,
  isCurrent,
  listKnownAccounts,
  productOf,
  readerOf,
  type KnownAccount,
} from './operator-accounts.ts';

export type AttemptAccount = Pick<Attempt, 'account' | 'refundAccount'>;

/** What is decided about accounts: a payment, or a refund that is not yet one. */
type Subject = Pick<StoredPayment, 'connector' | 'provider' | 'kind'>;

/** Payments that get their account by these events: of a first attempt, or of one that was unsent for want of it. */
export function firstClaims(
  payments: readonly StoredPayment[],
  {
    attempts,
    advances,
  }: {
    readonly attempts: ReadonlyMap<string, Attempt>;
    readonly advances: readonly { readonly key: PaymentKey; readonly event: PaymentEvent }[];
  },
): readonly StoredPayment[] {
  const claims = advances.filter(
    ({ event: { type } }) => type === 'SUBMIT_CLAIMED' || type === 'SUBMIT_HELD',
  );
  const names = new Set(claims.map(({ key }) => paymentKeyText(key)));
  return payments.filter((payment) => {
    const name = paymentKeyText(payment);
    const attempt = attempts.get(name) ?? null;
    return names.has(name) && isUnsent(attempt) && attempt?.account === undefined;
  });
}

/** Of payments that have no attempt yet, by paymentKeyText. One without an account is not sent. */
export async function listAttemptAccounts(
  engine: Engine,
  tx: Tx,
  payments: readonly StoredPayment[],
): Promise<ReadonlyMap<string, AttemptAccount>> {
  const concerned = payments.filter(({ connector }) => hasAccounts(connector));
  if (concerned.length === 0) return new Map();
  const accounts = await readAccounts(engine, tx, concerned);
  const deposits = new Map(
    (await listLatestAttempts(tx, concerned.flatMap(depositOf))).map((one) => [paymentKeyText(one), one]),
  );
  return new Map(
    concerned.map((payment) => {
      const [deposit] = depositOf(payment);
      const attempt = deposit === undefined ? undefined : deposits.get(paymentKeyText(deposit));
      return [paymentKeyText(payment), accountFor(engine, accounts, payment, attempt)];
    }),
  );
}

/**
 * Deposits that can no longer be refunded, by paymentKeyText: only the account that received them could, and it is
 * gone, or it is not known which one it was.
 */
export async function listBeyondReach(
  engine: Engine,
  tx: Tx,
  deposits: readonly { readonly attempt: Attempt; readonly refund: Subject }[],
): Promise<ReadonlySet<string>> {
  const concerned = deposits.filter(({ refund }) => isReversal(engine, refund));
  if (concerned.length === 0) return new Set();
  const refunds = concerned.map(({ refund }) => refund);
  const accounts = await readAccounts(engine, tx, refunds);
  return new Set(
    concerned
      .filter(({ attempt, refund }) => findReversing(engine, accounts, refund, attempt) === 'RETIRED')
      .map(({ attempt }) => paymentKeyText(attempt)),
  );
}

/** Whether the account of these payments was replaced at this time or later. */
export async function isReplacedSince(engine: Engine, payment: Subject, since: Date): Promise<boolean> {
  if (!hasAccounts(payment.connector)) return false;
  const key = keyFor(engine, payment, payment.kind);
  const replaced = await listReplacedAccounts(engine.store.database);
  return replaced.some((one) => isOfKey(one, key) && one.replacedAt >= since);
}

type Accounts = {
  readonly known: readonly KnownAccount[];
  readonly replaced: readonly ReplacedAccount[];
};

/** Read with the transaction's own connection: one that waits for a second connection could wait for itself. */
async function readAccounts(engine: Engine, tx: Tx, subjects: readonly Subject[]): Promise<Accounts> {
  const connectors = [...new Set(subjects.map(({ connector }) => connector))];
  return {
    known: await listKnownAccounts(tx, readerOf(engine), connectors),
    replaced: await listReplacedAccounts(tx),
  };
}

function accountFor(
  engine: Engine,
  accounts: Accounts,
  payment: Subject,
  deposit: Attempt | undefined,
): AttemptAccount {
  if (isReversal(engine, payment)) {
    const reversing = findReversing(engine, accounts, payment, deposit);
    return reversing === 'RETIRED' || reversing.account === null ? {} : { account: reversing.account };
  }
  const account = findCurrent(engine, accounts, payment, payment.kind);
  if (account === null) return {};
  const refundAccount = payment.kind === 'DEPOSIT' ? reversingNow(engine, accounts, payment) : null;
  return { account, ...(refundAccount === null ? {} : { refundAccount }) };
}

/** Whether it undoes a transaction that only the account of that transaction can name. */
function isReversal({ connectors }: Pick<Engine, 'connectors'>, { connector, kind }: Subject): boolean {
  if (kind !== 'REFUND' || !hasAccounts(connector)) return false;
  const mode = connectors.get(connector)?.refund?.mode;
  return mode !== undefined && mode !== 'PAYOUT_EMULATED';
}

/** The account that reverses a deposit; null while its credentials are not set. */
function findReversing(
  engine: Engine,
  { known, replaced }: Accounts,
  refund: Subject,
  deposit: AttemptAccount | undefined,
): { readonly account: string | null } | 'RETIRED' {
  const recorded = deposit?.refundAccount;
  if (recorded !== undefined) {
    const isKept = known.some(
      ({ connector, accountId }) => connector === refund.connector && accountId === recorded,
    );
    return isKept ? { account: recorded } : 'RETIRED';
  }
  const key = keyFor(engine, refund, 'DEPOSIT');
  const isUnchanged =
    deposit?.account === undefined
      ? !replaced.some((one) => isOfKey(one, key))
      : findCurrent(engine, { known, replaced }, refund, 'DEPOSIT') === deposit.account;
  return isUnchanged ? { account: reversingNow(engine, { known, replaced }, refund) } : 'RETIRED';
}

/** The account that would reverse a deposit of now: its own, where one product does both. */
function reversingNow(engine: Engine, accounts: Accounts, subject: Subject): string | null {
  const { connector } = subject;
  const isItself = productOf(connector, 'DEPOSIT') === productOf(connector, 'REFUND');
  return findCurrent(engine, accounts, subject, isItself ? 'DEPOSIT' : 'REFUND');
}

function findCurrent(
  engine: Engine,
  { known }: Accounts,
  subject: Subject,
  operation: PaymentKind,
): string | null {
  const key = keyFor(engine, subject, operation);
  return known.find((one) => isCurrent(one, key))?.accountId ?? null;
}

function keyFor({ bindings }: Engine, { connector, provider }: Subject, operation: PaymentKind) {
  return credentialsKeyFor(bindings, connector, { provider, operation });
}

function isOfKey(one: ReplacedAccount, key: ReturnType<typeof keyFor>): boolean {
  return one.connector === key.connector && one.account === key.account && one.product === key.product;
}

function depositOf({ merchantId, kind, depositId }: StoredPayment): readonly PaymentKey[] {
  if (kind !== 'REFUND' || depositId === undefined) return [];
  return [{ merchantId, kind: 'DEPOSIT', paymentId: depositId }];
}
