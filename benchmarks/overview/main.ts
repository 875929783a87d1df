// `npm run bench:overview`: how long the overview and the movements of a merchant with a million payments take, over
// HTTP at the server; how long it takes to count them for the first time; and whether the counts are a recount.
//
//   npm run bench:overview                      some minutes, most of them for loading
//   npm run bench:overview -- --folder here     the cluster stays there, to be measured again without loading
//   npm run bench:overview -- --smoke           with twenty thousand payments, for every change
//
// Ends with one line of figures, and with code 0 only if everything came in time and the counts are right.
import { withHooks } from '../../drills/kit/database.ts';
import { finish, listUnkept, startProgram } from '../../drills/kit/program.ts';
import { countHours } from '../../server/src/core/payments/read/count-hours.ts';
import { forgetHours } from '../../server/src/store/payments/payment-hours.ts';
import { clockAt } from '../../server/test/clocks.ts';
import { stepOf, type Step } from '../gateway/statistics.ts';
import { startSearch, type SearchSetup } from '../search/setup.ts';

const GOAL_MS = 300;
const ROUNDS = 50;
const DAY_MS = 86_400_000;

const program = startProgram('npm run bench:overview --', {
  count: { full: 1_000_000, smoke: 20_000 },
  folder: null,
  smoke: false,
});
const { say, options } = program;
const { count: payments, folder } = options;

const { counted, figures, wrong } = await withHooks(async (hooks) => {
  const setup = await startSearch(hooks, { count: payments, folder, say });
  say('counting');
  const hours = await countAll(setup);
  // As autovacuum would do a minute later.
  await setup.database.query('vacuum (analyze) payment_hours, payment_days');
  return { counted: hours, figures: await measureAll(setup), wrong: await countWrong(setup) };
});
const slowestMs = Math.round(Math.max(...Object.values(figures).map(({ p99Ms }) => p99Ms)));
finish(program, {
  report: '',
  summary: { payments, ...counted, ...figures, slowestMs, wrong },
  faults: listUnkept({
    [`everything is answered within ${GOAL_MS} ms`]: slowestMs < GOAL_MS,
    'the counts are those of a recount': wrong === 0,
  }),
});

/** For the first time, as after an upgrade. */
async function countAll({ database, past }: SearchSetup) {
  await forgetHours(database, past.merchantId);
  const counter = { clock: clockAt(() => new Date()), store: { database } };
  const since = performance.now();
  let rounds = 1;
  while ((await countHours(counter)) === 'MORE') rounds += 1;
  const countSeconds = Math.round((performance.now() - since) / 100) / 10;
  const idle = performance.now();
  await countHours(counter);
  const { rows } = await database.query<{ hours: number }>(
    'select count(*)::int as hours from payment_hours where merchant_id = $1',
    [past.merchantId],
  );
  return {
    countSeconds,
    rounds,
    idleRoundMs: rounded(performance.now() - idle),
    hourRows: rows[0]?.hours ?? 0,
  };
}

async function measureAll(at: SearchSetup) {
  const { past } = at;
  const now = past.until.getTime();
  const overview = (days: number) =>
    timeOf(at, () => `overview?from=${dayOf(now - (days - 1) * DAY_MS)}&to=${dayOf(now)}`);
  const wallet = await findBusiestWallet(at);
  const cursors = listCursors(at);
  return {
    overview1Day: await overview(1),
    overview30Days: await overview(30),
    overview92Days: await overview(92),
    wallets: await timeOf(at, () => 'wallets'),
    movements: await timeOf(at, () => `movements?${wallet}`),
    deepMovements: await timeOf(at, (round) => {
      const cursor = cursors[round % cursors.length] ?? '';
      return `movements?${wallet}&cursor=${cursor}`;
    }),
  };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

async function timeOf({ past, read }: SearchSetup, pathOf: (round: number) => string): Promise<Step> {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const path = `merchants/${past.merchantId}/${pathOf(round)}`;
    const since = performance.now();
    await read(path);
    taken.push(performance.now() - since);
  }
  const { p50Ms, p99Ms } = stepOf(taken);
  return { p50Ms: rounded(p50Ms), p99Ms: rounded(p99Ms) };
}

async function findBusiestWallet({ database, past }: SearchSetup): Promise<string> {
  const { rows } = await database.query<{ country: string; currency: string }>(
    `select country, currency from payments where merchant_id = $1 group by 1, 2 order by count(*) desc limit 1`,
    [past.merchantId],
  );
  return `country=${rows[0]?.country}&currency=${rows[0]?.currency}`;
}

/** Increasingly deep cursors: at one tenth of the period, two tenths, and so on. */
function listCursors({ past }: SearchSetup): readonly string[] {
  return Array.from({ length: 9 }, (_, index) => {
    const at = new Date(past.until.getTime() - ((index + 1) / 10) * past.days * DAY_MS);
    const place = [at.toISOString(), 'DEPOSIT', past.merchantId, '0', '0'];
    return Buffer.from(place.join(' ')).toString('base64url');
  });
}

/** Groups that differ from a recount of all payments. */
async function countWrong({ database, past }: SearchSetup): Promise<number> {
  const { rows } = await database.query<{ wrong: number }>(
    `with recount as (
       select date_trunc('hour', final_at, 'UTC') as hour_at, kind, provider, currency, state,
         coalesce(failure_code, '') as failure_code, count(*) as payment_count, sum(amount) as amount,
         sum(case when state = 'COMPLETED' then fee else 0 end) as fee
       from payments where merchant_id = $1 and final_at < (
         select counted_until from payment_hours_progress where merchant_id = $1)
       group by 1, 2, 3, 4, 5, 6),
     counted as (
       select hour_at, kind, provider, currency, state, failure_code, payment_count::bigint, amount, fee
       from payment_hours where merchant_id = $1)
     select count(*)::int as wrong from (
       (table recount except table counted) union all (table counted except table recount)) differences`,
    [past.merchantId],
  );
  return rows[0]?.wrong ?? -1;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
