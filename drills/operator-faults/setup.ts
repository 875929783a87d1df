// The setup of the drill: its own gateway with a real PostgreSQL, and the fakes of operators over HTTP both ways.
import type { Gateway } from '../../server/src/commands/serve/compose.ts';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import type { RunningFakes } from '../../server/src/commands/sandbox/operator-fakes.ts';
import type { Clock } from '../../server/src/domain/clock.ts';
import { clockOf } from '../../server/test/clocks.ts';
import { startFakeSetup } from '../kit/fakes.ts';
import type { Merchant } from '../kit/merchants.ts';
import { openScratch, type Scratch } from '../kit/scratch.ts';
import { drillSettings, simulatorOptions } from '../kit/settings.ts';
import { journalPathOf } from '../kit/verdict/operator-books.ts';

export type Setup = RunningFakes & {
  readonly scratch: Scratch;
  readonly gateway: Gateway;
  readonly apiUrl: string;
  readonly operatorUrls: ReadonlyMap<string, string>;
  readonly merchants: readonly Merchant[];
};

/** The operators' real rate limits would make the drill too slow; other tests cover them. */
const AGREED = { requestsPerSecond: '1000' };

export async function startSetup(
  hooks: ShutdownHooks,
  { names, keep }: { readonly names: readonly string[]; readonly keep: boolean },
): Promise<Setup> {
  const scratch = openScratch(hooks, { keep });
  const clock: { current: Clock } = { current: { now: () => new Date() } };
  const setup = await startFakeSetup(hooks, {
    names,
    fakes: {
      ...simulatorOptions('SHORT'),
      control: true,
      clock: { now: () => clock.current.now() },
      journalPathOf: (name) => journalPathOf(scratch, name),
    },
    settingsOf: (facts) => ({
      ...drillSettings({ ...facts, tempo: 'SHORT' }),
      MALIPO_MOVABLE_CLOCK: 'on',
      MALIPO_LOG_LEVEL: 'error',
    }),
    agreed: AGREED,
  });
  clock.current = clockOf(setup.gateway.engine);
  const operatorUrls = new Map([...setup.fakes].map(([name, { url }]) => [name, url]));
  return { ...setup, scratch, operatorUrls };
}
