// Days of sums beside what their transfers come to, and the sums set right.
import { amountOfNumeric, columns, type Row } from '../columns.ts';
import { inTransaction, type Database, type Tx } from '../database.ts';
import { unnested, valuesOf } from '../rows.ts';
import { ADDED, countsHere, factsIn, PROGRESS, SUMMED, SUMS, waitForSummingTurn } from './ledger-rollups.ts';

const daySums = columns({
  accountId: 'uuid',
  merchantId: 'uuid',
  credits: 'numeric',
  debits: 'numeric',
  held: 'numeric',
  released: 'numeric',
});

/** What moved on an account for a merchant. */
export type DaySum = Row<typeof daySums>;

/** As JSON has it, exact. */
type StoredSum = Readonly<Record<keyof DaySum, string>>;
const AS_JSON = `coalesce(json_agg(json_build_object('accountId', account_id, 'merchantId', merchant_id,
  ${SUMS.map((name) => `'${name}', ${name}::text`).join(', ')})), '[]')`;

export type SummedDay = {
  /** How much of the day is summed up; null where nothing is. */
  readonly until: Date | null;
  readonly sums: readonly DaySum[];
  /** Merchants of which more or less of the day may be summed up: they came from another cell a moment ago. */
  readonly apart: readonly string[];
};

/** A day as it is summed up, all in one statement. */
export async function readSummedDay(tx: Tx, dayAt: Date): Promise<SummedDay> {
  const { rows } = await tx.query<{ until: Date | null; apart: string[]; sums: StoredSum[] }>(
    `with ${PROGRESS}
     select case when start.summed_until > $1 then least(start.summed_until, $1::timestamptz + interval '1 day') end
         as until,
       array(select merchant_id::text from own) as apart,
       (select ${AS_JSON} from ledger_days d where day_at = $1 and ${countsHere('d')}) as sums
     from start`,
    [dayAt],
  );
  const { until = null, apart = [], sums = [] } = rows[0] ?? {};
  return { until, apart, sums: sums.map(daySumOf) };
}

function daySumOf({ accountId, merchantId, ...sums }: StoredSum): DaySum {
  return {
    accountId,
    merchantId,
    credits: amountOfNumeric(sums.credits),
    debits: amountOfNumeric(sums.debits),
    held: amountOfNumeric(sums.held),
    released: amountOfNumeric(sums.released),
  };
}

/** The same from the transfers, of a part of the day; and how many they were. */
export async function sumSpan(
  tx: Tx,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<{ readonly sums: readonly DaySum[]; readonly transferCount: number }> {
  const span = { since: '$1::timestamptz', begin: '$1::timestamptz', until: '$2::timestamptz' };
  const { rows } = await tx.query<{ sums: StoredSum[]; transfer_count: number }>(
    `with ${factsIn(span)}
     select coalesce((select sum(transfer_count) from grouped), 0)::int as transfer_count,
       ${AS_JSON} as sums
     from (select account_id, merchant_id, ${SUMMED} from facts group by 1, 2) each`,
    [from, until],
  );
  const { sums = [], transfer_count: transferCount = 0 } = rows[0] ?? {};
  return { sums: sums.map(daySumOf), transferCount };
}

/** The first day that is summed up. */
export async function findFirstDay(tx: Tx): Promise<Date | null> {
  const { rows } = await tx.query<{ day_at: Date }>(
    `select day_at from ledger_days where day_at > '-infinity' order by day_at limit 1`,
  );
  return rows[0]?.day_at ?? null;
}

/** A sum of a day that is not what the transfers come to. */
export type SumDifference = { readonly was: DaySum; readonly is: DaySum };

const corrections = columns({
  dayAt: 'timestamptz',
  ...daySums.defs,
  wasCredits: 'numeric',
  wasDebits: 'numeric',
  wasHeld: 'numeric',
  wasReleased: 'numeric',
});

/** Sets sums of a day to what the transfers come to, and changes the totals by as much; not what changed meanwhile. */
export async function correctSums(
  database: Database,
  dayAt: Date,
  differences: readonly SumDifference[],
): Promise<void> {
  const rows = differences.map(({ was, is }) => ({
    ...is,
    dayAt,
    wasCredits: was.credits,
    wasDebits: was.debits,
    wasHeld: was.held,
    wasReleased: was.released,
  }));
  const values = valuesOf(corrections.cells, rows);
  const from = unnested(corrections.cells, 'c');
  const zeros = SUMS.map(() => '0').join(', ');
  await inTransaction(database, async (tx) => {
    await waitForSummingTurn(tx);
    await tx.query(
      `insert into ledger_days (day_at, account_id, merchant_id, ${SUMS.join(', ')})
       select day_at, account_id, merchant_id, ${zeros} from ${from} on conflict do nothing`,
      values,
    );
    await tx.query(
      `with corrected as (
         update ledger_days d set ${SUMS.map((name) => `${name} = c.${name}`).join(', ')} from ${from}
         where (d.day_at, d.account_id, d.merchant_id) = (c.day_at, c.account_id, c.merchant_id)
           and (d.credits, d.debits, d.held, d.released)
             = (c.was_credits, c.was_debits, c.was_held, c.was_released)
         returning c.*)
       insert into ledger_totals as s (account_id, merchant_id, ${SUMS.join(', ')})
       select account_id, merchant_id, ${SUMS.map((name) => `${name} - was_${name}`).join(', ')} from corrected
       on conflict (account_id, merchant_id) do update set ${ADDED}`,
      values,
    );
  });
}
