// What a gateway holds, counted from its database: the witness of the conformance kit and the shops.
import { select, waitUntil, type TestGateway } from '../../server/test/gateway.ts';

export type Counts = Readonly<Record<string, number>>;

type Holder = Pick<TestGateway, 'engine' | 'merchantId'>;

/** What the gateway holds of a merchant, once all of it is final. */
export async function countHeld(holder: Holder): Promise<Counts> {
  await waitUntil(async () => (await countRows(holder, OPEN_ROWS))['OPEN'] === undefined);
  return countRows(holder, ALL_ROWS);
}

const OPEN_ROWS = `select merchant_id, 'OPEN' as kind from payments where state not in ('COMPLETED', 'FAILED')
  union all select merchant_id, 'OPEN' from split_payments where announced_at is null`;
/** Statements may be repeated: they move no money. */
const ALL_ROWS = `select merchant_id, kind::text from payments union all select merchant_id, 'CHECKOUT' from checkouts
  union all select merchant_id, 'PAGE' from payment_pages`;

async function countRows(holder: Holder, rows: string): Promise<Counts> {
  const counted = await select<{ kind: string; count: number }>(
    holder,
    `select kind, count(*)::int as count from (${rows}) as rows where merchant_id = $1 group by kind`,
    [holder.merchantId],
  );
  return Object.fromEntries(counted.map(({ kind, count }) => [kind, count]));
}

export function difference(after: Counts, before: Counts): Counts {
  const kinds = Object.keys(after).filter((kind) => after[kind] !== before[kind]);
  return Object.fromEntries(kinds.map((kind) => [kind, after[kind]! - (before[kind] ?? 0)]));
}

/** Identifiers the client was told of, and the gateway does not hold. */
export async function listMissing(
  gateway: TestGateway,
  told: readonly { readonly id?: string }[],
): Promise<readonly string[]> {
  const rows = await select<{ id: string }>(
    gateway,
    `select payment_id::text as id from payments union all select checkout_id::text from checkouts
     union all select deposit_id::text from payment_pages union all select statement_id::text from statements`,
  );
  const held = new Set(rows.map(({ id }) => id));
  return told.flatMap(({ id = '' }) => (held.has(id) ? [] : id));
}
