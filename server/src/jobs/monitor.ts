// Measures for the host's alerts, and hands what was measured, by whichever worker, to anyone who exposes it.
import type { Engine } from '../core/engine.ts';
import { readMeasurements, takeMeasurements, type MonitorSettings } from '../core/monitoring/monitor.ts';
import type { Background } from './loop.ts';

export function createMonitorRound(engine: Engine, settings: MonitorSettings) {
  return async ({ isStopping, run }: Background): Promise<void> => {
    try {
      // In the background: an operator that is slow to give its balance must not keep the rest from being measured. A
      // measurement that ends wakes the loop, which then reads it below.
      for (const measure of await takeMeasurements(engine, settings, isStopping)) run(measure);
      engine.observer.measured(await readMeasurements(engine, settings));
    } catch (error) {
      // Anyone who cannot read what is so must not go on showing what was.
      engine.observer.measured(null);
      throw error;
    }
  };
}
