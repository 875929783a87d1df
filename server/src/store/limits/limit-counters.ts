// What limits have counted, one row for each window of what is counted apart. Rows are locked by their identifiers, in
// the transaction that accepts or fails payments, after payments and before accounts and wallets.
import { createHash } from 'node:crypto';
import { renderAmount } from '../../domain/money.ts';
import type { Used } from '../../domain/limits/limit.ts';
import { column, columns } from '../columns.ts';
import type { Tx } from '../database.ts';
import type { Pruning } from '../retention.ts';
import { countChanged, unnested, valuesOf } from '../rows.ts';
import { firstTimedUuid } from '../timed-uuid.ts';

/** How much a counter changes by. */
export type CounterChange = Used & { readonly counterId: string; readonly merchantId: string };

const changes = columns({
  counterId: 'uuid',
  merchantId: 'uuid',
  count: column<number>('bigint', 'used_count'),
  amount: column<bigint>('numeric', 'used_amount'),
});

/** The identifier of what is counted under this name in the window that ends then. */
export function counterIdOf(name: string, windowEndsAt: Date): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes.writeUIntBE(windowEndsAt.getTime(), 0, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return uuidOf(bytes);
}

/** When the window of a counter ends: its identifier begins with that time. */
export function windowEndOf(counterId: string): Date {
  return new Date(Number.parseInt(counterId.slice(0, WINDOW_LENGTH).replace('-', ''), 16));
}

/** Whether two counters count under the same name, in windows that may differ. */
export function isSameCount(one: string, other: string): boolean {
  return one.slice(WINDOW_LENGTH) === other.slice(WINDOW_LENGTH);
}

/** Twelve hexadecimal digits and a hyphen. */
const WINDOW_LENGTH = 13;

/**
 * Adds to counters and answers what they had before. In the order of their identifiers, with one statement that makes
 * or changes each row once: a row that is missing is as locked as one that is there.
 */
export async function addToCounters(
  tx: Tx,
  added: readonly CounterChange[],
): Promise<ReadonlyMap<string, Used>> {
  const sorted = added.toSorted((a, b) => (a.counterId < b.counterId ? -1 : 1));
  const after = await changes.query(
    tx,
    `insert into limit_counters as c (counter_id, merchant_id, used_count, used_amount)
     select * from ${unnested(changes.cells)}
     on conflict (counter_id) do update set used_count = c.used_count + excluded.used_count,
       used_amount = c.used_amount + excluded.used_amount
     returning ${changes.names}`,
    valuesOf(changes.cells, sorted),
  );
  const by = new Map(added.map((one) => [one.counterId, one]));
  return new Map(
    after.map(({ counterId, count, amount }) => {
      const own = by.get(counterId);
      return [counterId, { count: count - (own?.count ?? 0), amount: amount - (own?.amount ?? 0n) }];
    }),
  );
}

/** Those of these that have counted anything. */
export async function readCounters(
  tx: Tx,
  counterIds: readonly string[],
): Promise<ReadonlyMap<string, Used>> {
  const rows = await changes.select(tx, 'from limit_counters where counter_id = any ($1::uuid[])', [
    counterIds,
  ]);
  return new Map(rows.map(({ counterId, count, amount }) => [counterId, { count, amount }]));
}

/** Gives back to counters. One whose window was deleted needs nothing. */
export async function takeFromCounters(
  tx: Tx,
  taken: readonly Omit<CounterChange, 'merchantId'>[],
): Promise<void> {
  if (taken.length === 0) return;
  const ids = taken.map(({ counterId }) => counterId);
  if (ids.length > 1) {
    await tx.query(
      'select 1 from limit_counters where counter_id = any ($1::uuid[]) order by counter_id for update',
      [ids],
    );
  }
  await tx.query(
    `update limit_counters c set used_count = c.used_count - g.count, used_amount = c.used_amount - g.amount
     from unnest($1::uuid[], $2::bigint[], $3::numeric[]) as g (counter_id, count, amount)
     where c.counter_id = g.counter_id`,
    [ids, taken.map(({ count }) => count), taken.map(({ amount }) => renderAmount(amount))],
  );
}

/** Answers how many. Windows that ended before. */
export async function pruneCounters(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  return countChanged(
    tx,
    `delete from limit_counters where counter_id in (
       select counter_id from limit_counters where counter_id < $1 order by counter_id limit $2
       for update skip locked)`,
    [firstTimedUuid(before), countMax],
  );
}

const ID_BYTES = 16;

/** As rows of payments have them. */
export function packCounters(counterIds: readonly string[]): Buffer {
  return Buffer.from(counterIds.join('').replaceAll('-', ''), 'hex');
}

export function unpackCounters(packed: Buffer): readonly string[] {
  return Array.from({ length: packed.length / ID_BYTES }, (_, at) =>
    uuidOf(packed.subarray(at * ID_BYTES, (at + 1) * ID_BYTES)),
  );
}

/** The counters that a row `p` names, for statements. */
export const COUNTERS_OF_ROW = `select encode(substring(p.counted_in from at for ${ID_BYTES}), 'hex')::uuid
  from generate_series(1, length(p.counted_in), ${ID_BYTES}) as at`;

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
