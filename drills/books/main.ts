// `npm run drill:books`: a sandbox with the console, 10,000 payments of every kind with fees, refunds of what came in,
// top-ups, settlements and adjustments by two people, and then what the console shows: zero in every currency.
//
//   npm run drill:books -- --payments 10000 --seed 7    a new seed unless told
//   npm run drill:books -- --smoke                      300 payments
//
// Ends with one line of figures, and with code 0 only if every account is what payments, people and the operator's own
// books say it must be, and a mistake planted afterwards is shown.
import { parseArgs } from 'node:util';
import { runBooks } from './run.ts';

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    smoke: { type: 'boolean', default: false },
  },
});

const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const say = (text: string) => process.stderr.write(`${text}\n`);
say(`seed ${seed}`);
const run = await runBooks({ seed, payments: values.smoke ? 300 : Number(values.payments), onProgress: say });
for (const finding of run.findings.slice(0, 40)) say(finding);
say(JSON.stringify(run.counts));
const summary = {
  payments: run.payments,
  movedManually: run.hand.moved,
  rejectedManually: run.hand.rejected,
  refusedAlone: run.hand.refusedAlone,
  endedManually: run.endedManually,
  currencies: run.shown.totals.length,
  notZero: run.shown.totals.filter(({ total }) => total !== '0').length,
  wrong: run.findings.length,
  isMistakeShown: run.isMistakeShown,
  seconds: Math.round(run.seconds),
};
process.stdout.write(`${JSON.stringify(summary)}\n`);
process.exit(run.findings.length === 0 && run.isMistakeShown ? 0 : 1);
