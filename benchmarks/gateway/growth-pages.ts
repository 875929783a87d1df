// How long a page of a list and of the event feed takes behind millions of payments, and how many rows it reads for
// each one that it answers.
import type { Database } from '../../server/src/store/database.ts';
import type { Say } from '../../drills/kit/program.ts';
import { renderCursor } from '../../server/src/wire/cursor.ts';
import { Connection, requestText } from './connection.ts';
import { FEED_DAYS } from './growth-events.ts';
import { listReadableBlocks, loadedId, NEIGHBOURS } from './growth-load.ts';
import type { GrowthSetup } from './growth-setup.ts';
import { runWrk } from './wrk.ts';

/** The most that the API allows. */
const PAGE = 100;
/** What a page of a list or of the feed may take, and how many rows it may read for each one that it can show. */
const GOAL = { p99Ms: 100, rowsRead: 30 };
/** Few, so that the answer is measured and not the queue before it. */
const CLIENTS = 4;
const WHOLE_SPAN_DAYS = 365;

export type PageFigures = {
  readonly page: string;
  readonly pages: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Rows that PostgreSQL read for each one in the answer. */
  readonly rowsRead: number;
};

type Place = {
  readonly merchantId: string;
  readonly apiToken: string;
  readonly from: Date;
  readonly to: Date;
  readonly eventNo: string | null;
  /** That of all neighbours. */
  readonly phoneNumber: string;
  readonly epoch: string;
};

export async function measurePages(
  setup: GrowthSetup,
  { ms, say }: { readonly ms: number; readonly say: Say },
): Promise<readonly PageFigures[]> {
  const { payments } = setup.kept;
  const all = await findPlaces(setup, listReadableBlocks(payments, WHOLE_SPAN_DAYS));
  const recent = await findPlaces(setup, listReadableBlocks(payments, FEED_DAYS));
  const ofPhone = (more: string) => (place: Place) => list(`&phoneNumber=${place.phoneNumber}${more}`)(place);
  const full = {
    'deposits of a time': all.map(list('')),
    'deposits of a status': all.map(list('&status=COMPLETED')),
    'deposits of a provider': all.map(list('&provider=MTN_MOMO_RWA')),
    'deposits of a phone number': all.map(ofPhone('')),
    events: recent.filter(({ eventNo }) => eventNo !== null).map(feed),
  };
  // What no payment has is as rare as can be.
  const empty = {
    'deposits of a rare status': all.map(list('&status=FAILED')),
    'deposits of a rare provider': all.map(list('&provider=AIRTEL_RWA')),
    'rare ones of a phone number': all.map(ofPhone('&status=FAILED')),
    'payments of a rare kind': all.map(list('', 'payouts')),
  };
  const measured: PageFigures[] = [];
  for (const [page, texts] of Object.entries({ ...full, ...empty })) {
    if (page in full) await expectFull(setup.sides.loaded.port, texts[0] ?? '');
    const figures = await measurePage(setup, page, texts, ms);
    say(`${page}: p99 ${figures.p99Ms.toFixed(2)} ms, ${figures.rowsRead.toFixed(1)} rows read for each`);
    measured.push(figures);
  }
  return measured;
}

/** What is not as it must be. A machine that does other work says nothing about time. */
export function listMissed(pages: readonly PageFigures[], isTimed: boolean): readonly string[] {
  return pages
    .filter(({ p99Ms, rowsRead }) => (isTimed && p99Ms > GOAL.p99Ms) || rowsRead > GOAL.rowsRead)
    .map(
      ({ page }) =>
        `a page of ${page} takes ${GOAL.p99Ms} ms and reads ${GOAL.rowsRead} rows for each at most`,
    );
}

const list =
  (more: string, kind = 'deposits') =>
  (place: Place) => {
    const range = `from=${place.from.toISOString()}&to=${place.to.toISOString()}`;
    return requestText('GET', `/v2/${kind}?${range}&limit=${PAGE}${more}`, place.apiToken);
  };

