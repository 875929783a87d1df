// The work there is to do: payments whose next step is due, taken from the payments themselves by `payments_due_steps`.
// No one waits for a payment that somebody else has in hand. docs/internals/steps.md says why there is no queue.
import type { NextAction, PaymentKey } from '../../domain/payments/payment.ts';
import type { ProcessTime } from '../../domain/clock.ts';
import type { ProviderOperation } from '../operators/availability.ts';
import { columns, type Row } from '../columns.ts';
import { livesHere } from '../cells/migration-locks.ts';
import type { Tx } from '../database.ts';
import { notSuspended } from '../merchants/merchants.ts';
import { DueFloors, groupName, type StepGroup } from './due-floors.ts';
import { distinct } from './distinct.ts';
import { selectPayments, type StoredPayment } from './payments.ts';
import { numberedKeys, PAYMENT_NO, unnested, valuesOf } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type Taking = {
  readonly now: ProcessTime;
  readonly countMax: number;
  /** Whose payments have to wait: as many of them as may be are at their operator. */
  readonly except?: readonly ProviderOperation[] | undefined;
  /** Of the loop that looks again and again. Default: a look at everything. */
  readonly floors?: DueFloors | undefined;
};

const dueSteps = columns({ ...numberedKeys.defs, provider: 'text', nextActionAt: 'timestamptz' });

export type DueStep = Row<typeof dueSteps>;

const LIVES_HERE = livesHere('payments');

/** Beside the action: who may be worked for now. */
const MAY_BE_TAKEN = {
  SUBMIT: `${LIVES_HERE} and (kind <> 'DEPOSIT' or ${notSuspended('payments')})`,
  ENQUIRE: LIVES_HERE,
} as const;

/** The groups are $1, $2 and $3; each costs one step in `payments_due_steps`, however much waits in the others. */
const inGroups = (action: NextAction, now: string) => `next_action = '${action}' and provider = g.provider
  and kind = g.kind and next_action_at between g.floor and ${now}`;
const groupFloors = columns({ provider: 'text', kind: 'payment_kind', floor: 'timestamptz null' });
const GROUPS = unnested(groupFloors.cells, 'g');

/**
 * Before and behind the code of every provider. Where a collation has letters behind z, the first step of a provider
 * there is found by the next whole look.
 */
const FIRST = { provider: '', kind: 'DEPOSIT', floor: null } as const;
const LAST_PROVIDER = 'zzzz';

const foundSteps = columns({ ...dueSteps.defs, isOther: 'bool' });

/**
 * Ranges of the index that together hold every step, due or not, between one of the groups and the next. Compared as
 * one row, provider and kind would be one range, but PostgreSQL then reads all entries of the next group to its end.
 */
const GAPS = [
  'next_provider = g.provider and provider = g.provider and kind > g.kind and kind < next_kind',
  'next_provider <> g.provider and provider = g.provider and kind > g.kind',
  'provider > g.provider and provider < next_provider',
  'next_provider <> g.provider and provider = next_provider and kind < next_kind',
] as const;

/**
 * What is due in the groups that have a floor. Before it the first step in each gap between them: another group, which
 * is to be looked at as well.
 */
const lookFor = (action: NextAction) => `with g as (
    select *, lead(provider, 1, '${LAST_PROVIDER}') over places as next_provider,
      lead(kind, 1, 'DEPOSIT') over places as next_kind
    from ${GROUPS} window places as (order by provider, kind))
  select due.*, false as "isOther" from g cross join lateral (
    select ${dueSteps.names} from payments where ${inGroups(action, '$4')} and ${MAY_BE_TAKEN[action]}
    order by next_action_at limit $5) due
  ${GAPS.map(
    (gap) => `union all
  select other.*, true from g cross join lateral (
    select ${dueSteps.names} from payments
    where next_action = '${action}' and ${gap} order by provider, kind limit 1) other`,
  ).join('\n  ')}
  order by "isOther" desc, "nextActionAt", "paymentNo" limit $5`;
const LOOKS = { SUBMIT: lookFor('SUBMIT'), ENQUIRE: lookFor('ENQUIRE') };

/**
 * The payments that wait to be sent, whichever worker has them: those that are due longest first, and of those that
 * were released together the oldest.
 */
