// Payments that no operator was called about, found by their age however many wait.
import type { Hold } from '../../domain/limits/freeze.ts';
import { PAYMENT_KINDS, type PaymentKey } from '../../domain/payments/payment.ts';
import type { ProcessTime } from '../../domain/clock.ts';
import { livesHere } from '../cells/migration-locks.ts';
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { numberedKeys } from '../rows.ts';
import { distinct, ENQUEUED, WAITING } from './distinct.ts';

const LIVES_HERE = livesHere('payments');

/** In the words of `payments_unsent`, which no other index has: it alone is by age. */
const TO_SUBMIT = `next_action is not distinct from 'SUBMIT'`;

/** Deposits that were accepted by a time and are still to be sent, the oldest first. */
export async function listUnsentDeposits(
  tx: Tx,
  { before, countMax }: { readonly before: ProcessTime; readonly countMax: number },
): Promise<readonly PaymentKey[]> {
  return numberedKeys.select(
    tx,
    `from payments
     where ${TO_SUBMIT} and kind = 'DEPOSIT' and created_at <= $1 and ${LIVES_HERE}
     order by created_at limit $2`,
    [before, countMax],
  );
}

/** For `with recursive`: what `unsentWhere` names. Each group costs a step in an index. */
export const UNSENT_GROUPS = `${distinct('enqueued_groups', 'provider, kind, merchant_id, wallet_id', ENQUEUED)},
  ${distinct('frozen_groups', 'held_by, provider, kind, merchant_id', `held = 'FREEZE'`)}`;

/** Each alone: asked for both at once, PostgreSQL reads the index of held payments that is not by age. */
const HELD_BY_AGE: readonly Hold[] = ['SCREENING', 'REVIEW'];

const KINDS = PAYMENT_KINDS.map((kind) => `('${kind}'::payment_kind)`).join(', ');

const inGroup = (names: string) => `(${names}) = (${names.replaceAll(/\w+/g, 'g.$&')})`;

/**
 * For statements: the keys of payments whose operator was not called, by a condition on `created_at`, at most so many.
 * Those of other times are not read.
 */
export function unsentWhere(created: string, countMax: string): string {
  const first = (where: string) => `cross join lateral (
    select ${numberedKeys.names} from payments where ${where} and ${created}
    order by created_at limit ${countMax}) first`;
  return `(select first.* from (values ${KINDS}) as kinds (kind)
    ${first(`${TO_SUBMIT} and payments.kind = kinds.kind and ${LIVES_HERE}`)}
  union all select first.* from enqueued_groups g
    ${first(`${ENQUEUED} and ${inGroup('provider, kind, merchant_id, wallet_id')}`)}
    where ${livesHere('g')}
  union all select first.* from frozen_groups g
    ${first(`held = 'FREEZE' and ${inGroup('held_by, provider, kind, merchant_id')}`)}
    where ${livesHere('g')}
  ${HELD_BY_AGE.map(
    (held) => `union all (select ${numberedKeys.names} from payments
    where held = '${held}' and ${LIVES_HERE} and ${created} order by created_at limit ${countMax})`,
  ).join('\n  ')}
  limit ${countMax})`;
}

/** Payments from before a time, at most so many. Those that wait for their provider too. */
export async function listUnsentBefore(
  tx: Tx,
  { before, countMax }: { readonly before: ProcessTime; readonly countMax: number },
): Promise<readonly PaymentKey[]> {
  return numberedKeys.query(
    tx,
    `with recursive ${UNSENT_GROUPS} select * from ${unsentWhere('created_at <= $1', '$2')} unsent`,
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
       and (next_action = 'SUBMIT' or ${WAITING})
       and ($2::uuid is null or (created_at, payment_no) > ($4, $2))
     order by created_at, payment_no limit $3`,
    [merchantId, after?.paymentNo ?? null, countMax, after?.createdAt ?? null],
  );
}
