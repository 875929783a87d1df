// `npm run bench:search`: how long it takes to find payments among a million, over HTTP at the server, beside the goal;
// and what a page costs, wherever it is in the list.
//
//   npm run bench:search                      some minutes, most of them for loading
//   npm run bench:search -- --count 5000000   among so many
//   npm run bench:search -- --folder here     the cluster stays there, to be measured again without loading
//   npm run bench:search -- --smoke           among twenty thousand, for every change
//
// Ends with one line of figures, and with code 0 only if everything was found in time and nothing was read as a whole.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { streamOf } from '../../drills/kit/random.ts';
import { GOAL_MS, measure, measurePages, measureStories, PAGE, render, type Figure } from './measure.ts';
import { SEARCHES } from './searches.ts';
import { openSearchStage } from './setup.ts';

const FULL = { count: 1_000_000, rounds: 200 };
const SMOKE = { count: 20_000, rounds: 20 };
/** What a page may make PostgreSQL look at, by its own counts: many times less than the whole list. */
const PAGE_ROWS_MAX = 20_000;

const { values } = parseArgs({
  options: {
    count: { type: 'string' },
    rounds: { type: 'string' },
    folder: { type: 'string' },
    smoke: { type: 'boolean', default: false },
  },
});
const usual = values.smoke ? SMOKE : FULL;
const count = Number(values.count ?? usual.count);
const folder = values.folder === undefined ? null : resolve(values.folder);
if (folder !== null) mkdirSync(folder, { recursive: true });
const rounds = Number(values.rounds ?? usual.rounds);

const startedAt = Date.now();
const say = (text: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

const stage = await openSearchStage({ count, folder, say });
let isGood = false;
try {
  const random = streamOf(7, 'searches');
  const figures: Figure[] = [];
  for (const search of SEARCHES) {
    const figure = await measure(stage, { search, random, rounds });
    say(
      `${figure.name}: p99 ${figure.p99Ms.toFixed(1)} ms${figure.wrong > 0 ? `, ${figure.wrong} WRONG` : ''}`,
    );
    figures.push(figure);
  }
  figures.push(await measureStories(stage, { random, rounds }));
  const pages = await measurePages(stage);
  process.stdout.write(render(figures));
  process.stdout.write(
    `\nRows read for a page of ${PAGE}: ${pages.first} at the top, ${pages.deep} in the middle of the list ` +
      `(after ${pages.deepAfter} payments). Tables read as a whole: ${pages.fullScans}.\n`,
  );
  const slowest = Math.max(...figures.map(({ p99Ms }) => p99Ms));
  const wrong = figures.reduce((sum, one) => sum + one.wrong, 0);
  isGood = slowest < GOAL_MS && wrong === 0 && pages.fullScans === 0 && pages.deep < PAGE_ROWS_MAX;
  const summary = {
    payments: count,
    searches: figures.length,
    slowestP99Ms: Math.round(slowest),
    wrong,
    ...pages,
  };
  process.stdout.write(`${JSON.stringify({ ...summary, seedSeconds: stage.seedSeconds })}\n`);
} finally {
  await stage.close();
}
process.exit(isGood ? 0 : 1);
