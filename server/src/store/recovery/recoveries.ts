// Recoveries: that this database was restored, what it has lost, and how far it has caught up.
import type { Recovery } from '../../domain/recovery.ts';
import { columns, type Row } from '../columns.ts';
import { livesHere } from '../cells/migration-locks.ts';
import type { Tx } from '../database.ts';
import { UNSENT_GROUPS, unsentWhere } from '../payments/unsent-payments.ts';
import { isChanged, oneRowInserter } from '../rows.ts';
import { IS_LIVE } from './unmatched-payments.ts';

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

/** Counted no further than said: then there are this many or more. */
export type Figure = { readonly count: number; readonly isMore: boolean };

export type RecoveryProgress = {
  /** Payments from before that were not sent, as far as the database knows. */
  readonly unsent: Figure;
  /** Payments from before whose operator is still to be asked, or to answer for the first time. */
  readonly unasked: Figure;
  /** Payments from before that are open although their operator was asked. */
  readonly unclear: Figure;
  /** Payments made since that wait for what their operator says, or for the end of the hold. */
  readonly waiting: Figure;
  /** Messages that operators vouch for, about payments that no one here knows. */
  readonly strange: Figure;
  /** Lines of operators' reports, imported since, about nothing that is known here. */
  readonly unknownLines: Figure;
  /** Payments sent again whose operator had made them: they are in the books, and nothing was sent. */
  readonly repaired: Figure;
  /** Payments that reports name and no one here knew. */
  readonly unmatched: Figure;
  /** Of these, those that merchants have sent again. */
  readonly resent: Figure;
  /** Those that two people have decided whose they are. */
  readonly decided: Figure;
  /** Those whose money stands in SUSPENSE until their merchants send them again. */
  readonly standing: Figure;
};

/** Whether the operator of a payment `p` has been asked since $1: every answer is an event, silence too. */
const HAS_ANSWERED = `exists (
  select 1 from payment_events e
  where e.payment_no = p.payment_no and e.event = 'OPERATOR_ANSWERED' and e.occurred_at >= $1)`;

const IS_HELD = `exists (select from payment_attempts a where a.payment_no = p.payment_no and a.send_count = 0)`;

/** Each is counted up to $3, so that the statement ends however much waits. */
const FIGURES: Readonly<Record<string, string>> = {
  unsent: unsentWhere('created_at <= $1', '$3'),
  held: unsentWhere('created_at > $1', '$3'),
  strange: `(select from operator_notifications n
    where applied_at is null and reading = 'AUTHENTIC'
      and not exists (select from payment_attempts a where a.reference = n.reference) limit $3)`,
  unknownLines: `(select from operator_reports join operator_report_lines using (report_id)
    where imported_at >= $1 and finding = 'UNKNOWN' and not voided limit $3)`,
  unmatched: `(select distinct provider, reference, direction from unmatched_payments where withdrawn_at is null
    limit $3)`,
  resent: `(select distinct provider, reference, direction from unmatched_payments where released_at is not null
    limit $3)`,
  decided: `(select distinct provider, reference, direction from unmatched_payments where decided_at is not null
    limit $3)`,
  standing: `(select from unmatched_payments where posted_at is not null and ${IS_LIVE} limit $3)`,
};

const counted = (name: string) => `(select count(*)::int from ${FIGURES[name]} one) as "${name}"`;

type Counts = Readonly<Record<keyof RecoveryProgress | 'sent' | 'held' | 'completed', number>>;

export async function readProgress(
  tx: Tx,
  { begunAt, endedAt }: Pick<StoredRecovery, 'begunAt' | 'endedAt'>,
  countMax = 100_000,
): Promise<RecoveryProgress> {
  const { rows } = await tx.query<Counts>(
    `with recursive ${UNSENT_GROUPS},
     sent as materialized (
       select created_at <= $1 as is_before, ${HAS_ANSWERED} as is_asked, ${IS_HELD} as is_held
       from payments p where next_action = 'ENQUIRE' and ${livesHere('p')} limit $3),
     completed as materialized (
       select ${IS_HELD} as is_held from (
         select p.payment_no from merchants m cross join lateral (
           select payment_no from payments p where p.merchant_id = m.merchant_id and p.final_at >= $1
             and p.created_at > $1 and p.created_at <= $2 and p.state = 'COMPLETED' limit $3) p limit $3) p)
     select ${Object.keys(FIGURES).map(counted).join(', ')},
       (select count(*)::int from sent) as sent,
       (select count(*)::int from sent where is_before and not is_asked) as unasked,
       (select count(*)::int from sent where is_before and is_asked) as unclear,
       (select count(*)::int from sent where not is_before and is_held) as waiting,
       (select count(*)::int from completed) as completed,
       (select count(*)::int from completed where is_held) as repaired`,
    [begunAt, endedAt ?? 'infinity', countMax],
  );
  const [found] = rows;
  if (found === undefined) throw new Error('a count has no row');
  const figure = (count: number, ...among: readonly number[]): Figure => ({
    count,
    isMore: [count, ...among].some((one) => one >= countMax),
  });
  return {
    unsent: figure(found.unsent),
    unasked: figure(found.unasked, found.sent),
    unclear: figure(found.unclear, found.sent),
    waiting: figure(found.waiting + found.held, found.sent),
    strange: figure(found.strange),
    unknownLines: figure(found.unknownLines),
    repaired: figure(found.repaired, found.completed),
    unmatched: figure(found.unmatched),
    resent: figure(found.resent),
    decided: figure(found.decided),
    standing: figure(found.standing),
  };
}

/** Whether operators are still to be asked about payments from before. */
export async function isAnyUnasked(tx: Tx, begunAt: Date): Promise<boolean> {
  const { rows } = await tx.query<{ is_any: boolean }>(
    `with recursive ${UNSENT_GROUPS}
     select exists ${unsentWhere('created_at <= $1', '1')} or exists (
       select from payments p
       where next_action = 'ENQUIRE' and created_at <= $1 and ${livesHere('p')} and not ${HAS_ANSWERED}) as is_any`,
    [begunAt],
  );
  return rows[0]?.is_any ?? true;
}
