// `npm run drill:operator-faults`: payments through the fake of every operator, one in five with a fault of some kind,
// in the whole gateway with a real PostgreSQL and sockets. At the end every payment must be in the operator's true
// state, nothing may be paid twice, and our float must be what the operators' books say.
//
//   npm run drill:operator-faults                                   500 payments through each
//   npm run drill:operator-faults -- --operator mtn-momo --seed 7   through one of them; a new seed by default
//   npm run drill:operator-faults -- --smoke                        40 through each, for every change
//   --json ends with one line of figures; --keep leaves the scratch directory with the operators' journals
import { finish, SEED, startProgram } from '../kit/program.ts';
import { listMissing, renderOutcome, renderSummary } from './report.ts';
import { NAMES, runOperators } from './run.ts';

const program = startProgram('npm run drill:operator-faults --', {
  count: { full: 500, smoke: 40 },
  operator: NAMES,
  seed: SEED,
  smoke: false,
  json: false,
  keep: false,
});
const { say, options } = program;
const { seed, count, operator, keep } = options;

say(`seed ${seed}`);
const names = operator === null ? NAMES : [operator];
const outcome = await runOperators({ seed, names, count, keep, patienceMs: 60_000, say });
const { findings } = outcome.verdict;
finish(program, {
  report: renderOutcome(outcome, seed),
  summary: renderSummary(outcome, seed),
  faults: [...listMissing(outcome, count), ...(findings.length === 0 ? [] : ['there are findings'])],
});
