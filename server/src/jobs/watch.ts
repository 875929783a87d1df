// Watches whether providers answer: writes counts down, looks at them, and probes those that are DELAYED.
import type { Engine } from '../core/engine.ts';
import { recordCalls, takeProbes, watchAvailability } from '../core/operators/watch-availability.ts';
import type { HealthSettings } from '../domain/operators/provider-health.ts';
import type { Background } from './loop.ts';

export function createWatchRound(engine: Engine, settings: HealthSettings) {
  return async (background: Background): Promise<void> => {
    await recordCalls(engine, settings);
    await watchAvailability(engine, settings);
    // In the background: a provider that does not answer must not keep the watch from the others.
    for (const probe of await takeProbes(engine, settings)) background.run(probe);
  };
}
