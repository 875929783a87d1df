// `npm run bench:search`: how long it takes to find payments among a million, over HTTP at the server, beside the goal;
// and what a page costs, wherever it is in the list.
//
//   npm run bench:search                      some minutes, most of them for loading
//   npm run bench:search -- --count 5000000   among so many
//   npm run bench:search -- --folder here     the cluster stays there, to be measured again without loading
//   npm run bench:search -- --smoke           among twenty thousand, for every change; times are shown and not held
//
// Ends with one line of figures, and with code 0 only if everything was found in time and nothing was read as a whole.
import { withHooks } from '../../drills/kit/database.ts';
import { finish, listUnkept, startProgram } from '../../drills/kit/program.ts';
import { streamOf } from '../../drills/kit/random.ts';
import { GOAL_MS, measure, measurePages, measureStories, PAGE, render, type Figure } from './measure.ts';
import { SEARCHES } from './searches.ts';
import { startSearch } from './setup.ts';

/** What a page may make PostgreSQL read, by its own counts: far less than the whole list. */
const PAGE_ROWS_MAX = 20_000;

const program = startProgram('npm run bench:search --', {
  count: { full: 1_000_000, smoke: 20_000 },
  rounds: { full: 200, smoke: 20 },
  folder: null,
  smoke: false,
});
const { say, options } = program;
const { count, rounds, folder, smoke } = options;

const { figures, pages, seedSeconds } = await withHooks(async (hooks) => {
  const setup = await startSearch(hooks, { count, folder, say });
  const random = streamOf(7, 'searches');
  const measured: Figure[] = [];
  for (const search of SEARCHES) {
    const figure = await measure(setup, { search, random, rounds });
    const wrong = figure.wrong > 0 ? `, ${figure.wrong} WRONG` : '';
    say(`${figure.name}: p99 ${figure.p99Ms.toFixed(1)} ms${wrong}`);
    measured.push(figure);
  }
  measured.push(await measureStories(setup, { random, rounds }));
  return { figures: measured, pages: await measurePages(setup), seedSeconds: setup.seedSeconds };
});
const slowest = Math.max(...figures.map(({ p99Ms }) => p99Ms));
const wrong = figures.reduce((sum, one) => sum + one.wrong, 0);
const searches = { payments: count, searches: figures.length, slowestP99Ms: Math.round(slowest), wrong };
finish(program, {
  report:
    `${render(figures)}\nRows read for a page of ${PAGE}: ${pages.first} at the top, ${pages.deep} in the middle ` +
    `of the list (after ${pages.deepAfter} payments). Tables read as a whole: ${pages.fullScans}.\n`,
  summary: { ...searches, ...pages, seedSeconds },
  faults: listUnkept({
    // A machine that does other work beside it says nothing about time; rows read say it for every change.
    [`everything is found within ${GOAL_MS} ms`]: smoke || slowest < GOAL_MS,
    'what is found is right': wrong === 0,
    'no table is read as a whole': pages.fullScans === 0 && pages.deep < PAGE_ROWS_MAX,
  }),
});
