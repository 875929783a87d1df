// `npm run drill:move-merchant`: two cells as real processes, load of every kind through the old cell's address, and a
// merchant that moves to and fro while the command that moves it is killed at random points and run again.
//
//   npm run drill:move-merchant -- --moves 6 --kills 3 --seed 7
//     so many moves, each cut off so often; a new seed unless told
//   npm run drill:move-merchant -- --smoke                         one move, under 45 seconds
//   --keep leaves the scratch directory with every log
//
// Ends with one line of figures, and with code 0 only if nothing was lost, doubled, unbalanced or left untold.
import { parseArgs } from 'node:util';
import { runMoves } from './run.ts';
import { countOf } from './verdict.ts';

const { values } = parseArgs({
  options: {
    moves: { type: 'string', default: '6' },
    kills: { type: 'string', default: '3' },
    seed: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const startedAt = Date.now();
const started = performance.now();
const say = (text: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

say(`seed ${seed}`);
const { verdict, counts, usualPauseMs, pauses, rejected } = await runMoves({
  seed,
  moves: values.smoke ? 1 : Number(values.moves),
  killsPerMove: values.smoke ? 2 : Number(values.kills),
  historyMs: values.smoke ? 4_000 : 15_000,
  keep: values.keep,
  onProgress: say,
});
for (const { crime, subject, what } of verdict.findings.slice(0, 40)) say(`${crime} ${subject}: ${what}`);
say(`killed when the migration locks were (old, new): ${JSON.stringify(counts.killedAt)}`);
say(`rejected: ${JSON.stringify(rejected)}; the longest pause before any move was ${usualPauseMs} ms`);
for (const { ms, endedAt } of pauses.slice(0, 5)) {
  say(`a pause of ${ms} ms ended ${((endedAt - started) / 1_000).toFixed(1)} s after the start`);
}
const summary = {
  payments: verdict.payments,
  lost: countOf(verdict, 'LOST'),
  doubled: countOf(verdict, 'DOUBLED'),
  unbalanced: countOf(verdict, 'UNBALANCED'),
  unannounced: countOf(verdict, 'UNANNOUNCED'),
  pauseMs: pauses[0]?.ms ?? 0,
};
process.stdout.write(`${JSON.stringify(summary)}\n`);
process.exit(verdict.findings.length === 0 && verdict.payments > 0 ? 0 : 1);
