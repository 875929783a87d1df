// `npm run drill:upgrade`: the steps of docs/operating/upgrade.md on a gateway of the previous release under load, then
// its way back, and forward again. Without migrations after that release it adds a column and its backfill.
//
//   npm run drill:upgrade -- --seed 7        forty payments a second; a new seed, which is printed, by default
//   npm run drill:upgrade -- --from v1.2.0   from this tag or commit; default: the newest tag, or this tree
//   npm run drill:upgrade -- --smoke         shorter, with less load: 79 seconds on two cores that others used too
//   --json ends with one line of figures; --keep leaves the scratch directory with every log
//
// Where the history does not reach the previous release, as in a shallow clone, it says so and ends with code 2.
import { finish, listUnkept, SEED, startProgram } from '../kit/program.ts';
import { countFindings, listFindings } from '../kit/verdict/verdict.ts';
import { findEarlier, NoDrill } from './releases.ts';
import { runUpgrade, type UpgradeOutcome } from './run.ts';

const FULL = { perSecond: 40, serveMs: 10_000, looksEveryMs: 1_000 };
const SMOKE = { perSecond: 15, serveMs: 500, looksEveryMs: 500 };

const program = startProgram('npm run drill:upgrade --', {
  from: null,
  seed: SEED,
  smoke: false,
  json: false,
  keep: false,
});
const { say, options } = program;
const { seed, keep } = options;

const outcome = await upgrade();
const { verdict, load, errors, migrations, inFlight, replaced, killed, scratchPath } = outcome;
for (const finding of listFindings(verdict.findings)) say(finding);
for (const [cause, times] of Object.entries(load.causes)) say(`refused ${times} times: ${cause}`);
for (const line of errors.slice(0, 10)) say(line.slice(0, 400));
if (keep) say(`everything is in ${scratchPath}`);
const summary = {
  seed,
  payments: verdict.payments,
  migrations,
  before: outcome.before,
  unfilled: outcome.unfilled,
  inFlight,
  replaced,
  refused: load.unanswered,
  ...countFindings(verdict.findings, ['LOST', 'DOUBLED', 'UNBALANCED', 'UNANNOUNCED']),
  killed,
  errors: errors.length,
  seconds: Math.round(program.seconds()),
};
const faults = listUnkept({
  'there were migrations, and payments in progress': migrations > 0 && inFlight > 0 && load.acknowledged > 0,
  'every payment has its value in a new column': (outcome.unfilled ?? 0) === 0,
  'no request is refused': load.unanswered === 0,
  'there are no findings': verdict.findings.length === 0,
  'every process ends by itself': killed === 0,
  'no process writes of an error': errors.length === 0,
});
finish(program, { summary, faults });

async function upgrade(): Promise<UpgradeOutcome> {
  try {
    const from = await findEarlier(options.from ?? undefined);
    say(`seed ${seed}, from ${from}`);
    return await runUpgrade({ from, seed, ...(options.smoke ? SMOKE : FULL), keep, say });
  } catch (error) {
    if (!(error instanceof NoDrill)) throw error;
    say(error.message);
    process.exit(2);
  }
}
