// `npm run drill:operator-faults`: payments through the fake of every operator, one in five with a fault of some
// kind, in the whole gateway with a real PostgreSQL and sockets. At the end every payment must be in the operator's
// true state, nothing may be paid twice, and our float must be what the operators' books say.
//
//   npm run drill:operator-faults                                   500 payments through each
//   npm run drill:operator-faults -- --operator mtn-momo --seed 7
//                                                           through one of them; a new seed unless told
//   npm run drill:operator-faults -- --smoke                        40 through each, for every change
//   --json ends with one line of figures; --keep leaves the scratch directory with the operators' journals
import { parseArgs } from 'node:util';
import { renderOutcome, renderSummary, listMissing } from './report.ts';
import { namesOf, runOperators } from './run.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string' },
    operator: { type: 'string' },
    seed: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const count = Number(values.count ?? (values.smoke ? 40 : 500));
const names = namesOf(values.operator);
if (!Number.isSafeInteger(seed) || !(count > 0) || names.length === 0) {
  process.stderr
    .write(`npm run drill:operator-faults -- [--smoke] [--count 500] [--operator NAME] [--seed 7] [--json] [--keep]
                           The operators: ${namesOf(undefined).join(', ')}\n`);
  process.exit(2);
}

const startedAt = Date.now();
const say = (text: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

say(`seed ${seed}`);
const outcome = await runOperators({
  seed,
  names,
  count,
  keep: values.keep,
  patienceMs: 60_000,
  onProgress: say,
});
process.stdout.write(renderOutcome(outcome, seed));
if (values.json) process.stdout.write(`${JSON.stringify(renderSummary(outcome, seed))}\n`);
const missing = listMissing(outcome, count);
for (const what of missing) say(`the run proves nothing: ${what}`);
process.exit(missing.length === 0 && outcome.verdict.findings.length === 0 ? 0 : 1);
