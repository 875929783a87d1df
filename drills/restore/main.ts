// `npm run drill:restore`: the commands of docs/operating/backup-and-restore.md, run on a gateway under load that loses
// its database and half a minute of what it did.
//
//   npm run drill:restore -- --seed 7        thirty seconds are lost; a new seed, which is printed, unless told
//   npm run drill:restore -- --smoke         six seconds are lost; under a minute
//   npm run drill:restore -- --forget-begin  no one runs begin-recovery: the drill must find payments made twice, and
//                                            ends with code 0 only if it does
//   npm run drill:restore -- --forget-statements  no one imports statements: the drill must find floats that differ
//   --json ends with one line of figures; --keep leaves the scratch directory with every log
import { parseArgs } from 'node:util';
import { runDrill } from './run.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    'forget-begin': { type: 'boolean', default: false },
    'forget-statements': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const startedAt = Date.now();
const say = (text: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

say(`seed ${seed}`);
const isForgetful = values['forget-begin'];
const isBlind = values['forget-statements'];
const lostMs = values.smoke ? 6_000 : 30_000;
const outcome = await runDrill({
  seed,
  historyMs: values.smoke ? 3_000 : 15_000,
  lostMs,
  archiveTimeout: values.smoke ? '2s' : null,
  isForgetful,
  isBlind,
  keep: values.keep,
  onProgress: say,
});
for (const { crime, subject, what } of outcome.findings.slice(0, 40)) say(`${crime} ${subject}: ${what}`);
const count = (crime: string) => outcome.findings.filter((finding) => finding.crime === crime).length;
const { payments, chargedInLostTime, repaired, unmatched, released, standing } = outcome;
const { askedFirst, restoreMs, heldMs } = outcome;
const summary = {
  seed,
  payments,
  lostSeconds: lostMs / 1_000,
  chargedInLostTime,
  repaired,
  released,
  unmatched,
  standing,
  askedFirst,
  restoreMs,
  heldMs,
  doubled: count('DOUBLED'),
  unbalanced: count('UNBALANCED'),
  lost: count('LOST'),
  unannounced: count('UNANNOUNCED'),
  unaccounted: count('UNACCOUNTED'),
  contradicted: count('CONTRADICTED'),
};
if (values.keep) say(`everything is in ${outcome.scratchPath}`);
process.stdout.write(values.json ? `${JSON.stringify(summary)}\n` : `${JSON.stringify(summary, null, 2)}\n`);
// A drill in which nothing was lost, or nothing forgotten, proves nothing.
const isTelling = chargedInLostTime > 0 && repaired > 0 && unmatched > 0;
const isWhole = isForgetful || isBlind || (released > 0 && standing > 0);
const isFound = (!isForgetful || summary.doubled > 0) && (!isBlind || summary.unbalanced > 0);
const isRight = isForgetful || isBlind ? isFound : isWhole && outcome.findings.length === 0;
process.exit(isTelling && isRight ? 0 : 1);
