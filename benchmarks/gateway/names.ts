// What it costs to prepare statements without names, as poolers need it that know none.
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { measureSides, type SidesOptions } from './two-sides.ts';

export function measureNames(hooks: ShutdownHooks, options: SidesOptions) {
  return measureSides(hooks, options, {
    figures: ['gateway', 'intake', 'status'],
    sides: {
      hash: { settings: { MALIPO_DATABASE_STATEMENT_NAMES: 'hash' } },
      none: { settings: { MALIPO_DATABASE_STATEMENT_NAMES: 'none' } },
    },
  });
}
