// Risk events of a process. They are counted in memory and written every few seconds: a request that is refused costs
// no statement, and an attack makes one row for each sort and minute. What was counted and not yet written is lost with
// a process that dies; the metric has it.
import type { CountedRiskEvents, RiskEvent } from '../../domain/limits/risk-event.ts';
import { addCounts, countOnce, moveCounts, riskEventName } from '../../domain/limits/risk-event.ts';
import { addRiskEvents } from '../../store/limits/risk-events.ts';
import { isOutOfReach, withSavepoint, type Tx } from '../../store/database.ts';
import type { EngineClock, Observer } from '../engine.ts';

export type RiskLog = {
  readonly note: (event: RiskEvent) => void;
  /** Writes what was noted since the last time. What cannot be written is kept for the next time. */
  readonly flush: (tx: Tx) => Promise<void>;
};

/** As many sorts between two writings. Events of more are counted by what happened alone. */
const NAMES_MAX = 1_000;

export const RISK_FLUSH_MS = 5_000;

export function createRiskLog(clock: EngineClock, observer: Pick<Observer, 'riskNoted'>): RiskLog {
  let noted = new Map<string, CountedRiskEvents>();
  const add = (one: CountedRiskEvents) => {
    const name = riskEventName(one);
    const before = noted.get(name);
    noted.set(name, before === undefined ? one : addCounts(before, one));
  };
  return {
    note: (event) => {
      observer.riskNoted(event.event);
      // By this process's clock until it is written.
      const at = new Date(clock.now().getTime());
      const one = countOnce(event, at);
      const isKnown = noted.has(riskEventName(one));
      add(isKnown || noted.size < NAMES_MAX ? one : countOnce({ event: event.event }, at));
    },
    flush: async (tx) => {
      if (noted.size === 0) return;
      const written = [...noted.values()];
      noted = new Map();
      try {
        const now = await clock.timeOf(tx);
        await addRiskEvents(tx, moveCounts(written, now.getTime() - clock.now().getTime()));
      } catch (error) {
        for (const one of written) add(one);
        throw error;
      }
    },
  };
}

/** What recording a risk event needs of the engine. */
export type RiskRecorder = {
  readonly clock: EngineClock;
  readonly observer: Pick<Observer, 'riskNoted'>;
  readonly riskLog: RiskLog;
};

/**
 * Records a risk event in the transaction in which it happens. Never fails that transaction: an event that cannot be
 * written is kept in the process's log, which writes it later. Throws only where the database is out of reach.
 */
export async function recordRisk(
  { clock, observer, riskLog }: RiskRecorder,
  tx: Tx,
  event: RiskEvent,
): Promise<void> {
  const now = await clock.timeOf(tx);
  try {
    await withSavepoint(tx, () => addRiskEvents(tx, [countOnce(event, now)]));
    observer.riskNoted(event.event);
  } catch (error) {
    if (isOutOfReach(error)) throw error;
    riskLog.note(event);
  }
}
