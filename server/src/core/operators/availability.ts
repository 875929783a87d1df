// Changes whether a provider can be used. Every change leaves a line in the timeline, in the same transaction; what a
// person set is never changed by measurement.
import type { AvailabilityReason } from '../../domain/operators/availability-reason.ts';
import { insertAvailabilityChange } from '../../store/operators/availability-changes.ts';
import {
  lockAvailability,
  setAvailability,
  type Availability,
  type AvailabilitySetter,
  type ProviderOperation,
  type Unavailability,
} from '../../store/operators/availability.ts';
import type { Tx } from '../../store/database.ts';

export type AvailabilityOrder = ProviderOperation & {
  readonly status: Availability;
  readonly setBy: AvailabilitySetter;
  readonly why: AvailabilityReason;
  readonly now: Date;
};

/** Must run in a transaction. Answers whether anything changed. */
export async function applyAvailability(tx: Tx, order: AvailabilityOrder): Promise<boolean> {
  const { provider, operation, status, setBy, why, now } = order;
  const before = await lockAvailability(tx, order);
  if (!isChange(before, order)) return false;
  await setAvailability(tx, { provider, operation, status, setBy, now });
  const from = before?.status ?? 'OPERATIONAL';
  await insertAvailabilityChange(tx, { provider, operation, from, to: status, setBy, why, changedAt: now });
  return true;
}

/** A person may also confirm what was measured: from then on it is the person's. */
function isChange(
  before: Pick<Unavailability, 'status' | 'setBy'> | null,
  { status, setBy }: AvailabilityOrder,
): boolean {
  if (before === null) return status !== 'OPERATIONAL';
  if (setBy === 'HAND') return before.status !== status || before.setBy !== 'HAND';
  return before.setBy === 'MEASURED' && before.status !== status;
}
