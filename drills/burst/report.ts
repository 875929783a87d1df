// What a run found: a table for people, and the goals that were missed.
import type { BurstResult } from './run.ts';

const HEAD = ['operator', 'payouts', 'calls', 'rate', 'seconds', 'allowed', 'FAILED', 'status'];

export function renderResults(results: readonly BurstResult[]): string {
  const rows = results.map((one) => [
    one.operator,
    String(one.payouts),
    String(one.calls),
    `${one.perSecond}/s`,
    one.seconds.toFixed(1),
    one.allowedSeconds.toFixed(1),
    String(one.failed),
    one.status,
  ]);
  const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...rows].map((row) => row[column]?.length ?? 0)));
  const lines = [HEAD, ...rows].map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  return `${lines.map((cells) => cells.join('  ').trimEnd()).join('\n')}\n`;
}

export function listMissed(results: readonly BurstResult[]): readonly string[] {
  return results.flatMap((one) => {
    const { operator, payouts, accepted, completed, failed, seconds, allowedSeconds, status } = one;
    return [
      ...(accepted === payouts ? [] : [`${operator}: ${accepted} of ${payouts} were accepted`]),
      ...(completed === payouts ? [] : [`${operator}: ${completed} of ${payouts} are COMPLETED`]),
      ...(failed === 0 ? [] : [`${operator}: ${failed} are FAILED`]),
      ...(seconds <= allowedSeconds
        ? []
        : [`${operator}: took ${seconds.toFixed(1)} s, allowed are ${allowedSeconds.toFixed(1)} s`]),
      ...(status === 'OPERATIONAL' ? [] : [`${operator}: was ${status}`]),
    ];
  });
}