const feed = ({ epoch, eventNo, apiToken }: Place) => {
  const after = renderCursor(['EVENTS', epoch, String(eventNo)]);
  return requestText('GET', `/v2/events?after=${after}&limit=${PAGE}`, apiToken);
};

async function measurePage(
  { sides, wrk: program, folder }: GrowthSetup,
  page: string,
  requests: readonly string[],
  ms: number,
): Promise<PageFigures> {
  const { port, database } = sides.loaded;
  const before = await countRead(database);
  const options = {
    program,
    script: 'status',
    ports: [port],
    connections: CLIENTS,
    requests,
    folder,
  } as const;
  const { count, rejected, step } = await runWrk(options, ms);
  if (rejected > 0) throw new Error(`${rejected} pages of ${page} were refused`);
  const rowsRead = ((await countRead(database)) - before) / (count * PAGE);
  return { page, pages: count, ...step, rowsRead };
}

/** So that pages are measured and not refusals or empty lists. */
async function expectFull(port: number, text: string): Promise<void> {
  const body = await send(port, text);
  const items = Object.values(JSON.parse(body) as Record<string, unknown>).find(Array.isArray);
  if (items?.length !== PAGE) throw new Error(`a page was answered ${body.slice(0, 500)}`);
}

async function send(port: number, text: string): Promise<string> {
  const connection = await Connection.open(port);
  return (await connection.send(text).finally(() => connection.close())).body;
}

async function readPhoneNumber(port: number, paymentId: string, apiToken: string): Promise<string> {
  const body = await send(port, requestText('GET', `/v2/deposits/${paymentId}`, apiToken));
  const [, phoneNumber] = /"phoneNumber":"(\d+)"/.exec(body) ?? [];
  if (phoneNumber === undefined) throw new Error(`a status check was answered ${body}`);
  return phoneNumber;
}

type Found = Omit<Place, 'apiToken' | 'phoneNumber'> & { readonly paymentId: string };

/** Where pages begin: in each block one for each shop. */
async function findPlaces(
  { kept: { shops }, sides }: GrowthSetup,
  blocks: readonly number[],
): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (const block of blocks) {
    for (const { merchantId, apiToken } of shops) {
      const inBlock = (offset: number) =>
        Array.from({ length: shops.length }, (_, index) => loadedId(block + offset + index));
      const { rows } = await sides.loaded.database.query<Found>(
        `select f.merchant_id as "merchantId", f.payment_id as "paymentId", f.created_at as from,
           l.created_at as to, h.epoch,
           (select e.last_no from merchant_events e where e.merchant_id = f.merchant_id
              and e.numbered_at = f.created_at)::text as "eventNo"
         from payment_keys f join payment_keys l using (merchant_id) join event_heads h using (merchant_id)
         where f.merchant_id = $1 and f.kind = 'DEPOSIT' and f.payment_id = any($2) and l.kind = 'DEPOSIT'
           and l.payment_id = any($3)`,
        [merchantId, inBlock(0), inBlock(NEIGHBOURS - shops.length)],
      );
      for (const { paymentId, ...row } of rows) {
        const phoneNumber = await readPhoneNumber(sides.loaded.port, paymentId, apiToken);
        places.push({ ...row, apiToken, phoneNumber });
      }
    }
  }
  return places;
}

export async function countRead(database: Database): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    `select tup_fetched + tup_returned as count from pg_stat_database where datname = current_database()`,
  );
  return Number(rows[0]?.count);
}

export function renderPages(figures: readonly PageFigures[]): string {
  const lines = figures.map(
    ({ page, pages, p50Ms, p99Ms, rowsRead }) =>
      `  ${page.padEnd(24)}${String(pages).padStart(10)}${p50Ms.toFixed(2).padStart(10)}` +
      p99Ms.toFixed(2).padStart(10) +
      rowsRead.toFixed(1).padStart(20),
  );
  const heads = ['pages', 'p50, ms', 'p99, ms'].map((head) => head.padStart(10)).join('');
  return [
    `\nPages of ${PAGE}`,
    `${''.padEnd(26)}${heads}${'rows read for each'.padStart(20)}`,
    ...lines,
  ].join('\n');
}
