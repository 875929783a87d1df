// The history of the payments of findings, for the person who investigates.
import type { Database } from '../../../server/src/store/database.ts';
import type { Finding } from './verdict.ts';

/** How many payments are shown. */
const SHOWN_MAX = 10;

/** One text per payment: its events, calls and messages, in order. */
export async function renderHistories(
  database: Database,
  findings: readonly Finding[],
): Promise<readonly string[]> {
  const ids = [...new Set(findings.flatMap(({ subject }) => / ([0-9a-f-]{36})$/.exec(subject)?.[1] ?? []))];
  const { rows } = await database.query<{ id: string; at: Date; what: string }>(
    `select id, at, what from (
       select p.payment_id as id, e.occurred_at as at, concat_ws(' ', e.event, e.to_state, e.detail) as what
       from payment_events e join payments p using (payment_no)
       union all
       select a.payment_id, t.at, concat_ws(' ', 'call', t.step, t.http_status, t.error)
       from payment_attempts a join operator_traffic t using (reference)
       union all
       select a.payment_id, n.received_at, concat('message ', n.reading)
       from payment_attempts a join operator_notifications n using (reference)
     ) said where id = any($1::uuid[]) order by id, at`,
    [ids.slice(0, SHOWN_MAX)],
  );
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, said]) =>
    [id, ...said.map(({ at, what }) => `  ${at.toISOString()} ${what}`)].join('\n'),
  );
}
