// Claims on wallets, as rows: why money must not leave yet, how much is wanted, how much of it is held, until when.
// What is held are pending transfers, one for each time that money arrived. Rows change only under their wallet's lock.
import type { FundHold } from '../../domain/limits/freeze.ts';
import { lesser } from '../../domain/ledger/postings.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
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
  /** Of the case, among those of its payment with the same evidence. */
  caseNo: 'int null',
  wanted: 'numeric',
  /** What of it is held. */
  amount: 'numeric',
  /** How many transfers hold it. */
  parts: 'int',
  heldAt: 'timestamptz',
  /** Null: until the case is closed. */
  releaseAt: 'timestamptz null',
});

export type WalletHold = Row<typeof holds>;

export const insertHolds = rowInserter<WalletHold>('wallet_holds', holds.cells);

const known = columns({
  ...holds.only('holdId', 'wanted', 'amount', 'parts').defs,
  isReleased: column<boolean>('bool', 'released_at is not null'),
});

/** A hold that was made before, also one that was released since. Its wallet must be locked. */
export async function findHold(tx: Tx, holdId: string): Promise<Row<typeof known> | null> {
  return known.find(tx, 'from wallet_holds where hold_id = $1', [holdId]);
}

/** More is wanted of a hold than before, and so much of it is held now. Its wallet must be locked. */
export async function raiseHold(
  tx: Tx,
  { holdId, wanted, amount, parts }: Pick<WalletHold, 'holdId' | 'wanted' | 'amount' | 'parts'>,
): Promise<void> {
  await tx.query('update wallet_holds set wanted = $2, amount = $3, parts = $4 where hold_id = $1', [
    holdId,
    renderAmount(wanted),
    renderAmount(amount),
    parts,
  ]);
}

/** The first leg of the transfer that holds a further part. */
export function legNoOfPart(partNo: number): number {
  return partNo === 0 ? 0 : FURTHER_PARTS_LEG_NO + partNo;
}

/** Behind everything else that is posted under a hold's name. */
const FURTHER_PARTS_LEG_NO = 1_000;

/**
 * Whether hold `h` wants money that becomes available. What a reversal lacks is collected instead, because the merchant
 * owes it. While a manually COMPLETED deposit is held, cases about it are held with it: it stays held until they are
 * resolved, and the same money is not held twice.
 */
const isShort = (without: string) => `h.released_at is null and h.amount < h.wanted
  and h.evidence is distinct from 'LATE_FAILURE' and h.hold_id <> all (${without}::uuid[])
  and (h.reason = 'MANUAL_DEPOSIT' or not exists (
    select from wallet_holds d
    where (d.merchant_id, d.kind, d.payment_id) = (h.merchant_id, h.kind, h.payment_id)
      and d.reason = 'MANUAL_DEPOSIT' and d.released_at is null and d.hold_id <> all (${without}::uuid[])))`;

const shortOf = (without: string) => `(
  select coalesce(sum(h.wanted - h.amount), 0) from wallet_holds h
  where h.account_id = w.account_id and ${isShort(without)})`;

const notedOf = (without: string) => `(
  select coalesce(sum(m.wanted), 0) from missing_follow_ups m
  where m.account_id = w.account_id and m.detail ->> 'holdId' <> all (${without}::uuid[]::text[]))`;

const NONE = `'{}'`;

/** What the holds of wallet `w` want and do not hold, with those that could not be made yet. */
export const UNHELD = `(${shortOf(NONE)} + ${notedOf(NONE)})`;

/** Counts again what the holds of wallets want. To be called after each change of a hold, under the wallets' locks. */
export async function refreshUnheld(tx: Tx, walletIds: readonly string[]): Promise<void> {
  if (walletIds.length === 0) return;
  await tx.query(
    `update wallets w set unheld = ${UNHELD} where account_id = any($1::uuid[]) and unheld <> ${UNHELD}`,
    [walletIds],
  );
}

const claims = columns({
  merchantId: column<string>('uuid', 'a.merchant_id'),
  country: 'text',
  currency: 'text',
  provider: 'text',
  available: column<Amount>('numeric', 'w.posted - w.held'),
  owed: column<Amount>('numeric', 'w.owed'),
  /** What is held for reversals, which the merchant owes. */
  covered: column<Amount>(
    'numeric',
    `(select coalesce(sum(h.amount), 0) from wallet_holds h
      where h.account_id = w.account_id and h.released_at is null and h.evidence = 'LATE_FAILURE'
        and h.hold_id <> all ($2::uuid[]))`,
  ),
  /** What holds want beyond what they hold. */
  short: column<Amount>('numeric', shortOf('$2')),
  /** What holds want that could not be made yet. */
  noted: column<Amount>('numeric', notedOf('$2')),
});

/** What is claimed of a wallet beside what it holds. */
export type WalletClaims = Row<typeof claims>;

/** As if the holds of `without` had ended. Null for a wallet that was never made. */
export async function findClaims(
  tx: Tx,
  walletId: string,
  { without = [] }: { readonly without?: readonly string[] } = {},
): Promise<WalletClaims | null> {
  return claims.find(tx, 'from wallets w join accounts a using (account_id) where account_id = $1', [
    walletId,
    without,
  ]);
}

const short = columns({
  ...holds.only('holdId', 'merchantId', 'wanted', 'amount', 'parts').defs,
});

