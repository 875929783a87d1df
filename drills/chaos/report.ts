// What a run tells: a page for people, one line for programs.
import { namesOf } from './operators.ts';
import type { ChaosOutcome } from './run.ts';
import type { Crime } from '../kit/verdict/verdict.ts';

/** As many findings are shown of each crime; a broken rule can have thousands. */
const SHOWN_MAX = 10;

export function renderReport(outcome: ChaosOutcome): string {
  const { seed, operators, load, trouble, callbacksReceived, verdict, histories, scratchPath } = outcome;
  const crimes = Map.groupBy(verdict.findings, ({ crime }) => crime);
  const lines = [
    '',
    `seed ${seed}: ${verdict.findings.length === 0 ? 'nothing is wrong' : `${verdict.findings.length} findings`}`,
    operators.type === 'SIMULATOR'
      ? `operator: a repeated reference is ${operators.repeats.toLowerCase()}`
      : `operators: the fakes of ${namesOf(operators).join(', ')}`,
    `load: ${render(load)}`,
    `faults: ${render(trouble)}`,
    `payments: ${verdict.payments}; ${render(verdict.states)}`,
    `callbacks received: ${callbacksReceived}`,
    ...[...crimes].flatMap(([crime, some]) => [
      `${crime}: ${some.length}`,
      ...some.slice(0, SHOWN_MAX).map(({ subject, what }) => `  ${subject}: ${what}`),
    ]),
    ...histories,
  ];
  if (verdict.findings.length > 0)
    lines.push(`Again: npm run chaos -- --seed ${seed}; logs with --keep: ${scratchPath}`);
  return `${lines.join('\n')}\n`;
}

/** What has to have happened, or the run proves nothing, however clean it is. */
export function listMissing(outcome: ChaosOutcome): readonly string[] {
  const { operators, load, trouble, verdict, callbacksReceived, isSmoke } = outcome;
  const withAccounts = operators.type === 'FAKES' && !isSmoke;
  const happened = {
    payments: verdict.payments,
    'payments of API v1': load.earlier,
    callbacks: callbacksReceived,
    kills: trouble.kills,
    failovers: trouble.failovers,
    deploys: trouble.deploys,
    migrations: trouble.migrations,
    'faults of the operator': trouble.operatorFaults,
    ...(isSmoke ? {} : { 'clocks far off': trouble.farSkews, 'refusals of the database': trouble.refusals }),
    ...(withAccounts
      ? { 'replaced accounts': trouble.accountReplacements, forgeries: trouble.forgeries }
      : {}),
  };
  return Object.entries(happened).flatMap(([what, count]) => (count > 0 ? [] : [what]));
}

export function renderSummary({ seed, trouble, verdict }: ChaosOutcome): object {
  const count = (crime: Crime) => verdict.findings.filter((finding) => finding.crime === crime).length;
  return {
    seed,
    payments: verdict.payments,
    kills: trouble.kills,
    failovers: trouble.failovers,
    farSkews: trouble.farSkews,
    refusals: trouble.refusals,
    accountReplacements: trouble.accountReplacements,
    forgeries: trouble.forgeries,
    lost: count('LOST'),
    doubled: count('DOUBLED'),
    unbalanced: count('UNBALANCED'),
    unannounced: count('UNANNOUNCED'),
    unpaid: count('UNPAID'),
  };
}

function render(counts: object): string {
  return Object.entries(counts)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}
