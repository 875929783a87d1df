// `npm run fuzz`: bad input. Malformed, boundary and hostile requests to every part of the gateway that listens.
//
//   npm run fuzz                              100,000 requests, some minutes; a new seed, which is printed, by default
//   npm run fuzz -- --requests 500000 --seed 7
//   npm run fuzz -- --smoke                   half a minute, for every change
//   npm run fuzz -- --seed 7 --only 4711      one request of a run again
//   npm run fuzz -- --plant any-identifier    with a validation taken out: the run must find it, and ends with code 0
//                                             only if it does
//   --json ends with one line of figures; --keep leaves the scratch directory with the log
import { finish, SEED, startProgram } from '../kit/program.ts';
import { HOLES } from './holes.ts';
import { listFaults, renderReport, renderSummary } from './report.ts';
import { runFuzz } from './run.ts';

const program = startProgram('npm run fuzz --', {
  requests: { full: 100_000, smoke: 3_000 },
  seed: SEED,
  smoke: false,
  only: null,
  plant: Object.keys(HOLES),
  json: false,
  keep: false,
});
const { say, options } = program;
const { requests: count, seed, keep } = options;
const only = options.only === null ? null : Number(options.only);
if (only !== null && !(only >= 1)) program.refuse();
const hole = HOLES[options.plant ?? ''] ?? null;

say(`seed ${seed}${hole === null ? '' : `, with a hole: ${hole.what}`}`);
const isWhole = only === null && hole === null;
const outcome = await runFuzz({
  seed,
  count,
  only,
  hole,
  waitsForSlow: isWhole && !options.smoke,
  keep,
  say,
});
const faults = listFaults(outcome, hole, isWhole);
finish(program, { report: renderReport(outcome), summary: renderSummary(outcome), faults });
