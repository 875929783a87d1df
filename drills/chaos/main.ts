// `npm run chaos`: real processes, a real database with its standby, and everything that can go wrong with them.
//
//   npm run chaos -- --minutes 20 --seed 7        one run of twenty minutes; a new seed, which is printed, unless told
//   npm run chaos -- --smoke                      under a minute, for every change
//   npm run chaos -- --break asynchronous-commit  with a safety rule broken: the run must find it, and ends with code 0
//                                                 only if it does
//   npm run chaos -- --smoke --operators fakes  against the fakes of MTN and Safaricom instead of the simulator
//   --json ends with one line of figures; --keep leaves the scratch directory with every log
import { parseArgs } from 'node:util';
import { BROKEN_RULES } from './broken-rules.ts';
import { runChaos } from './run.ts';
import { listMissing, renderReport, renderSummary } from './report.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    break: { type: 'string' },
    operators: { type: 'string', default: 'simulator' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const brokenRule = values.break ?? null;
const withFakes = values.operators === 'fakes';
if (
  !(minutes > 0) ||
  !Number.isSafeInteger(seed) ||
  !['simulator', 'fakes'].includes(values.operators) ||
  // The rules are broken where only the simulator shows it.
  (withFakes && brokenRule !== null) ||
  (brokenRule !== null && BROKEN_RULES[brokenRule] === undefined)
) {
  process.stderr
    .write(`npm run chaos -- [--minutes 20] [--seed 7] [--smoke] [--json] [--keep] [--verbose] [--operators fakes]
                   [--break ${Object.keys(BROKEN_RULES).join('|')}]\n`);
  process.exit(2);
}

const startedAt = Date.now();
const say = (text: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

say(`seed ${seed}${brokenRule === null ? '' : `, with "${brokenRule}" broken`}`);
const outcome = await runChaos({
  seed,
  lengthMs: values.smoke ? 20_000 : minutes * 60_000,
  isSmoke: values.smoke,
  brokenRule,
  withFakes,
  keep: values.keep,
  onProgress: say,
  onFault: values.verbose ? say : () => undefined,
});
process.stdout.write(renderReport(outcome));
if (values.json) process.stdout.write(`${JSON.stringify(renderSummary(outcome))}\n`);
const missing = listMissing(outcome);
if (missing.length > 0) say(`the run proves nothing: there were no ${missing.join(', ')}`);
const isClean = outcome.verdict.findings.length === 0;
// A broken rule that is not found is a hole in the proof.
process.exit(missing.length === 0 && isClean === (brokenRule === null) ? 0 : 1);
