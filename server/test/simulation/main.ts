// `npm run test:simulation`: the product's own rules in a world of faults.
//
//   npm run test:simulation -- --seed 7         a run to repeat; by default a new seed, which is printed
//   npm run test:simulation -- --steps 50000    how long, 1000000 by default
//   npm run test:simulation -- --plant MISTAKE  breaks one rule of planted.ts, which must be found: it ends with code 1
//   --json ends with one line of figures
import { finish, SEED, startProgram } from '../../../drills/kit/program.ts';
import { PLANTED } from './planted.ts';
import { renderSimulation } from './report.ts';
import { simulate } from './simulate.ts';

const PROGRESS_STEPS = 250_000;

const program = startProgram('npm run test:simulation --', {
  seed: SEED,
  steps: 1_000_000,
  plant: Object.keys(PLANTED),
  json: false,
});
const { seed, steps, plant } = program.options;
const rules = PLANTED[plant ?? ''];
program.say(`seed ${seed}, ${steps} steps`);
const run = simulate({
  seed,
  steps,
  ...(rules === undefined ? {} : { rules }),
  onProgress: (done) => {
    if (done % PROGRESS_STEPS === 0) program.say(`${done} steps`);
  },
});
const seconds = program.seconds();
finish(program, {
  report: program.options.json ? '' : `${renderSimulation(run, { seconds })}\n`,
  summary: { ...run, seconds },
  faults: run.failure === null ? [] : [run.failure.promise],
});
