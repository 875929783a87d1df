// `npm run drill:burst`: payouts offered at once to the fake of every operator, at the rate its connector publishes.
// All must be accepted and COMPLETED within 1.5 times what the calls take at that rate, none FAILED, and the provider
// must stay OPERATIONAL.
//
//   npm run drill:burst                               1,000 payouts to each, in about fifteen minutes
//   npm run drill:burst -- --operator mtn-momo        to one of them
//   npm run drill:burst -- --smoke                    60 to each
//   --json ends with one line of figures
import { finish, startProgram } from '../kit/program.ts';
import { listMissed, renderResults } from './report.ts';
import { NAMES, runBurst, type BurstResult } from './run.ts';

const program = startProgram('npm run drill:burst --', {
  payouts: { full: 1_000, smoke: 60 },
  operator: NAMES,
  smoke: false,
  json: false,
});
const { payouts, operator } = program.options;
const names = operator === null ? NAMES : [operator];

/** At the same time. More of them would measure the machine. */
const TOGETHER = 3;

const results: BurstResult[] = [];
for (let first = 0; first < names.length; first += TOGETHER) {
  const some = names.slice(first, first + TOGETHER);
  results.push(...(await runBurst({ names: some, payouts, say: program.say })));
}
finish(program, { report: renderResults(results), summary: results, faults: listMissed(results) });
