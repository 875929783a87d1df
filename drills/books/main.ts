// `npm run drill:books`: a sandbox with the console, 10,000 payments of every kind with fees, refunds of what came in,
// top-ups, settlements and adjustments by two people, and then what the console shows: zero in every currency.
//
//   npm run drill:books -- --payments 10000 --seed 7    a new seed by default
//   npm run drill:books -- --smoke                      300 payments
//
// Ends with one line of figures, and with code 0 only if every account is what payments, people and the operator's own
// books say it must be, and a mistake planted afterwards is shown.
import { finish, listUnkept, SEED, startProgram } from '../kit/program.ts';
import { runBooks } from './run.ts';

const program = startProgram('npm run drill:books --', {
  payments: { full: 10_000, smoke: 300 },
  seed: SEED,
  smoke: false,
});
const { say, options } = program;
const { seed, payments } = options;

say(`seed ${seed}`);
const run = await runBooks({ seed, payments, say });
for (const finding of run.findings.slice(0, 40)) say(finding);
say(JSON.stringify(run.counts));
const summary = {
  payments: run.payments,
  movedManually: run.people.moved,
  rejectedManually: run.people.rejected,
  refusedAlone: run.people.refusedAlone,
  endedManually: run.people.ended,
  currencies: run.shown.totals.length,
  notZero: run.shown.totals.filter(({ total }) => total !== '0').length,
  wrong: run.findings.length,
  isMistakeShown: run.isMistakeShown,
  seconds: Math.round(program.seconds()),
};
const faults = listUnkept({
  'every account is right': run.findings.length === 0,
  'a planted mistake is shown': run.isMistakeShown,
});
finish(program, { summary, faults });
