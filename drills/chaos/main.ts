// `npm run chaos`: real processes, a real database with its standby, and everything that can go wrong with them.
//
//   npm run chaos -- --minutes 20 --seed 7        one run of twenty minutes; a new seed, which is printed, by default
//   npm run chaos -- --smoke                      under a minute, for every change
//   npm run chaos -- --break asynchronous-commit  with a safety rule broken: the run must find it, and ends with code 0
//                                                 only if it does
//   npm run chaos -- --smoke --operators fakes    against the fakes of MTN and Safaricom instead of the simulator
//   --json ends with one line of figures; --keep leaves the scratch directory with every log
import { finish, SEED, startProgram } from '../kit/program.ts';
import { BROKEN_RULES } from './broken-rules.ts';
import { listFaults, renderReport, renderSummary } from './report.ts';
import { runChaos } from './run.ts';

const program = startProgram('npm run chaos --', {
  minutes: 5,
  seed: SEED,
  smoke: false,
  break: Object.keys(BROKEN_RULES),
  operators: ['simulator', 'fakes'],
  json: false,
  keep: false,
  verbose: false,
});
const { say, options } = program;
const { seed, smoke: isSmoke, break: brokenRule, keep } = options;
const withFakes = options.operators === 'fakes';
// The rules are broken where only the simulator shows it.
if (withFakes && brokenRule !== null) program.refuse();

say(`seed ${seed}${brokenRule === null ? '' : `, with "${brokenRule}" broken`}`);
const lengthMs = isSmoke ? 20_000 : options.minutes * 60_000;
const onFault = options.verbose ? say : () => undefined;
const outcome = await runChaos({ seed, lengthMs, isSmoke, brokenRule, withFakes, keep, say, onFault });
const faults = listFaults(outcome, brokenRule);
finish(program, { report: renderReport(outcome), summary: renderSummary(outcome), faults });
