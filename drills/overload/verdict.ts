// The outcome of everything that merchants got an answer about.
import { listUnbalancedWallets } from '../../server/src/store/ledger/ledger.ts';
import type { Database } from '../../server/src/store/database.ts';
import type { Traffic } from './traffic.ts';

export type Verdict = {
  readonly accepted: number;
  readonly shed: number;
  /** Acknowledged, but missing or not COMPLETED. */
  readonly lost: number;
  /** Shed, but it exists all the same. */
  readonly takenUnsaid: number;
  readonly undelivered: number;
  readonly unbalancedWallets: number;
};

export async function checkPayments(database: Database, { accepted, shed }: Traffic): Promise<Verdict> {
  const { rows } = await database.query<{ id: string; state: string; delivered: boolean }>(
    `select p.payment_id as id, p.state::text, exists (
       select from callbacks c
       where c.subject_id = p.payment_no and c.status = 'DELIVERED') as delivered
     from payments p where p.kind = 'DEPOSIT'`,
  );
  const completed = new Set(rows.filter(({ state }) => state === 'COMPLETED').map(({ id }) => id));
  const delivered = new Set(rows.filter((row) => row.delivered).map(({ id }) => id));
  return {
    accepted: accepted.size,
    shed: shed.size,
    lost: countMissing(accepted, completed),
    takenUnsaid: rows.filter(({ id }) => shed.has(id)).length,
    undelivered: countMissing(accepted, delivered),
    unbalancedWallets: (await listUnbalancedWallets(database)).length,
  };
}

function countMissing(expected: ReadonlySet<string>, found: ReadonlySet<string>): number {
  return [...expected].filter((id) => !found.has(id)).length;
}
