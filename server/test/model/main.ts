// `npm run test:model`: every interleaving of some workers, and in none of them is a promise broken.
//
//   npm run test:model -- --workers 3   1 to 4 workers, 2 by default
//   npm run test:model -- --variants    takes one rule away after the other and shows what happens
//   --json ends with one line of figures
import { finish, startProgram } from '../../../drills/kit/program.ts';
import { OPERATORS, searchAll, searchVariant } from './check.ts';
import { renderCounterexample, renderSearch, renderTrace } from './report.ts';
import { VARIANTS } from './rules.ts';
import type { Search } from './explore.ts';
import { CASTS, searchMoves, searchMoveVariant, type Cast } from './moving/check.ts';
import { VARIANTS as MOVE_VARIANTS } from './moving/rules.ts';
import { renderState as renderMove, type State as MoveState } from './moving/state.ts';
import type { State } from './state.ts';

/** What is said of a search of either model. */
type Found = Omit<Search<unknown>, 'counterexample'> & {
  readonly broken: { readonly promise: string; readonly trace: string } | null;
};
type Timed = { readonly name: string; readonly seconds: number; readonly found: Found };

const program = startProgram('npm run test:model --', {
  workers: ['1', '2', '3', '4'],
  variants: false,
  json: false,
});
const { options } = program;
const workerCount = Number(options.workers ?? 2);
const names = Object.keys(OPERATORS) as (keyof typeof OPERATORS)[];
const casts = Object.keys(CASTS) as Cast[];
const searches = [
  ...names.map((name) => time(name, () => ofPayment(searchAll(name, { workerCount })))),
  ...casts.map((cast) => time(cast, () => ofMove(searchMoves(cast)))),
];
const variants = options.variants
  ? [
      ...Object.keys(VARIANTS).map((name) => time(name, () => ofPayment(searchVariant(name)))),
      ...Object.keys(MOVE_VARIANTS).map((name) => time(name, () => ofMove(searchMoveVariant(name)))),
    ]
  : [];
const broken = searches.filter(({ found }) => found.broken !== null);
const unbroken = variants.filter(({ found }) => found.broken === null);
if (broken.length === 0) program.say('in no interleaving is a promise broken');
finish(program, {
  report: options.json ? '' : [...searches, ...variants].map(render).join(''),
  summary: summaryOf(),
  faults: [
    ...broken.map(({ name }) => `a promise is broken: ${name}`),
    ...unbroken.map(({ name }) => `nothing breaks: ${name}`),
  ],
});

function ofPayment({ counterexample: found, ...search }: Search<State>): Found {
  return { ...search, broken: found && { promise: found.promise, trace: renderCounterexample(found) } };
}

function ofMove({ counterexample: found, ...search }: Search<MoveState>): Found {
  return { ...search, broken: found && { promise: found.promise, trace: renderTrace(found, renderMove) } };
}

function time(name: string, run: () => Found): Timed {
  const startedAt = performance.now();
  const found = run();
  const seconds = (performance.now() - startedAt) / 1_000;
  program.say(renderSearch(name, found, seconds));
  return { name, found, seconds };
}

function render({ name, seconds, found }: Timed): string {
  const example = found.broken === null ? '' : `${found.broken.trace}\n\n`;
  return `${renderSearch(name, found, seconds)}\n${example}`;
}

function summaryOf() {
  const sum = (of: (timed: Timed) => number) => searches.reduce((total, timed) => total + of(timed), 0);
  return {
    states: sum(({ found }) => found.states),
    transitions: sum(({ found }) => found.transitions),
    depth: Math.max(...searches.map(({ found }) => found.depth)),
    seconds: sum(({ seconds }) => seconds),
    broken: searches.flatMap(({ found }) => found.broken?.promise ?? []),
    variants: Object.fromEntries(variants.map(({ name, found }) => [name, found.broken?.promise ?? null])),
  };
}
