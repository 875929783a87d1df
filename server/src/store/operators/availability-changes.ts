// The timeline of availability: every change, by whom and why. Rows are only ever added.
import type { AvailabilityReason } from '../../domain/operators/availability-reason.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { Availability, AvailabilitySetter } from './availability.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { oneRowInserter } from '../rows.ts';

const changes = columns({
  provider: 'text',
  operation: column<PaymentKind>('text'),
  from: column<Availability>('text', 'from_status'),
  to: column<Availability>('text', 'to_status'),
  setBy: column<AvailabilitySetter>('text'),
  why: column<AvailabilityReason>('jsonb'),
  changedAt: 'timestamptz',
});

export type AvailabilityChange = Row<typeof changes>;

export const insertAvailabilityChange = oneRowInserter('availability_changes', changes.cells);

/** The latest changes, the newest last; of one provider, or of all. */
export async function listAvailabilityChanges(
  tx: Tx,
  options: { readonly provider: string | null; readonly countMax: number },
): Promise<readonly AvailabilityChange[]> {
  const rows = await changes.select(
    tx,
    'from availability_changes where $1::text is null or provider = $1 order by change_no desc limit $2',
    [options.provider, options.countMax],
  );
  return rows.toReversed();
}

/** Every change since a time, in their order. */
export async function listAvailabilityChangesSince(
  tx: Tx,
  since: Date,
): Promise<readonly AvailabilityChange[]> {
  return changes.select(tx, 'from availability_changes where changed_at > $1 order by change_no', [since]);
}
