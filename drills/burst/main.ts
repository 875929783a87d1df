// `npm run drill:burst`: payouts offered at once to the fake of every operator, at the rate its connector publishes.
// All must be accepted and COMPLETED within 1.5 times what the calls take at that rate, none FAILED, and the provider
// must stay OPERATIONAL.
//
//   npm run drill:burst                               1,000 payouts to each, in about fifteen minutes
//   npm run drill:burst -- --operator mtn-momo        to one of them
//   npm run drill:burst -- --smoke                    60 to each
//   --json ends with one line of figures
import { parseArgs } from 'node:util';
import { listMissed, renderResults } from './report.ts';
import { NAMES, runBurst, type BurstResult } from './run.ts';

const { values } = parseArgs({
  options: {
    payouts: { type: 'string' },
    operator: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const payouts = Number(values.payouts ?? (values.smoke ? 60 : 1_000));
const names = NAMES.filter((name) => values.operator === undefined || name === values.operator);
if (!Number.isSafeInteger(payouts) || payouts < 1 || names.length === 0) {
  process.stderr.write(`npm run drill:burst -- [--payouts 1000] [--operator NAME] [--smoke] [--json]
                 The operators: ${NAMES.join(', ')}\n`);
  process.exit(2);
}

const startedAt = Date.now();
const say = (text: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

/** At the same time. More of them would measure the machine. */
const TOGETHER = 3;

const results: BurstResult[] = [];
for (let first = 0; first < names.length; first += TOGETHER) {
  results.push(
    ...(await runBurst({ names: names.slice(first, first + TOGETHER), payouts, onProgress: say })),
  );
}
process.stdout.write(renderResults(results));
if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`);
const missed = listMissed(results);
for (const goal of missed) say(`missed: ${goal}`);
process.exit(missed.length === 0 ? 0 : 1);
