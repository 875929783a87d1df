// `npm run drill:move-merchant`: two cells as real processes, load of every kind through the old cell's address, and a
// merchant that moves to and fro while the command that moves it is killed at random points and run again.
//
//   npm run drill:move-merchant -- --moves 6 --kills 3 --seed 7
//     so many moves, each cut off so often; a new seed by default
//   npm run drill:move-merchant -- --smoke                         one move, under 45 seconds
//   --keep leaves the scratch directory with every log
//
// Ends with one line of figures, and with code 0 only if nothing was lost, doubled, unbalanced or left unannounced.
import { finish, listUnkept, SEED, startProgram } from '../kit/program.ts';
import { countFindings, listFindings } from '../kit/verdict/verdict.ts';
import { runMoves } from './run.ts';

const program = startProgram('npm run drill:move-merchant --', {
  moves: { full: 6, smoke: 1 },
  kills: { full: 3, smoke: 2 },
  seed: SEED,
  smoke: false,
  keep: false,
});
const { say, options } = program;
const { seed, moves, kills: killsPerMove, smoke, keep } = options;

say(`seed ${seed}`);
const historyMs = smoke ? 4_000 : 15_000;
const outcome = await runMoves({ seed, moves, killsPerMove, historyMs, keep, say });
const { verdict, counts, usualPauseMs, pauses, rejected } = outcome;
for (const finding of listFindings(verdict.findings)) say(finding);
say(`killed when the migration locks were (old, new): ${JSON.stringify(counts.killedAt)}`);
say(`rejected: ${JSON.stringify(rejected)}; the longest pause before any move was ${usualPauseMs} ms`);
const startedAt = performance.now() - program.seconds() * 1_000;
for (const { ms, endedAt } of pauses.slice(0, 5)) {
  say(`a pause of ${ms} ms ended ${((endedAt - startedAt) / 1_000).toFixed(1)} s after the start`);
}
const summary = {
  payments: verdict.payments,
  ...countFindings(verdict.findings, ['LOST', 'DOUBLED', 'UNBALANCED', 'UNANNOUNCED']),
  pauseMs: pauses[0]?.ms ?? 0,
};
const faults = listUnkept({
  'there are no findings': verdict.findings.length === 0,
  'there were payments': verdict.payments > 0,
});
finish(program, { summary, faults });