/** A further part of a hold. */
export type HoldPart = Row<typeof short> & { readonly more: Amount };

/** How many holds are filled up in one go. Most wallets have one or two. */
const FILLED_AT_ONCE = 50;

/**
 * Fills up the holds of a wallet that are short from what is free, those that were made first before the others.
 * Answers the parts, whose transfers the caller writes in the same transaction. The wallet must be locked.
 */
export async function fillHolds(tx: Tx, walletId: string, free: Amount): Promise<readonly HoldPart[]> {
  const found = await short.query(
    tx,
    `select ${short.namesIn('h')} from wallet_holds h where h.account_id = $1 and ${isShort(NONE)}
     order by h.held_at, h.hold_id limit ${FILLED_AT_ONCE}`,
    [walletId],
  );
  let left = free;
  const parts = found.flatMap((hold) => {
    const more = lesser(left, hold.wanted - hold.amount);
    left -= more;
    return more > 0n ? [{ ...hold, more }] : [];
  });
  for (const { holdId, wanted, amount, parts: count, more } of parts) {
    await raiseHold(tx, { holdId, wanted, amount: amount + more, parts: count + 1 });
  }
  return parts;
}

const OF_WALLET = (name: string) =>
  `(select a.${name} from accounts a where a.account_id = wallet_holds.account_id)`;

const standing = columns({
  ...holds.only('holdId', 'accountId', 'merchantId', 'kind', 'paymentId', 'reason', 'amount', 'releaseAt')
    .defs,
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

/** Locks the wallets of holds. Wallets come before their holds, so that no two transactions wait for each other. */
export async function lockWalletsOfHolds(tx: Tx, holdIds: readonly string[]): Promise<void> {
  await tx.query(
    `select 1 from wallets
     where account_id in (select h.account_id from wallet_holds h where h.hold_id = any ($1::uuid[]))
     order by account_id for update`,
    [holdIds],
  );
}

/** Marks holds as released and returns those that were not released before. Their wallets must be locked. */
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

// Counted where a table is large, because EXISTS can be planned as one reading of all of it.
const WAITING_LINES = `(
  select count(*) from operator_report_lines l
  where (l.merchant_id, l.kind, l.payment_id) = (wallet_holds.merchant_id, wallet_holds.kind, wallet_holds.payment_id)
    and l.effect is not null)`;

/**
 * Whether a hold ends at $1, because its reason has: its case is resolved; what the merchant owes for the reversed
 * deposit that it stands for is paid; its time is over, no discrepancy of the payment is open and no line of a report
 * about it waits; or the report that alone spoke of a reversal waits no longer, and no case of its own is still to be
 * held.
 */
const IS_DUE = `released_at is null and (
  evidence = 'LATE_FAILURE' and not exists (
    select 1 from payment_keys k join wallet_debts d on d.subject_id = k.payment_no
    where (k.merchant_id, k.kind, k.payment_id) = (wallet_holds.merchant_id, wallet_holds.kind, wallet_holds.payment_id)
      and d.paid + d.forgiven < d.amount)
  or reason = 'CASE' and exists (
    select 1 from cases c
    where (c.merchant_id, c.kind, c.payment_id, c.evidence, c.case_no) = (wallet_holds.merchant_id, wallet_holds.kind,
      wallet_holds.payment_id, wallet_holds.evidence, wallet_holds.case_no) and c.resolved_at is not null)
  or release_at <= $1 and ${WAITING_LINES} = 0 and not exists (
    select 1 from cases c
    where (c.merchant_id, c.kind, c.payment_id) = (wallet_holds.merchant_id, wallet_holds.kind, wallet_holds.payment_id)
      and c.evidence = 'DISCREPANCY' and c.resolved_at is null)
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
 * was listed. Its payment and its wallet must be locked, so that no case is being opened and nothing is added
 * meanwhile.
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

/** The hold of a deposit that people ended as COMPLETED, while it stands; null where there is none. */
export async function findManualHold(
  tx: Tx,
  { merchantId, kind, paymentId }: PaymentKey,
): Promise<string | null> {
  const { rows } = await tx.query<{ hold_id: string }>(
    `select hold_id from wallet_holds
     where payment_id = $3 and merchant_id = $1 and kind = $2 and reason = 'MANUAL_DEPOSIT' and released_at is null
       and amount = wanted`,
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

/**
 * The hold of the least money that reports alone have made of this account since a time, and that a line still waits
 * with; null where none wants less than `below`.
 */
export async function findSmallestReported(
  tx: Tx,
  { provider, currency, since, below }: OperatorAccount & { readonly since: Date; readonly below: Amount },
): Promise<WalletHold | null> {
  return holds.find(
    tx,
    `from wallet_holds
     where reason = 'REPORTED_REVERSAL' and held_at > $3 and released_at is null and wanted < $4
       and (select count(*) from payments p
         where (p.merchant_id, p.kind, p.payment_id) = (wallet_holds.merchant_id, wallet_holds.kind,
           wallet_holds.payment_id) and p.provider = $1 and p.currency = $2) > 0
       and (select count(*) from operator_report_lines l where l.hold_id = wallet_holds.hold_id) > 0
     order by wanted, held_at desc, hold_id limit 1`,
    [provider, currency, since, renderAmount(below)],
  );
}
