// The report of a run: a table for people, one line for programs.
import { align } from '../kit/table.ts';
import { listFindings } from '../kit/verdict/verdict.ts';
import type { OperatorsOutcome } from './run.ts';
import type { OperatorTally } from './tally.ts';

/** One payment in five should meet a fault; chance, and faults that met no payment, reduce it. */
const STRUCK_SHARE_MIN = 0.1;

const HEAD = ['operator', 'payments', 'faults', 'COMPLETED', 'FAILED', 'IN_RECONCILIATION', 'cases', 'kinds'];

export function renderOutcome(
  { verdict, histories, operators, repeatedMessages, scratchPath }: OperatorsOutcome,
  seed: number,
): string {
  const rows = operators.map(({ operator, payments, faults, states, kinds, cases }) => [
    operator,
    String(payments),
    String(faults),
    ...['COMPLETED', 'FAILED', 'IN_RECONCILIATION'].map((state) => String(states[state] ?? 0)),
    String(cases),
    Object.entries(kinds)
      .map(([kind, some]) => `${kind} ${some}`)
      .join(' '),
  ]);
  const findings = listFindings(
    verdict.findings.map((finding) => {
      const whose = operators.find(({ names }) => names.has(finding.subject))?.operator ?? '';
      return { ...finding, subject: `${whose} ${finding.subject}` };
    }),
  );
  const right = `seed ${seed}: ${verdict.payments} payments, ${verdict.findings.length} findings`;
  return `${[
    ...align([HEAD, ...rows]),
    `repeated by their operators, because no enquiry was possible: ${repeatedMessages}`,
    `not reported: ${verdict.unreported.amounts} other amounts, ${verdict.unreported.ends} other ends`,
    findings.length === 0
      ? right
      : `${right}; again with --seed ${seed}, journals with --keep: ${scratchPath}`,
    ...findings,
    ...histories,
  ].join('\n')}\n`;
}

export function renderSummary(
  { verdict, operators, repeatedMessages }: OperatorsOutcome,
  seed: number,
): object {
  return {
    seed,
    payments: verdict.payments,
    findings: verdict.findings.length,
    unreported: verdict.unreported,
    repeatedMessages,
    operators: operators.map((one) => ({ ...one, names: undefined })),
  };
}

/** What must have happened, because a clean run without it shows nothing. */
export function listMissing({ operators }: OperatorsOutcome, count: number): readonly string[] {
  return operators.flatMap(({ operator, payments, faults, states }: OperatorTally) => [
    ...(payments >= count ? [] : [`${payments} of ${count} payments through ${operator}`]),
    ...(faults >= payments * STRUCK_SHARE_MIN ? [] : [`${faults} faults struck at ${operator}`]),
    ...((states['COMPLETED'] ?? 0) > payments / 2 ? [] : [`hardly anything completed at ${operator}`]),
  ]);
}
