// Measures searches as users experience them: from the request to the complete answer.
import { listProviders } from '../../server/src/domain/operators/catalogue.ts';
import { PAYMENT_KINDS, PAYMENT_STATES } from '../../server/src/domain/payments/payment.ts';
import { inTransaction, type Database, type Tx } from '../../server/src/store/database.ts';
import { listPage } from '../../server/src/store/payments/payment-finding.ts';
import { align } from '../../drills/kit/table.ts';
import { stepOf, type Step } from '../gateway/statistics.ts';
import type { Random } from '../../drills/kit/random.ts';
import { SEARCHES, type FoundRow, type Look, type Search } from './searches.ts';
import type { SearchSetup } from './setup.ts';

export const GOAL_MS = 300;
export const PAGE = 50;

type Page = { readonly payments: readonly FoundRow[]; readonly next: string | null };
export type Figure = Step & { readonly name: string; readonly wrong: number };

type Rounds = { readonly random: Random; readonly rounds: number };

export async function measure(
  { past, read }: SearchSetup,
  { search, random, rounds }: Rounds & { readonly search: Search },
): Promise<Figure> {
  const taken: number[] = [];
  let wrong = 0;
  for (let round = 0; round < rounds; round += 1) {
    const look = search.generate(random, past);
    const query = new URLSearchParams({ ...look.query, limit: String(PAGE) }).toString();
    const since = performance.now();
    const page = (await read(`merchants/${past.merchantId}/payments?${query}`)) as Page;
    taken.push(performance.now() - since);
    if (!isRight(page, look)) wrong += 1;
  }
  return { name: search.name, ...stepOf(taken), wrong };
}

function isRight({ payments }: Page, { finds, fits }: Look): boolean {
  return payments.every(fits) && (finds === null || payments.some(({ paymentId }) => paymentId === finds));
}

/** The page of one payment, with everything that happened to it. */
export async function measureStories(
  { past, read }: SearchSetup,
  { random, rounds }: Rounds,
): Promise<Figure> {
  const [byIdentifier] = SEARCHES;
  if (byIdentifier === undefined) throw new Error('there is nothing to search by');
  const taken: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { query } = byIdentifier.generate(random, past);
    const page = (await read(`merchants/${past.merchantId}/payments?search=${query['search']}`)) as Page;
    const [row] = page.payments;
    const since = performance.now();
    await read(`merchants/${past.merchantId}/payments/${row?.kind}/${row?.paymentId}`);
    taken.push(performance.now() - since);
  }
  return { name: "a payment's page", ...stepOf(taken), wrong: 0 };
}

/** What reading a page makes PostgreSQL read, by its own counts: at the top and in the middle of the list. */
export async function measurePages({ past, database }: SearchSetup) {
  const { merchantId, until, days, count } = past;
  const providers = listProviders().map(({ code }) => code);
  const all = { kinds: PAYMENT_KINDS, states: PAYMENT_STATES, providers };
  const filter = { ...all, merchantId, from: null, amountMin: null, amountMax: null };
  const pageBefore = (createdAt: Date) =>
    countRead(database, (tx) =>
      listPage(tx, { filter, after: { createdAt, paymentNo: merchantId }, countMax: PAGE + 1 }),
    );
  const top = await pageBefore(until);
  const deep = await pageBefore(new Date(until.getTime() - (days / 2) * 86_400_000));
  return {
    first: top.entries,
    deep: deep.entries,
    deepAfter: Math.round(count / 2),
    fullScans: top.fullScans + deep.fullScans,
  };
}

/** The counts of one transaction: index entries read, and full table scans. */
async function countRead(database: Database, work: (tx: Tx) => Promise<unknown>) {
  return inTransaction(database, async (tx) => {
    await work(tx);
    const { rows } = await tx.query<{ entries: number; scans: number }>(
      `select (select sum(pg_stat_get_xact_tuples_returned(indexrelid))::int from pg_index
          where indrelid = $1::regclass) as entries,
        pg_stat_get_xact_numscans($1::regclass)::int as scans`,
      ['payments'],
    );
    return { entries: rows[0]?.entries ?? 0, fullScans: rows[0]?.scans ?? 0 };
  });
}

export function render(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, p50Ms, p99Ms, wrong }) => {
    const verdict = wrong > 0 ? `${wrong} WRONG` : p99Ms < GOAL_MS ? '' : 'MISSED';
    return [name, p50Ms.toFixed(1), p99Ms.toFixed(1), String(GOAL_MS), verdict];
  });
  return `\n${align([['Search', 'p50, ms', 'p99, ms', 'goal', ''], ...rows]).join('\n')}\n`;
}
