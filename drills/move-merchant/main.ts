// `npm run drill:move-merchant`: two cells as real processes, load of every kind through the old cell's address, and a
// merchant that moves to and fro while the command that moves it is killed at random points and run again, the operator
// fails, and the first cell's database fails over.
//
//   npm run drill:move-merchant -- --moves 6 --kills 3 --failovers 3 --seed 7
//     so many moves, each cut off so often; a new seed by default
//   npm run drill:move-merchant -- --drain                         every merchant of a cell, with a history
//   npm run drill:move-merchant -- --smoke                         one move, about a minute; also with --drain
//   --keep leaves the scratch directory with every log
//
// Ends with one line of figures, and with code 0 only if nothing was refused, lost, doubled, unbalanced or left
// unannounced, and rows are equal.
import { finish, listUnkept, SEED, startProgram } from '../kit/program.ts';
import { countFindings, listFindings } from '../kit/verdict/verdict.ts';
import { runDrain } from './drain.ts';
import { countRefused, medianOf, numbersAfter } from './figures.ts';
import { runMoves } from './run.ts';

const program = startProgram('npm run drill:move-merchant --', {
  moves: { full: 6, smoke: 1 },
  kills: { full: 3, smoke: 2 },
  failovers: { full: 3, smoke: 1 },
  drain: false,
  merchants: { full: 20, smoke: 4 },
  payments: { full: 200_000, smoke: 4_000 },
  seed: SEED,
  smoke: false,
  keep: false,
});
const { say, options } = program;
const { seed, failovers, smoke, keep } = options;

say(`seed ${seed}`);
if (options.drain) await drain();
else await move();

async function move(): Promise<never> {
  const { moves, kills: killsPerMove } = options;
  const historyMs = smoke ? 4_000 : 15_000;
  const outcome = await runMoves({ seed, moves, killsPerMove, failovers, historyMs, keep, say });
  const { verdict, counts, usualPauseMs, pauses, rejected } = outcome;
  for (const finding of listFindings(verdict.findings)) say(finding);
  say(`killed when the migration locks were (old, new): ${JSON.stringify(counts.killedAt)}`);
  say(`rejected: ${JSON.stringify(rejected)}; the longest pause before any move was ${usualPauseMs} ms`);
  const startedAt = performance.now() - program.seconds() * 1_000;
  for (const { ms, endedAt } of pauses.slice(0, 5)) {
    say(`a pause of ${ms} ms ended ${((endedAt - startedAt) / 1_000).toFixed(1)} s after the start`);
  }
  const refused = countRefused(rejected);
  const summary = {
    payments: verdict.payments,
    refused,
    ...countFindings(verdict.findings, ['LOST', 'DOUBLED', 'UNBALANCED', 'UNANNOUNCED']),
    kills: counts.kills,
    failovers: counts.failovers,
    operatorFaults: counts.operatorFaults,
    pauseMs: pauses[0]?.ms ?? 0,
  };
  const faults = listUnkept({
    'there are no findings': verdict.findings.length === 0,
    'there were payments': verdict.payments > 0,
    'nothing was refused': refused === 0,
  });
  return finish(program, { summary, faults });
}

async function drain(): Promise<never> {
  const { merchants, payments, kills } = options;
  const outcome = await runDrain({ seed, merchants, payments, kills, failovers, keep, say });
  const { verdict, counts, rejected, lines } = outcome;
  for (const finding of listFindings(verdict.findings)) say(finding);
  say(`rejected: ${JSON.stringify(rejected)}`);
  const locked = numbersAfter(lines, /locked for (\d+) ms/);
  const refused = countRefused(rejected);
  const summary = {
    merchants,
    payments: verdict.payments,
    refused,
    ...countFindings(verdict.findings, ['LOST', 'DOUBLED', 'UNBALANCED', 'UNANNOUNCED']),
    unequal: verdict.unequal,
    leftBehind: verdict.leftBehind,
    ...counts,
    drainSeconds: Math.round(outcome.seconds),
    rowsPerSecond: medianOf(numbersAfter(lines, /(\d+) rows a second while/)),
    lockedMs: { median: medianOf(locked), max: Math.max(0, ...locked) },
  };
  const faults = listUnkept({
    'there are no findings': verdict.findings.length === 0,
    'rows are equal': verdict.unequal.length === 0,
    'the old cell is empty': verdict.leftBehind === 0,
    'payments were acknowledged': outcome.acknowledged > 0,
    'nothing was refused': refused === 0,
  });
  return finish(program, { summary, faults });
}
