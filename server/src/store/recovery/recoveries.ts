// Recoveries: that this database was restored, what it has lost, and how far it has caught up.
import type { Recovery } from '../../domain/recovery.ts';
import { columns, type Row } from '../columns.ts';
import { livesHere } from '../cells/migration-locks.ts';
import type { Tx } from '../database.ts';
import { WAITING } from '../payments/distinct.ts';
import { isChanged, oneRowInserter } from '../rows.ts';

const recoveries = columns({
  recoveryId: 'uuid',
  lostFrom: 'timestamptz',
  begunAt: 'timestamptz',
  askedAt: 'timestamptz null',
  resumedProviders: 'text[]',
  endedAt: 'timestamptz null',
});

export type StoredRecovery = Row<typeof recoveries>;

/** The newest first. */
export async function listRecoveries(tx: Tx): Promise<readonly StoredRecovery[]> {
  return recoveries.select(tx, 'from recoveries order by begun_at desc');
}

/** What the latest restore asks for. An earlier one asks for nothing more: it is older in every way. */
export async function findRecovery(tx: Tx): Promise<Recovery | null> {
  const all = await listRecoveries(tx);
  const [latest] = all;
  if (latest === undefined) return null;
  const { begunAt, askedAt, endedAt, resumedProviders } = latest;
  return {
    lostFrom: new Date(Math.min(...all.map(({ lostFrom }) => lostFrom.getTime()))),
    begunAt,
    isHolding: askedAt === null,
    isOpen: endedAt === null,
    resumedProviders: new Set(resumedProviders),
  };
}

/** Whether a merchant has a payment from before a time that is not final. */
export async function isAnyOpenBefore(
  tx: Tx,
  { merchantId, before }: { readonly merchantId: string; readonly before: Date },
): Promise<boolean> {
  return isChanged(
    tx,
    `select 1 from payments
     where merchant_id = $1 and state not in ('COMPLETED', 'FAILED') and created_at <= $2 limit 1`,
    [merchantId, before],
  );
}

export const insertRecovery = oneRowInserter(
  'recoveries',
  recoveries.only('recoveryId', 'lostFrom', 'begunAt').cells,
);

/** Releases what was held. Of several that find everything asked, the first one's time stays. */
export async function markAsked(tx: Tx, now: Date): Promise<void> {
  await tx.query('update recoveries set asked_at = $1 where asked_at is null', [now]);
}

export async function markEnded(tx: Tx, now: Date): Promise<void> {
  await tx.query('update recoveries set ended_at = $1 where ended_at is null', [now]);
}

export async function markResumed(tx: Tx, provider: string): Promise<void> {
  await tx.query(
    `update recoveries set resumed_providers = resumed_providers || $1::text
     where ended_at is null and $1 <> all (resumed_providers)`,
    [provider],
  );
}

export type RecoveryProgress = {
  /** Payments from before that were not sent, as far as the database knows. */
  readonly unsent: number;
  /** Payments from before whose operator is still to be asked, or to answer for the first time. */
  readonly unasked: number;
  /** Payments from before that are open although their operator was asked. */
  readonly unclear: number;
  /** Payments made since that wait for what their operator says, or for the end of the hold. */
  readonly waiting: number;
  /** Messages that operators vouch for, about payments that no one here knows. */
  readonly strange: number;
  /** Lines of operators' statements, imported since, about nothing that is known here. */
  readonly unknownLines: number;
  /** Payments sent again whose operator had made them: they are in the books, and nothing was sent. */
  readonly repaired: number;
  /** Payments that statements name and no one here knew. */
  readonly unmatched: number;
  /** Of these, those whose money stands in SUSPENSE until their merchants send them again. */
  readonly standing: number;
};

export async function readProgress(
  tx: Tx,
  { begunAt, endedAt }: Pick<StoredRecovery, 'begunAt' | 'endedAt'>,
): Promise<RecoveryProgress> {
  const { rows } = await tx.query<RecoveryProgress>(
    `with open as materialized (
       select created_at <= $1 as is_before, state, next_action, ${HAS_ANSWERED} as is_asked,
         exists (select 1 from payment_attempts a
                 where a.payment_no = p.payment_no and a.send_count = 0) as is_held
       from payments p
       where (next_action is not null or ${WAITING}) and ${livesHere('p')})
     select
       count(*) filter (where is_before and (state = 'ENQUEUED' or next_action = 'SUBMIT'))::int as unsent,
       count(*) filter (where is_before and next_action = 'ENQUIRE' and not is_asked)::int as unasked,
       count(*) filter (where is_before and next_action = 'ENQUIRE' and is_asked)::int as unclear,
       count(*) filter (
         where not is_before and (state = 'ENQUEUED' or next_action = 'SUBMIT' or is_held))::int as waiting,
       (select count(*) from operator_notifications n
        where applied_at is null and reading = 'AUTHENTIC'
          and not exists (select 1 from payment_attempts a where a.reference = n.reference))::int as strange,
       (select count(*) from operator_statements join operator_statement_lines using (statement_id)
        where imported_at >= $1 and finding = 'UNKNOWN')::int as "unknownLines",
       (select count(*) from merchants m cross join lateral (
          select * from payments p where p.merchant_id = m.merchant_id and p.final_at >= $1
            and p.created_at > $1 and p.created_at <= $2 and p.state = 'COMPLETED') p
        where exists (select 1 from payment_attempts a
          where a.payment_no = p.payment_no and a.send_count = 0))::int as repaired,
       (select count(*) from unmatched_payments)::int as unmatched,
       (select count(*) from unmatched_payments where posted_at is not null and released_at is null)::int as standing
     from open`,
    [begunAt, endedAt ?? 'infinity'],
  );
  const [progress] = rows;
  if (progress === undefined) throw new Error('a count has no row');
  return progress;
}

/** Whether operators are still to be asked about payments from before. */
export async function isAnyUnasked(tx: Tx, begunAt: Date): Promise<boolean> {
  const { rows } = await tx.query<{ is_any: boolean }>(
    `select exists (
       select 1 from payments p
       where created_at <= $1 and ${livesHere('p')}
         and (next_action = 'SUBMIT' or ${WAITING}
           or (next_action = 'ENQUIRE' and not ${HAS_ANSWERED}))) as is_any`,
    [begunAt],
  );
  return rows[0]?.is_any ?? true;
}

/** Whether the operator of a payment `p` has been asked since $1: every answer is an event, silence too. */
const HAS_ANSWERED = `exists (
  select 1 from payment_events e
  where e.payment_no = p.payment_no and e.event = 'OPERATOR_ANSWERED' and e.occurred_at >= $1)`;
