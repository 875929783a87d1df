// The timeline of availability: every change, by whom and why. Rows are only ever added.
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { Availability, AvailabilitySetter, ProviderOperation } from './availability.ts';
import type { Tx } from '../database.ts';

export type AvailabilityChange = ProviderOperation & {
  readonly from: Availability;
  readonly to: Availability;
  readonly setBy: AvailabilitySetter;
  /** For people, in figures where it was measured. */
  readonly why: string;
  readonly changedAt: Date;
};

export async function insertAvailabilityChange(tx: Tx, change: AvailabilityChange): Promise<void> {
  const { provider, operation, from, to, setBy, why, changedAt } = change;
  await tx.query(
    `insert into availability_changes (provider, operation, from_status, to_status, set_by, why, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [provider, operation, from, to, setBy, why, changedAt],
  );
}

type ChangeRow = {
  provider: string;
  operation: PaymentKind;
  from_status: Availability;
  to_status: Availability;
  set_by: AvailabilitySetter;
  why: string;
  changed_at: Date;
};

const SELECTED = 'provider, operation, from_status, to_status, set_by, why, changed_at';

/** The latest changes, the newest last; of one provider, or of all. */
export async function listAvailabilityChanges(
  tx: Tx,
  options: { readonly provider: string | null; readonly countMax: number },
): Promise<readonly AvailabilityChange[]> {
  const { rows } = await tx.query<ChangeRow>(
    `select ${SELECTED} from availability_changes where $1::text is null or provider = $1
     order by change_no desc limit $2`,
    [options.provider, options.countMax],
  );
  return rows.toReversed().map(changeOf);
}

/** Every change since a time, in their order. */
export async function listAvailabilityChangesSince(
  tx: Tx,
  since: Date,
): Promise<readonly AvailabilityChange[]> {
  const { rows } = await tx.query<ChangeRow>(
    `select ${SELECTED} from availability_changes where changed_at > $1 order by change_no`,
    [since],
  );
  return rows.map(changeOf);
}

function changeOf(row: ChangeRow): AvailabilityChange {
  const { provider, operation, why } = row;
  return {
    provider,
    operation,
    from: row.from_status,
    to: row.to_status,
    setBy: row.set_by,
    why,
    changedAt: row.changed_at,
  };
}
