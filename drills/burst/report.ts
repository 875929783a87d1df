// The report of a run: a table, and the missed goals.
import { listUnkept } from '../kit/program.ts';
import { align } from '../kit/table.ts';
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
  return `${align([HEAD, ...rows]).join('\n')}\n`;
}

export function listMissed(results: readonly BurstResult[]): readonly string[] {
  return results.flatMap((one) => {
    const { operator, payouts, accepted, completed, failed, seconds, allowedSeconds, status } = one;
    const isKept = {
      [`${accepted} of ${payouts} were accepted`]: accepted === payouts,
      [`${completed} of ${payouts} are COMPLETED`]: completed === payouts,
      [`${failed} are FAILED`]: failed === 0,
      [`took ${seconds.toFixed(1)} s, allowed are ${allowedSeconds.toFixed(1)} s`]: seconds <= allowedSeconds,
      [`was ${status}`]: status === 'OPERATIONAL',
    };
    return listUnkept(isKept).map((goal) => `${operator}: ${goal}`);
  });
}
