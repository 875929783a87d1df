// npm run test:model -- [--workers N] [--variants] [--json]
import { parseArgs } from 'node:util';
import { OPERATORS, searchAll, searchVariant } from './check.ts';
import { renderCounterexample, renderSearch } from './report.ts';
import { VARIANTS } from './rules.ts';
import type { Search } from './search.ts';

const USAGE = `usage: npm run test:model -- [--workers N] [--variants] [--json]
  --workers N  how many workers, 2 if not given
  --variants   take one rule away after the other and show what happens
  --json       one line of JSON, nothing else`;

type Timed = { readonly name: string; readonly seconds: number; readonly found: Search };

process.exitCode = main(process.argv.slice(2));

function main(words: readonly string[]): number {
  const asked = read(words);
  if (asked === null) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const { workerCount, withVariants, isJson } = asked;
  const say = (text: string) => {
    if (!isJson) process.stdout.write(`${text}\n`);
  };
  const names = Object.keys(OPERATORS) as (keyof typeof OPERATORS)[];
  const searches = names.map((name) => {
    const timed = time(name, () => searchAll(name, { workerCount }));
    tell(timed, say);
    return timed;
  });
  const isProved = searches.every(({ found }) => found.counterexample === null);
  if (isProved) say('in no interleaving is a promise broken');
  const variants = (withVariants ? Object.keys(VARIANTS) : []).map((name) => {
    const timed = time(name, () => searchVariant(name));
    say('');
    tell(timed, say);
    return timed;
  });
  if (isJson) process.stdout.write(`${JSON.stringify(summaryOf(searches, variants))}\n`);
  return isProved && variants.every(({ found }) => found.counterexample !== null) ? 0 : 1;
}

function time(name: string, run: () => Search): Timed {
  const startedAt = performance.now();
  const found = run();
  return { name, found, seconds: (performance.now() - startedAt) / 1_000 };
}

function tell({ name, seconds, found }: Timed, say: (text: string) => void): void {
  say(renderSearch(name, found, seconds));
  if (found.counterexample !== null) say(renderCounterexample(found.counterexample));
}

function summaryOf(searches: readonly Timed[], variants: readonly Timed[]) {
  const sum = (of: (timed: Timed) => number) => searches.reduce((total, timed) => total + of(timed), 0);
  return {
    states: sum(({ found }) => found.states),
    transitions: sum(({ found }) => found.transitions),
    depth: Math.max(...searches.map(({ found }) => found.depth)),
    seconds: sum(({ seconds }) => seconds),
    broken: searches.flatMap(({ found }) => found.counterexample?.promise ?? []),
    variants: Object.fromEntries(
      variants.map(({ name, found }) => [name, found.counterexample?.promise ?? null]),
    ),
  };
}

function read(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        workers: { type: 'string' },
        variants: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    });
    const { workers = '2', variants = false, json = false } = values;
    if (!/^[1-4]$/.test(workers)) return null;
    return { workerCount: Number(workers), withVariants: variants, isJson: json };
  } catch {
    return null;
  }
}
