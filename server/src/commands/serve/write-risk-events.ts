// Writes the risk events of this process every few seconds, and once more when it stops.
import type { Engine } from '../../core/engine.ts';
import { RISK_FLUSH_MS } from '../../core/limits/risk-log.ts';

/** Answers how to stop. */
export function writeRiskEvents(
  { riskLog, store }: Pick<Engine, 'riskLog' | 'store'>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  const write = () => (writing = writing.then(() => riskLog.flush(store.database)).catch(onError));
  const timer = setInterval(() => void write(), RISK_FLUSH_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await write();
  };
}
