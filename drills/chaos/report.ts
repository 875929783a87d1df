// The report of a run: a page for people, one line for programs, and why it failed.
import { countFindings } from '../kit/verdict/verdict.ts';
import { namesOf } from './operators.ts';
import type { ChaosOutcome } from './run.ts';

/** From a kill of the primary on: ten seconds until Patroni believes it; a machine with much else to do takes forty. */
const WITHOUT_WRITE_MS_MAX = 120_000;

/** A run is full from this length on, and shows nothing with less than this. */
const FULL_MS = 20 * 60_000;
const FULL_RUN = { payments: 20_000, kills: 100, 'failovers and switchovers': 5 };

/** How many findings of each type are shown; a broken rule can have thousands. */
const SHOWN_MAX = 10;

export function renderReport(outcome: ChaosOutcome): string {
  const { seed, operators, load, faults, feed, callbacksReceived, verdict, histories, scratchPath } = outcome;
  const { findings } = verdict;
  const lines = [
    '',
    `seed ${seed}: ${findings.length === 0 ? 'nothing is wrong' : `${findings.length} findings`}`,
    operators.type === 'SIMULATOR'
      ? `operator: a repeated reference is ${operators.repeats.toLowerCase()}`
      : `operators: the fakes of ${namesOf(operators).join(', ')}`,
    `load: ${render(load)}`,
    `faults: ${render(faults)}`,
    `payments: ${verdict.payments}; ${render(verdict.states)}`,
    `callbacks received: ${callbacksReceived}`,
    `questions to the screening service: ${outcome.screened}`,
    `event feeds: ${render(feed)}`,
    ...(outcome.people === null ? [] : [`people in both cells: ${render(outcome.people)}`]),
    ...[...Map.groupBy(findings, ({ type }) => type)].flatMap(([type, some]) => [
      `${type}: ${some.length}`,
      ...some.slice(0, SHOWN_MAX).map(({ subject, what }) => `  ${subject}: ${what}`),
    ]),
    ...histories,
  ];
  if (findings.length > 0)
    lines.push(`Again: npm run chaos -- --seed ${seed}; logs with --keep: ${scratchPath}`);
  return `${lines.join('\n')}\n`;
}

/** What must have happened, because a run without it shows nothing; and the findings. */
export function listFaults(outcome: ChaosOutcome, brokenRule: string | null): readonly string[] {
  const { operators, load, faults, feed, verdict, callbacksReceived, isSmoke, lengthMs } = outcome;
  const withAccounts = operators.type === 'FAKES' && !isSmoke;
  const happened = {
    payments: verdict.payments,
    'payments through API v1': load.earlier,
    callbacks: callbacksReceived,
    'questions to the screening service': outcome.screened,
    'events of feeds': feed.events,
    'kills of readers': feed.readerKills,
    kills: faults.kills,
    failovers: faults.failovers,
    deploys: faults.deploys,
    migrations: faults.migrations,
    'faults of the operator': faults.operatorFaults,
    ...(outcome.people === null
      ? {}
      : {
          'payments of the second cell': outcome.acknowledgedInSecondCell,
          'moves of a merchant': faults.moves,
          'faults in the second cell': faults.inSecondCell,
          'settlements under identifiers of others': outcome.people.chosenIdentifiers,
          'decisions about settlements': outcome.people.decisions,
          'references that meet': outcome.people.refusedReferences,
          'voided files': outcome.people.voidedFiles,
        }),
    ...(isSmoke
      ? {}
      : {
          switchovers: faults.switchovers,
          'failovers and switchovers': faults.failovers + faults.switchovers,
          'kills of PgBouncer': faults.poolerKills,
          "workers' clocks far off": faults.farSkews,
          "API processes' clocks far off": faults.farApiSkews,
          'refusals of the database': faults.refusals,
        }),
    ...(withAccounts ? { 'replaced accounts': faults.accountReplacements, forgeries: faults.forgeries } : {}),
  };
  const isFull = operators.type === 'SIMULATOR' && lengthMs >= FULL_MS;
  const leastOf: Readonly<Record<string, number>> = isFull ? FULL_RUN : {};
  const missing = Object.entries(happened).flatMap(([what, count]) => {
    const least = leastOf[what] ?? 1;
    return count >= least ? [] : [count === 0 ? `no ${what}` : `${count} ${what}, fewer than ${least}`];
  });
  if (faults.longestWithoutWriteMs > WITHOUT_WRITE_MS_MAX)
    missing.push(`no payment was accepted for ${faults.longestWithoutWriteMs} ms`);
  const isClean = verdict.findings.length === 0;
  // A broken rule that is not found is a gap in the drill.
  if (isClean === (brokenRule === null)) return missing;
  return [...missing, isClean ? `"${brokenRule}" is broken and was not found` : 'there are findings'];
}

export function renderSummary({ seed, faults, feed, people, verdict }: ChaosOutcome): object {
  return {
    seed,
    payments: verdict.payments,
    kills: faults.kills + faults.poolerKills,
    failovers: faults.failovers,
    switchovers: faults.switchovers,
    longestWithoutWriteMs: faults.longestWithoutWriteMs,
    longestAfterPromotionMs: faults.longestAfterPromotionMs,
    farSkews: faults.farSkews,
    farApiSkews: faults.farApiSkews,
    refusals: faults.refusals,
    inSecondCell: faults.inSecondCell,
    moves: faults.moves,
    ...people,
    accountReplacements: faults.accountReplacements,
    forgeries: faults.forgeries,
    ...countFindings(verdict.findings, [
      'LOST',
      'DOUBLED',
      'UNBALANCED',
      'UNANNOUNCED',
      'UNPAID',
      'UNREVIEWED',
    ]),
    ...feed,
  };
}

function render(counts: object): string {
  return Object.entries(counts)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}
