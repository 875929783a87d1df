// What was last measured, where every worker finds it: one measures, all expose the same figures.
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';

export const MONITOR_PARTS = ['flow', 'float', 'books'] as const;
export type MonitorPart = (typeof MONITOR_PARTS)[number];

export type StoredReading = {
  readonly part: MonitorPart;
  readonly measuredAt: Date;
  readonly samples: unknown;
  readonly checkpoint: unknown;
};

/** Takes a part last taken before `lastBefore`, or whose measurement never came. Of several workers one gets it. */
export async function claimPart(
  tx: Tx,
  claim: {
    readonly part: MonitorPart;
    readonly now: Date;
    readonly lastBefore: Date;
    /** A claim from before this that led to no measurement is void: the worker that made it was stopped, or failed. */
    readonly voidBefore: Date;
    /** A claim from beyond this is of a clock that was set back since. */
    readonly futureFrom: Date;
  },
): Promise<boolean> {
  return isChanged(
    tx,
    `insert into monitor_readings (part, claimed_at) values ($1, $2)
     on conflict (part) do update set claimed_at = excluded.claimed_at
     where monitor_readings.claimed_at <= $3 or monitor_readings.claimed_at > $4
       or (monitor_readings.claimed_at <= $5
         and coalesce(monitor_readings.measured_at < monitor_readings.claimed_at, true))`,
    [claim.part, claim.now, claim.lastBefore, claim.futureFrom, claim.voidBefore],
  );
}

export async function writeReading(tx: Tx, reading: StoredReading): Promise<void> {
  await tx.query(
    'update monitor_readings set measured_at = $2, samples = $3, checkpoint = $4 where part = $1',
    [
      reading.part,
      reading.measuredAt,
      JSON.stringify(reading.samples),
      reading.checkpoint === null ? null : JSON.stringify(reading.checkpoint),
    ],
  );
}

export async function listReadings(tx: Tx): Promise<readonly StoredReading[]> {
  const { rows } = await tx.query<Omit<StoredReading, 'measuredAt'> & { measured_at: Date }>(
    'select part, measured_at, samples, checkpoint from monitor_readings where measured_at is not null',
  );
  return rows.map(({ measured_at: measuredAt, ...row }) => ({ ...row, measuredAt }));
}
