// `npm run bench:plans`: what a look for work costs when much waits, beside a hundredth of it: its time, and the rows
// and index entries that PostgreSQL reads for it.
//
//   npm run bench:plans                  4 million payments that wait for a provider, 1 million callbacks of a dead
//                                        endpoint, 20 million transfers, 100,000 steps behind an open transaction
//   npm run bench:plans -- --share 0.1   a tenth of that
//   npm run bench:plans -- --smoke       a hundredth, beside a hundredth of it; times are shown and not held
//
// Ends with one line of figures, and with code 0 only if nothing takes more than twice as long as at a hundredth.
import { randomUUID } from 'node:crypto';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { openDatabase, type Database } from '../../server/src/store/database.ts';
import { insertManyPayments } from '../../server/test/many-payments.ts';
import { insertManyWaiting, leaveDeadSteps, sizesOf } from '../../server/test/many-waiting.ts';
import {
  createLooks,
  measureLook,
  type LookFigures,
  type WaitingLook,
} from '../../server/test/waiting-looks.ts';
import { openRunDatabase, startDatabase, withHooks } from '../../drills/kit/database.ts';
import { spreadOf } from '../gateway/statistics.ts';
import { finish, listUnkept, startProgram } from '../../drills/kit/program.ts';
import { align } from '../../drills/kit/table.ts';

const CLUSTER_SETTINGS = ['shared_buffers=512MB', 'max_wal_size=8GB', 'checkpoint_timeout=30min'];

/** Payments that have had their whole life, in both sizes: the page of a move is theirs. */
const ENDED = 20_000;
const RATIO_MAX = 2;

const program = startProgram('npm run bench:plans --', {
  share: { full: 1, smoke: 0.01 },
  rounds: { full: 30, smoke: 10 },
  smoke: false,
});
const { say, options } = program;
const { share, rounds, smoke } = options;

type Loaded = { readonly database: Database; readonly looks: readonly WaitingLook[] };

const figures = await withHooks(async (hooks) => {
  const small = await load(hooks, share / 100);
  const large = await load(hooks, share);
  say('measuring');
  const measured = [];
  for (const [index, look] of large.looks.entries()) {
    const few = small.looks[index];
    if (few === undefined) throw new Error('both have the same looks');
    const pairs = { small: { ...small, look: few }, large: { ...large, look } };
    measured.push({ name: look.name, ...(await measureBoth(pairs)) });
  }
  return measured;
});

const slower = figures.filter(({ small, large }) => large.ms > RATIO_MAX * small.ms);
finish(program, {
  report: render(),
  summary: Object.fromEntries(figures.map(({ name, ...both }) => [name, both])),
  // A machine that does other work beside it says nothing about time.
  faults: listUnkept({
    [`nothing takes more than ${RATIO_MAX} times as long as at a hundredth`]: smoke || slower.length === 0,
  }),
});

async function load(hooks: ShutdownHooks, part: number): Promise<Loaded> {
  const url = await startDatabase(hooks, { settings: CLUSTER_SETTINGS });
  const loader = openRunDatabase(hooks, url);
  const sizes = sizesOf(part);
  say(`loading ${JSON.stringify(sizes)}`);
  const [now, merchantId] = [new Date(), randomUUID()];
  await insertManyPayments(loader, { merchantId, count: ENDED, now });
  await insertManyWaiting(loader, { merchantId, now, ...sizes });
  await loader.query('vacuum (analyze)');
  const open = await leaveDeadSteps(loader, now);
  hooks.add(async () => open.end());
  // As the gateway opens it.
  const database = openDatabase({ url, connectionsMax: 2, applicationName: 'bench' });
  hooks.add(() => database.end());
  return { database, looks: await createLooks(database, { now, merchantId }) };
}

type Measured = { readonly database: Database; readonly look: WaitingLook };

/** In turns, so that what else the machine does meets both. */
async function measureBoth({ small, large }: { readonly small: Measured; readonly large: Measured }) {
  const few: LookFigures[] = [];
  const many: LookFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    few.push(await measureLook(small.database, small.look));
    many.push(await measureLook(large.database, large.look));
  }
  return { small: medianOf(few), large: medianOf(many) };
}

/** The rows of the last round: the first look of a process is at everything. */
function medianOf(all: readonly LookFigures[]) {
  const { median } = spreadOf(all.map(({ ms }) => ms));
  return { ms: Math.round(median * 100) / 100, rowsRead: all.at(-1)?.rowsRead ?? 0 };
}

function render(): string {
  const rows = figures.map(({ name, small, large }) => [
    name,
    `${small.ms.toFixed(2)} ms`,
    `${small.rowsRead} rows`,
    `${large.ms.toFixed(2)} ms`,
    `${large.rowsRead} rows`,
    (large.ms / small.ms).toFixed(2),
  ]);
  return `\n${align([['Look', 'a hundredth', '', 'all', '', 'ratio'], ...rows]).join('\n')}\n`;
}
