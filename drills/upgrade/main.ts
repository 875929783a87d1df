// `npm run drill:upgrade`: the steps of docs/operating/upgrade.md on a gateway of the previous release under load, then
// its way back, and forward again. It rests until 0.1.0: it says so and ends with code 2.
//
//   npm run drill:upgrade -- --seed 7        forty payments a second; a new seed, which is printed, unless told
//   npm run drill:upgrade -- --from v1.2.0   from this tag or commit; default: the newest tag
//   npm run drill:upgrade -- --smoke         shorter, with less load: 79 seconds on two cores that others used too
//   --json ends with one line of figures; --keep leaves the scratch directory with every log
//
// Where the history does not reach the previous release, as in a shallow clone, it says so and ends with code 2.
import { parseArgs } from 'node:util';
import { findEarlier, NoDrill } from './releases.ts';
import { runUpgrade, type UpgradeOutcome } from './run.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    seed: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const WHOLE = { perSecond: 40, serveMs: 10_000, looksEveryMs: 1_000 };
const SMOKE = { perSecond: 15, serveMs: 500, looksEveryMs: 500 };

const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const startedAt = Date.now();
const secondsGone = () => (Date.now() - startedAt) / 1_000;
const say = (text: string) => {
  process.stderr.write(`${secondsGone().toFixed(1).padStart(7)} s  ${text}\n`);
};

const outcome = await upgrade();
const { verdict, load, errors } = outcome;
for (const { crime, subject, what } of verdict.findings.slice(0, 40)) say(`${crime} ${subject}: ${what}`);
for (const [cause, times] of Object.entries(load.causes)) say(`refused ${times} times: ${cause}`);
for (const line of errors.slice(0, 10)) say(line.slice(0, 400));
const count = (crime: string) => verdict.findings.filter((finding) => finding.crime === crime).length;
const summary = {
  seed,
  payments: verdict.payments,
  migrations: outcome.migrations,
  inFlight: outcome.inFlight,
  replaced: outcome.replaced,
  refused: load.unanswered,
  lost: count('LOST'),
  doubled: count('DOUBLED'),
  unbalanced: count('UNBALANCED'),
  unannounced: count('UNANNOUNCED'),
  killed: outcome.killed,
  errors: errors.length,
  seconds: Math.round(secondsGone()),
};
if (values.keep) say(`everything is in ${outcome.scratchPath}`);
process.stdout.write(`${JSON.stringify(summary, null, values.json ? 0 : 2)}\n`);
// A drill without migrations or without anything in progress proves nothing.
const isTelling = outcome.migrations > 0 && outcome.inFlight > 0 && load.acknowledged > 0;
const isRight = load.unanswered + verdict.findings.length + outcome.killed + errors.length === 0;
process.exit(isTelling && isRight ? 0 : 1);

async function upgrade(): Promise<UpgradeOutcome> {
  try {
    const from = await findEarlier(values.from);
    say(`seed ${seed}, from ${from}`);
    const sizes = values.smoke ? SMOKE : WHOLE;
    return await runUpgrade({ from, seed, ...sizes, keep: values.keep, onProgress: say });
  } catch (error) {
    if (!(error instanceof NoDrill)) throw error;
    say(error.message);
    process.exit(2);
  }
}
