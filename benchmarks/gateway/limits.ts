// What ten limits cost a merchant's deposits: at most 5 % of the throughput, so that no ratio is below 0.95.
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { measureSides, type SidesOptions } from './two-sides.ts';

export function measureLimits(hooks: ShutdownHooks, options: SidesOptions) {
  return measureSides(hooks, options, {
    figures: ['gateway', 'intake'],
    sides: { without: {}, ten: { hasLimits: true } },
  });
}