export function listDueSubmits(tx: Tx, taking: Taking): Promise<readonly DueStep[]> {
  return listDue(tx, 'SUBMIT', taking);
}

async function listDue(tx: Tx, action: NextAction, taking: Taking): Promise<readonly DueStep[]> {
  const { now, countMax, except = [], floors = new DueFloors() } = taking;
  const excepted = new Set(except.map(({ provider, operation }) => groupName({ provider, kind: operation })));
  const active = await floors.groupsAt(now, () => listGroups(tx, action), 'ACTIVE');
  const groups = active.filter((group) => !excepted.has(groupName(group)));
  const passedOver = active.filter((group) => excepted.has(groupName(group)));
  const bounds = [FIRST, ...groups, ...passedOver.map((group) => ({ ...group, floor: null }))];
  const values = [...valuesOf(groupFloors.cells, bounds), now, countMax];
  const due = await foundSteps.query(tx, LOOKS[action], values);
  const others = due.filter(({ isOther }) => isOther);
  if (others.length > 0) {
    floors.add(others);
    return listDue(tx, action, { ...taking, floors });
  }
  const last = due.length < countMax ? undefined : due.at(-1);
  floors.record(groups, { due, until: last?.nextActionAt ?? now });
  return due;
}

const groupsFound = columns({ provider: 'text', kind: 'payment_kind' });

async function listGroups(tx: Tx, action: NextAction): Promise<readonly StepGroup[]> {
  return groupsFound.query(
    tx,
    `with recursive ${distinct('groups', 'provider, kind', `next_action = '${action}'`)} table groups`,
  );
}

/** Locks some of these payments, as far as they wait to be sent, are due by then, and no one else has locked them. */
export async function lockDueSubmits(
  tx: Tx,
  keyring: Keyring,
  due: readonly PaymentKey[],
  { now, countMax }: { readonly now: Date; readonly countMax: number },
): Promise<readonly StoredPayment[]> {
  if (due.length === 0) return [];
  return selectPayments(
    tx,
    keyring,
    `from payments where payment_no = any ($1::uuid[]) and next_action = 'SUBMIT' and next_action_at <= $3
     order by next_action_at, payment_no limit $2 for update skip locked`,
    [due.flatMap(({ paymentNo }) => paymentNo ?? []), countMax, now],
  );
}

/** Others may take from the same list at the same time, and each is to find something. */
export const LISTED_FOR_EACH = 4;

/** The payments that are to be asked about, whichever worker has them, those that are due longest first. */
export function listDueEnquiries(tx: Tx, taking: Taking): Promise<readonly DueStep[]> {
  return listDue(tx, 'ENQUIRE', taking);
}

/**
 * Leases some of these payments for an enquiry, as far as they are due. They are due again at `until`, should no answer
 * be stored by then. Only the time of the step moves here, and nothing of the payment.
 */
export async function leaseEnquiries(
  tx: Tx,
  due: readonly PaymentKey[],
  { now, until, countMax }: { readonly now: Date; readonly until: Date; readonly countMax: number },
): Promise<readonly PaymentKey[]> {
  if (due.length === 0) return [];
  return numberedKeys.query(
    tx,
    `with due as materialized (
       select payment_no from payments
       where payment_no = any ($1::uuid[]) and next_action = 'ENQUIRE' and next_action_at <= $2 and ${LIVES_HERE}
       order by next_action_at limit $3 for update skip locked)
     update payments p set next_action_at = $4 from due where p.payment_no = due.payment_no
     returning ${numberedKeys.namesIn('p')}`,
    [due.flatMap(({ paymentNo }) => paymentNo ?? []), now, countMax, until],
  );
}

/** Payments that wait to be sent. */
export type WaitingSubmits = ProviderOperation & {
  readonly count: number;
  /** How many of them have since `settled`, and since `before`. */
  readonly settledCount: number;
  readonly fromBefore: number;
  /** Since when the first of them. */
  readonly since: Date;
};

export type CountedSubmits = {
  readonly submits: readonly WaitingSubmits[];
  /** All that are due by this time were counted. */
  readonly until: ProcessTime;
  /** All in `settledCount` are due by this time: `settled`, or earlier where not all were counted. */
  readonly settled: ProcessTime;
};

