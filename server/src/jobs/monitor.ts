// Measures for the host's alerts, and hands what was measured, by whichever worker, to anyone who exposes it.
import type { Engine } from '../core/engine.ts';
import { readMeasurements, takeMeasurements, type MonitorSettings } from '../core/monitoring/monitor.ts';
import type { Background, Round } from './loop.ts';

export function createMonitorRound(
  engine: Engine,
  settings: MonitorSettings & { readonly isStopping: () => boolean },
) {
  return async (background: Background): Promise<Round> => {
    try {
      // In the background: an operator that is slow to tell its balance must not keep the rest from being measured. A
      // measurement that ends wakes the loop, which then reads it below.
      for (const measure of await takeMeasurements(engine, settings, settings.isStopping))
        background.run(measure);
      engine.observer.measured(await readMeasurements(engine, settings));
    } catch (error) {
      // Anyone who cannot read what is so must not go on telling what was.
      engine.observer.measured(null);
      throw error;
    }
    return 'IDLE';
  };
}
