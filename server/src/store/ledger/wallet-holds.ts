// Money of wallets that must not leave yet, as rows: why, how much, until when. The money itself is a pending transfer.
import type { FundHold } from '../../domain/limits/freeze.ts';
import type { Evidence } from '../../domain/payments/lifecycle.ts';
import type { ProcessTime } from '../../domain/clock.ts';
import { livesHere } from '../cells/migration-locks.ts';
import { column, columns, type Row } from '../columns.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { isChanged, paymentKeys, rowInserter } from '../rows.ts';

const holds = columns({
  holdId: 'uuid',
  accountId: 'uuid',
  ...paymentKeys.defs,
  reason: column<FundHold>('text'),
  evidence: column<Evidence | null>('text null'),
  amount: 'numeric',
  heldAt: 'timestamptz',
  /** Null: until the case is closed. */
  releaseAt: 'timestamptz null',
});

export type WalletHold = Row<typeof holds>;

export const insertHolds = rowInserter<WalletHold>('wallet_holds', holds.cells);

/** Whether a hold was made, also one that was released since. */
export async function isHoldThere(tx: Tx, holdId: string): Promise<boolean> {
  const { rowCount } = await tx.query('select 1 from wallet_holds where hold_id = $1', [holdId]);
  return rowCount === 1;
}

const OF_WALLET = (name: string) =>
  `(select a.${name} from accounts a where a.account_id = wallet_holds.account_id)`;

const standing = columns({
  ...holds.only('holdId', 'merchantId', 'kind', 'paymentId', 'reason', 'amount', 'releaseAt').defs,
  country: column<string>('text', OF_WALLET('country')),
  currency: column<string>('text', OF_WALLET('currency')),
  provider: column<string>('text', OF_WALLET('provider')),
});

/** A hold, and the wallet that it is of. */
export type StandingHold = Row<typeof standing>;

/** Those that a resolution of a case ends: the case's own, and where `isOfDeposit` those of the deposit it is about. */
export async function listHoldsToEnd(
  tx: Tx,
  { holdId, isOfDeposit, ...key }: PaymentKey & { readonly holdId: string; readonly isOfDeposit: boolean },
): Promise<readonly StandingHold[]> {
  return standing.select(
    tx,
    `from wallet_holds where released_at is null and merchant_id = $1
       and (hold_id = $2 or $3 and reason = 'MANUAL_DEPOSIT' and kind = $4 and payment_id = $5)`,
    [key.merchantId, holdId, isOfDeposit, key.kind, key.paymentId],
  );
}

/** Marks those that are not released yet, and answers them. */
export async function markHoldsReleased(
  tx: Tx,
  holdIds: readonly string[],
  now: Date,
): Promise<readonly StandingHold[]> {
  if (holdIds.length === 0) return [];
  return standing.query(
    tx,
    `update wallet_holds set released_at = $2
     where hold_id = any ($1::uuid[]) and released_at is null returning ${standing.names}`,
    [holdIds, now],
  );
}

/**
 * Whether a hold ends at $1: its time is over and no discrepancy of the payment is open; what the merchant owes for the
 * reversed deposit that it stands for is paid; or the report that alone spoke of a reversal waits no longer, and no
 * case of its own is still to be held.
 */
const IS_DUE = `released_at is null and (
  evidence = 'LATE_FAILURE' and not exists (
    select 1 from payment_keys k join wallet_debts d on d.subject_id = k.payment_no
    where (k.merchant_id, k.kind, k.payment_id) = (wallet_holds.merchant_id, wallet_holds.kind, wallet_holds.payment_id)
      and d.paid + d.forgiven < d.amount)
  or release_at <= $1 and not exists (
    select 1 from cases c
    where (c.merchant_id, c.kind, c.payment_id) = (wallet_holds.merchant_id, wallet_holds.kind, wallet_holds.payment_id)
      and c.evidence = 'DISCREPANCY' and c.resolved_at is null)
  -- Counted, because EXISTS can be planned as one reading of all lines.
  or reason = 'REPORTED_REVERSAL'
    and (select count(*) from operator_report_lines l where l.hold_id = wallet_holds.hold_id) = 0
    and not exists (
      select 1 from missing_follow_ups m where m.type = 'HOLD'
        and (m.merchant_id, m.kind, m.payment_id)
          = (wallet_holds.merchant_id, wallet_holds.kind, wallet_holds.payment_id)))`;

/** Holds that end now, those that were made first before the others. Of merchants that live here. */
export async function listHoldsToRelease(
  tx: Tx,
  { now, countMax }: { readonly now: ProcessTime; readonly countMax: number },
): Promise<readonly WalletHold[]> {
  return holds.select(
    tx,
    `from wallet_holds where ${IS_DUE} and ${livesHere('wallet_holds')} order by held_at limit $2`,
    [now, countMax],
  );
}

/**
 * Marks a hold as released if it still ends now. Null if it does not: it was released, or a case was opened since it
 * was listed. Its payment must be locked, so that no case is being opened meanwhile.
 */
export async function markHoldDue(tx: Tx, holdId: string, now: Date): Promise<StandingHold | null> {
  const [marked] = await standing.query(
    tx,
    `update wallet_holds set released_at = $1 where hold_id = $2 and ${IS_DUE} returning ${standing.names}`,
    [now, holdId],
  );
  return marked ?? null;
}

/** The hold of a payment that only reports say was reversed; null where there is none. */
export async function findReportedHold(
  tx: Tx,
  { merchantId, kind, paymentId }: PaymentKey,
): Promise<string | null> {
  const { rows } = await tx.query<{ hold_id: string }>(
    `select hold_id from wallet_holds
     where payment_id = $3 and merchant_id = $1 and kind = $2 and reason = 'REPORTED_REVERSAL' and released_at is null`,
    [merchantId, kind, paymentId],
  );
  return rows[0]?.hold_id ?? null;
}

/** Whether anything of a merchant is held because only reports say that it was reversed. */
export async function isAnyReportedHold(tx: Tx, merchantId: string): Promise<boolean> {
  return isChanged(
    tx,
    `select 1 from wallet_holds
     where merchant_id = $1 and reason = 'REPORTED_REVERSAL' and released_at is null limit 1`,
    [merchantId],
  );
}

type OperatorAccount = { readonly provider: string; readonly currency: string };

/** Until the transaction ends, no other one counts holds of this account for reported reversals. */
export async function lockReportedHolds(tx: Tx, { provider, currency }: OperatorAccount): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 7063))', [`${provider}/${currency}`]);
}

/**
 * For how many payments of an operator account reports alone have held money since a time, also where it is free again.
 */
export async function countReportedHolds(
  tx: Tx,
  { provider, currency, since }: OperatorAccount & { readonly since: Date },
): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(distinct p.payment_no)::int as count
     from wallet_holds h join payments p using (merchant_id, kind, payment_id)
     where h.reason = 'REPORTED_REVERSAL' and h.held_at > $3 and p.provider = $1 and p.currency = $2`,
    [provider, currency, since],
  );
  return rows[0]?.count ?? 0;
}
