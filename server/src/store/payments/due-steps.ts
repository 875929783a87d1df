// The work there is to do: payments whose next step is due, taken from the payments themselves by `payments_due_steps`.
// No one waits for a payment that somebody else has in hand. docs/internals/steps.md says why there is no queue.
import type { NextAction, PaymentKey } from '../../domain/payments/payment.ts';
import type { ProviderOperation } from '../operators/availability.ts';
import { columns, type Row } from '../columns.ts';
import { livesHere } from '../cells/migration-locks.ts';
import type { Tx } from '../database.ts';
import { NOT_SUSPENDED } from '../merchants/merchants.ts';
import { selectPayments, type StoredPayment } from './payments.ts';
import { numberedKeys, PAYMENT_NO } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type Taking = {
  readonly now: Date;
  readonly countMax: number;
  /** Whose payments have to wait: as many of them as may be are at their operator. */
  readonly except?: readonly ProviderOperation[] | undefined;
};

const dueSubmits = columns({ ...numberedKeys.defs, provider: 'text' });

export type DueSubmit = Row<typeof dueSubmits>;

const LIVES_HERE = livesHere('payments');

/** With the names of those that are excepted as its parameter. */
const isNotOneOf = (parameter: string) => `provider || ' ' || kind::text <> all (${parameter}::text[])`;

function namesOf(operations: readonly ProviderOperation[] = []): readonly string[] {
  return operations.map(({ provider, operation }) => `${provider} ${operation}`);
}

/** The payments that wait to be sent, whichever worker has them: those that are due longest first. */
export async function listDueSubmits(
  tx: Tx,
  { now, countMax, except }: Taking,
): Promise<readonly DueSubmit[]> {
  return dueSubmits.select(
    tx,
    `from payments
     where next_action = 'SUBMIT' and next_action_at <= $1 and ${isNotOneOf('$3')} and ${LIVES_HERE}
       and (kind <> 'DEPOSIT' or ${NOT_SUSPENDED})
     order by next_action_at limit $2`,
    [now, countMax, namesOf(except)],
  );
}

/** Locks some of these payments, as far as they still wait to be sent and no one else has them in hand. */
export async function lockDueSubmits(
  tx: Tx,
  keyring: Keyring,
  due: readonly PaymentKey[],
  countMax: number,
): Promise<readonly StoredPayment[]> {
  if (due.length === 0) return [];
  return selectPayments(
    tx,
    keyring,
    `from payments where payment_no = any ($1::uuid[]) and next_action = 'SUBMIT'
     order by next_action_at limit $2 for update skip locked`,
    [due.flatMap(({ paymentNo }) => paymentNo ?? []), countMax],
  );
}

/**
 * Takes payments that are to be asked about, those that are due longest first. They are due again at `until`, should
 * anyone who took them never come back with an answer. Only the time of the step moves here, and nothing of the
 * payment.
 */
export async function leaseDueEnquiries(
  tx: Tx,
  { now, until, countMax, except }: Taking & { readonly until: Date },
): Promise<readonly PaymentKey[]> {
  return numberedKeys.query(
    tx,
    `with due as materialized (
       select payment_no from payments
       where next_action = 'ENQUIRE' and next_action_at <= $1 and ${isNotOneOf('$4')} and ${LIVES_HERE}
       order by next_action_at limit $2 for update skip locked)
     update payments p set next_action_at = $3 from due where p.payment_no = due.payment_no
     returning ${numberedKeys.namesIn('p')}`,
    [now, countMax, until, namesOf(except)],
  );
}

/** Deposits that were accepted by a time and are still to be sent, the oldest first. */
export async function listUnsentDeposits(
  tx: Tx,
  { before, countMax }: { readonly before: Date; readonly countMax: number },
): Promise<readonly PaymentKey[]> {
  return numberedKeys.select(
    tx,
    `from payments
     where next_action = 'SUBMIT' and kind = 'DEPOSIT' and created_at <= $1 and ${LIVES_HERE}
     order by created_at limit $2`,
    [before, countMax],
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
  readonly until: Date;
  /** All in `settledCount` are due by this time: `settled`, or earlier where not all were counted. */
  readonly settled: Date;
};

/**
 * Counts the `countMax` payments that have waited longest. Merchants whose payments no worker may take are left out
 * after counting: to ask for every payment takes longer than all the rest.
 */
export async function countWaitingSubmits(
  tx: Tx,
  times: { readonly now: Date; readonly settled: Date; readonly before: Date; readonly countMax: number },
): Promise<CountedSubmits> {
  const { now, settled, before, countMax } = times;
  const { rows } = await tx.query<WaitingSubmits & { readonly all: number; readonly last: Date }>(
    `with waiting as materialized (
       select provider, kind, merchant_id, next_action_at from payments
       where next_action = 'SUBMIT' and next_action_at <= $1
       order by next_action_at limit $4),
     counted as (
       select provider, kind, merchant_id, count(*), min(next_action_at) as since, max(next_action_at) as last,
         count(*) filter (where next_action_at <= $2) as settled,
         count(*) filter (where next_action_at <= $3) as before
       from waiting group by provider, kind, merchant_id)
     select provider, kind as operation, sum(count)::int as count, min(since) as since,
       sum(settled)::int as "settledCount", sum(before)::int as "fromBefore",
       (select sum(count)::int from counted) as "all", (select max(last) from counted) as last
     from counted as payments
     where ${LIVES_HERE} and (kind <> 'DEPOSIT' or ${NOT_SUSPENDED})
     group by provider, kind`,
    [now, settled, before, countMax],
  );
  const [first] = rows;
  const until = first === undefined || first.all < countMax ? now : first.last;
  return { submits: rows, until, settled: until < settled ? until : settled };
}

/** Payments from before a time that no operator was called about. Those that wait for their provider too. */
export async function listUnsentBefore(
  tx: Tx,
  { before, countMax }: { readonly before: Date; readonly countMax: number },
): Promise<readonly PaymentKey[]> {
  return numberedKeys.select(
    tx,
    `from payments
     where (next_action = 'SUBMIT' or (state = 'ENQUEUED' and next_action is null))
       and created_at <= $1 and ${LIVES_HERE} limit $2`,
    [before, countMax],
  );
}

const unsent = columns({ ...numberedKeys.defs, createdAt: 'timestamptz' });

export type UnsentPayment = Row<typeof unsent>;

/** Payments of a merchant that no operator was called about, in the order of time, from behind `after`. */
export async function listUnsentOf(
  tx: Tx,
  page: { readonly merchantId: string; readonly after: UnsentPayment | null; readonly countMax: number },
): Promise<readonly UnsentPayment[]> {
  const { merchantId, after, countMax } = page;
  return unsent.select(
    tx,
    `from payments
     where merchant_id = $1 and state not in ('COMPLETED', 'FAILED')
       and (next_action = 'SUBMIT' or (state = 'ENQUEUED' and next_action is null))
       and ($2::uuid is null or (created_at, payment_no) > ($4, $2))
     order by created_at, payment_no limit $3`,
    [merchantId, after?.paymentNo ?? null, countMax, after?.createdAt ?? null],
  );
}

/** Every payment that is to be asked about is to be asked about now. */
export async function bringEnquiriesForward(tx: Tx, now: Date): Promise<void> {
  await tx.query(
    `update payments set next_action_at = $1 where next_action = 'ENQUIRE' and next_action_at > $1`,
    [now],
  );
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
