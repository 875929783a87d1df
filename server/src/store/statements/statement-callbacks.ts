// The callback of a statement goes where its request said. Such an address is an endpoint like any other, with an
// endpoint queue of its own, for as long as somebody names it.
import type { Tx } from '../database.ts';
import { countChanged } from '../rows.ts';
import { derivedUuid } from '../derived-uuid.ts';
import type { Pruning } from '../retention.ts';
import type { StatementKey } from './statements.ts';
import { timedUuid } from '../timed-uuid.ts';

/**
 * Writes the callback of a statement, and the endpoint it goes to. An address that was switched off is tried again: it
 * was just named again. `created_at` of the endpoint moves with every naming, by which pruning knows that it is used.
 */
export async function insertStatementCallback(
  tx: Tx,
  callback: StatementKey & {
    readonly url: string;
    readonly announcedState: 'COMPLETED' | 'FAILED';
    readonly createdAt: Date;
  },
): Promise<void> {
  const { merchantId, statementId, url, announcedState, createdAt } = callback;
  await tx.query(
    `with endpoint as (
       insert into callback_endpoints (endpoint_id, merchant_id, url, created_at) values ($1, $2, $3, $4)
       on conflict (endpoint_id)
         do update set created_at = excluded.created_at, disabled_at = null, disabled_because = null
       returning endpoint_id),
     endpoint_queue as (
       insert into endpoint_queues (endpoint_id, leased_until, paused_until) select endpoint_id, $4, $4 from endpoint
       on conflict (endpoint_id)
         do update set failure_count = 0, failing_since = null, paused_until = excluded.paused_until)
     insert into callbacks (merchant_id, kind, payment_id, subject_id, callback_id, announced_state, created_at, due_at,
       endpoint_id, status)
     select $2, 'STATEMENT', $5, $5, $6, $7, $4, $4, endpoint_id, 'PENDING' from endpoint`,
    [
      derivedUuid(`statement-endpoint/${merchantId}/${url}`),
      merchantId,
      url,
      createdAt,
      statementId,
      timedUuid(createdAt),
      announcedState,
    ],
  );
}

/** Forgets addresses that no statement has named since, with their endpoint queues. Answers how many. */
export async function pruneStatementEndpoints(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  return countChanged(
    tx,
    `with unused as (
       select endpoint_id from callback_endpoints e where kind is null and created_at < $1 and not exists (
         select 1 from callbacks c where c.endpoint_id = e.endpoint_id and c.status = 'PENDING')
       limit $2 for update skip locked),
     endpoint_queues as (delete from endpoint_queues l using unused where l.endpoint_id = unused.endpoint_id)
     delete from callback_endpoints e using unused where e.endpoint_id = unused.endpoint_id`,
    [before, countMax],
  );
}
