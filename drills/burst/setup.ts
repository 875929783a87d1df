// The setup of the drill: a gateway with its default settings, a real PostgreSQL, and the fakes of operators over HTTP
// both ways. Each operator account has the rate that its connector publishes.
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';
import { startFakeSetup } from '../kit/fakes.ts';
import { bindingSettings, gatewaySettings } from '../kit/settings.ts';

export type Setup = Awaited<ReturnType<typeof startFakeSetup>>;

export function startSetup(hooks: ShutdownHooks, names: readonly string[]): Promise<Setup> {
  return startFakeSetup(hooks, {
    names,
    // At once: an operator that answers with the result, such as Vodacom, would answer a time-out if it came later.
    fakes: { outcomeDelayMs: 0, openingFloat: '100000000' },
    // Only addresses and keys are set, and the merchant's own limit is lifted: the drill shows the defaults.
    settingsOf: ({ databaseUrl, apiUrl, bindings }) => ({
      ...gatewaySettings(databaseUrl),
      ...bindingSettings(bindings),
      MALIPO_OPERATORS_URL: apiUrl,
    }),
  });
}
