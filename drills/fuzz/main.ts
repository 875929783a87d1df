// `npm run fuzz`: bad input. Malformed, boundary and hostile requests to every part of the gateway that listens.
//
//   npm run fuzz                              100,000 requests, some minutes; a new seed, which is printed, unless told
//   npm run fuzz -- --requests 500000 --seed 7
//   npm run fuzz -- --smoke                   half a minute, for every change
//   npm run fuzz -- --seed 7 --only 4711      one request of a run again
//   npm run fuzz -- --plant any-identifier    with a validation taken out: the run must find it, and ends with code 0
//                                             only if it does
//   --json ends with one line of figures; --keep leaves the scratch directory with the log
import { parseArgs } from 'node:util';
import { HOLES } from './holes.ts';
import { listMissing, renderReport, renderSummary } from './report.ts';
import { runFuzz } from './run.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string' },
    seed: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    only: { type: 'string' },
    plant: { type: 'string' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const SMOKE = 3_000;
const FULL = 100_000;
const count = Number(values.requests ?? (values.smoke ? SMOKE : FULL));
const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const only = values.only === undefined ? null : Number(values.only);
const hole = values.plant === undefined ? null : (HOLES[values.plant] ?? null);
if (
  !(count >= 1) ||
  !Number.isSafeInteger(seed) ||
  (only !== null && !(only >= 1)) ||
  (values.plant !== undefined && hole === null)
) {
  process.stderr
    .write(`npm run fuzz -- [--requests 100000] [--seed 7] [--smoke] [--only 4711] [--json] [--keep]
                  [--plant ${Object.keys(HOLES).join('|')}]\n`);
  process.exit(2);
}

const startedAt = Date.now();
const say = (text: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

say(`seed ${seed}${hole === null ? '' : `, with a hole: ${hole.what}`}`);
const outcome = await runFuzz({
  seed,
  count,
  only,
  hole,
  waitsForSlow: !values.smoke && only === null && hole === null,
  keep: values.keep,
  onProgress: say,
});
process.stdout.write(renderReport(outcome));
if (values.json) process.stdout.write(`${JSON.stringify(renderSummary(outcome))}\n`);
const missing = only === null && hole === null ? listMissing(outcome) : [];
if (missing.length > 0) say(`the run proves nothing: there were no ${missing.join(', no ')}`);
const { tally, memory } = outcome;
const isClean = tally.findings.length === 0 && memory.faults.length === 0;
// A hole that is not found is a hole in the proof.
const isFound = hole !== null && tally.counts[hole.found] > 0;
process.exit(missing.length === 0 && (hole === null ? isClean : isFound) ? 0 : 1);
