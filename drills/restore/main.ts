// `npm run drill:restore`: the commands of docs/operating/backup-and-restore.md, run on a gateway under load that loses
// its database and half a minute of what it did.
//
//   npm run drill:restore -- --seed 7        thirty seconds are lost; a new seed, which is printed, by default
//   npm run drill:restore -- --smoke         six seconds are lost; under a minute
//   npm run drill:restore -- --forget-begin  recovery begin is not run: the drill must find payments made twice, and
//                                            ends with code 0 only if it does
//   npm run drill:restore -- --forget-reports  operators' reports are not imported: it must find floats that differ
//   --json ends with one line of figures; --keep leaves the scratch directory with every log
import { finish, listUnkept, SEED, startProgram } from '../kit/program.ts';
import { countFindings, listFindings } from '../kit/verdict/verdict.ts';
import { runDrill } from './run.ts';

const program = startProgram('npm run drill:restore --', {
  seed: SEED,
  smoke: false,
  'forget-begin': false,
  'forget-reports': false,
  json: false,
  keep: false,
});
const { seed, smoke, keep, 'forget-begin': isForgetful, 'forget-reports': isBlind } = program.options;
const { say } = program;

say(`seed ${seed}`);
const lostMs = smoke ? 6_000 : 30_000;
const outcome = await runDrill({
  seed,
  historyMs: smoke ? 3_000 : 15_000,
  lostMs,
  archiveTimeout: smoke ? '2s' : null,
  isForgetful,
  isBlind,
  keep,
  say,
});
const { findings, scratchPath, payments, chargedInLostTime, repaired, unmatched, released, standing } =
  outcome;
const { askedFirst, restoreMs, heldMs } = outcome;
for (const finding of listFindings(findings)) say(finding);
if (keep) say(`everything is in ${scratchPath}`);
const summary = {
  seed,
  payments,
  lostSeconds: lostMs / 1_000,
  chargedInLostTime,
  repaired,
  released,
  forgotten: unmatched,
  standing,
  askedFirst,
  restoreMs,
  heldMs,
  ...countFindings(findings, ['DOUBLED', 'UNBALANCED', 'LOST', 'UNANNOUNCED', 'UNACCOUNTED', 'CONTRADICTED']),
};
const isComplete = !isForgetful && !isBlind;
const faults = listUnkept({
  'something was lost, repaired and not matched': chargedInLostTime > 0 && repaired > 0 && unmatched > 0,
  'something was released, and something stands': !isComplete || (released > 0 && standing > 0),
  'there are no findings': !isComplete || findings.length === 0,
  'payments made twice are found': !isForgetful || summary.doubled > 0,
  'floats that differ are found': !isBlind || summary.unbalanced > 0,
});
finish(program, { summary, faults });