/**
 * Counts the `countMax` payments that have waited longest. Merchants whose payments no worker may take are left out
 * after counting: to ask for every payment takes longer than all the rest.
 */
export async function countWaitingSubmits(
  tx: Tx,
  look: Omit<Taking, 'except'> & { readonly settled: ProcessTime; readonly before: ProcessTime },
): Promise<CountedSubmits> {
  const { now, settled, before, countMax, floors = new DueFloors() } = look;
  const groups = await floors.groupsAt(now, () => listGroups(tx, 'SUBMIT'));
  const { rows } = await tx.query<WaitingSubmits & { readonly all: number; readonly last: Date }>(
    `with waiting as materialized (
       select g.provider, g.kind, merchant_id, next_action_at from ${GROUPS} cross join lateral (
         select merchant_id, next_action_at from payments where ${inGroups('SUBMIT', '$4')}
         order by next_action_at limit $7) first
       order by next_action_at limit $7),
     counted as (
       select provider, kind, merchant_id, count(*), min(next_action_at) as since, max(next_action_at) as last,
         count(*) filter (where next_action_at <= $5) as settled,
         count(*) filter (where next_action_at <= $6) as before
       from waiting group by provider, kind, merchant_id)
     select provider, kind as operation, sum(count)::int as count, min(since) as since,
       sum(settled)::int as "settledCount", sum(before)::int as "fromBefore",
       (select sum(count)::int from counted) as "all", (select max(last) from counted) as last
     from counted as payments
     where ${MAY_BE_TAKEN.SUBMIT}
     group by provider, kind`,
    [...valuesOf(groupFloors.cells, groups), now, settled, before, countMax],
  );
  const [first] = rows;
  const until = first === undefined || first.all < countMax ? now : first.last;
  floors.record(groups, { due: rows.map(firstStepOf), until });
  return { submits: rows, until, settled: until < settled ? until : settled };
}

function firstStepOf({ provider, operation, since }: WaitingSubmits) {
  return { provider, kind: operation, nextActionAt: since };
}

/** As many with one statement, which must not take longer than a statement may. */
const BROUGHT_FORWARD_MAX = 10_000;

/** Every payment that is to be asked about is to be asked about now. */
export async function bringEnquiriesForward(tx: Tx, now: Date): Promise<void> {
  for (const group of await listGroups(tx, 'ENQUIRE')) await bringGroupForward(tx, group, now);
}

/**
 * A row that changed since the statement began is judged again, with `coalesce` so that the index of steps is not read
 * for that too: one that ended is left out. Each statement begins where the one before ended, by the times that it
 * read, because the entries in the index that those leave stay until the transaction ends.
 */
async function bringGroupForward(tx: Tx, { provider, kind }: StepGroup, now: Date): Promise<void> {
  let from = now;
  for (;;) {
    const { rows } = await tx.query<{ count: number; last: Date | null }>(
      `with later as materialized (
         select payment_no, next_action_at from payments
         where next_action = 'ENQUIRE' and provider = $1 and kind = $2 and next_action_at > $3 and next_action_at >= $4
         order by next_action_at limit $5),
       brought as (
         update payments p set next_action_at = $3 from later
         where p.payment_no = later.payment_no and coalesce(p.next_action = 'ENQUIRE' and p.next_action_at > $3, false))
       select count(*)::int as count, max(next_action_at) as last from later`,
      [provider, kind, now, from, BROUGHT_FORWARD_MAX],
    );
    const { count = 0, last = null } = rows[0] ?? {};
    if (last === null || count < BROUGHT_FORWARD_MAX) return;
    from = last;
  }
}

/** A step that cannot be done now stands back, so that it does not keep those behind it waiting. */
export async function postpone(
  tx: Tx,
  { merchantId, kind, paymentId }: PaymentKey,
  step: { readonly action: NextAction; readonly now: Date; readonly until: Date },
): Promise<void> {
  await tx.query(
    `update payments set next_action_at = $6
     where payment_no = ${PAYMENT_NO} and next_action = $4 and next_action_at <= $5`,
    [merchantId, kind, paymentId, step.action, step.now, step.until],
  );
}
