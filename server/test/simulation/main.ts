// npm run test:simulation -- [--seed N] [--steps N] [--plant 'a mistake'] [--json]
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { PLANTED } from './planted.ts';
import { renderSimulation } from './report.ts';
import { simulate } from './simulate.ts';

const USAGE = `usage: npm run test:simulation -- [--seed N] [--steps N] [--plant MISTAKE] [--json]
  --seed N         a run to have again; without it a fresh one, which is printed
  --steps N        how long, 1000000 if not given
  --plant MISTAKE  break one rule and see it found; one of:
${Object.keys(PLANTED)
  .map((name) => `                     ${name}`)
  .join('\n')}
  --json           one line of JSON, nothing else`;

const SEEDS = 2 ** 32;
const STEPS = 1_000_000;
const PROGRESS_STEPS = 250_000;

process.exitCode = main(process.argv.slice(2));

function main(words: readonly string[]): number {
  const asked = read(words);
  if (asked === null) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const { seed, steps, rules, isJson } = asked;
  if (!isJson) process.stdout.write(`seed ${seed}, ${steps} steps\n`);
  const startedAt = performance.now();
  const secondsSoFar = () => (performance.now() - startedAt) / 1_000;
  const run = simulate({
    seed,
    steps,
    ...(rules === undefined ? {} : { rules }),
    onProgress: (done) => {
      if (isJson || done % PROGRESS_STEPS !== 0) return;
      process.stdout.write(`  ${done} steps, ${secondsSoFar().toFixed(1)} s\n`);
    },
  });
  const seconds = secondsSoFar();
  process.stdout.write(
    `${isJson ? JSON.stringify({ ...run, seconds }) : renderSimulation(run, { seconds })}\n`,
  );
  return run.failure === null ? 0 : 1;
}

function read(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        seed: { type: 'string' },
        steps: { type: 'string' },
        plant: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
    const { plant } = values;
    const seed = values.seed === undefined ? randomInt(SEEDS) : countOf(values.seed);
    const steps = values.steps === undefined ? STEPS : countOf(values.steps);
    const rules = plant === undefined ? undefined : PLANTED[plant];
    if (seed === null || seed >= SEEDS || steps === null) return null;
    if (plant !== undefined && rules === undefined) return null;
    return { seed, steps, rules, isJson: values.json === true };
  } catch {
    return null;
  }
}

function countOf(text: string): number | null {
  const count = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(count) ? count : null;
}
