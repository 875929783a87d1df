// Which providers are not OPERATIONAL, for what, and who said so.
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';

export type Availability = 'OPERATIONAL' | 'DELAYED' | 'CLOSED';

/** HAND: a person. MEASURED: the results of calls, which never change what a person set. */
export type AvailabilitySetter = 'HAND' | 'MEASURED';

/** A provider for one operation. */
const operations = columns({ provider: 'text', operation: column<PaymentKind>('text') });
export type ProviderOperation = Row<typeof operations>;

/** A provider that is not OPERATIONAL. */
const unavailable = columns({
  ...operations.defs,
  status: column<Availability>('text'),
  setBy: column<AvailabilitySetter>('text'),
  changedAt: 'timestamptz',
  /** Since when every look found it well, where it was measured. */
  goodSince: 'timestamptz null',
});
export type Unavailability = Row<typeof unavailable>;

/** Everything that is not OPERATIONAL, by "PROVIDER OPERATION". */
export async function listUnavailable(tx: Tx): Promise<ReadonlyMap<string, Availability>> {
  const all = await listUnavailabilities(tx);
  return new Map(all.map(({ provider, operation, status }) => [`${provider} ${operation}`, status]));
}

export async function listUnavailabilities(tx: Tx): Promise<readonly Unavailability[]> {
  return unavailable.select(tx, 'from provider_availability');
}

/**
 * Keeps other changes away until the end of the transaction, and answers what is in force; null is OPERATIONAL. The
 * whole table, because a row that is not there cannot be locked; readers do not wait.
 */
export async function lockAvailability(
  tx: Tx,
  { provider, operation }: ProviderOperation,
): Promise<Pick<Unavailability, 'status' | 'setBy'> | null> {
  await tx.query('lock table provider_availability in share row exclusive mode');
  const tail = 'from provider_availability where provider = $1 and operation = $2';
  return unavailable.find(tx, tail, [provider, operation]);
}

export async function setAvailability(
  tx: Tx,
  change: ProviderOperation & {
    readonly status: Availability;
    readonly setBy: AvailabilitySetter;
    readonly now: Date;
  },
): Promise<void> {
  const { provider, operation, status, setBy, now } = change;
  if (status === 'OPERATIONAL') {
    await tx.query('delete from provider_availability where provider = $1 and operation = $2', [
      provider,
      operation,
    ]);
    return;
  }
  await tx.query(
    `insert into provider_availability (provider, operation, status, set_by, changed_at)
     values ($1, $2, $3, $4, $5)
     on conflict (provider, operation) do update set status = excluded.status, set_by = excluded.set_by,
       changed_at = excluded.changed_at, good_since = null, probed_at = null`,
    [provider, operation, status, setBy, now],
  );
}

/** Notes since when a DELAYED provider is found well; null when it is not. */
export async function markGoodSince(
  tx: Tx,
  { provider, operation }: ProviderOperation,
  goodSince: Date | null,
): Promise<void> {
  await tx.query(
    `update provider_availability set good_since = $3
     where provider = $1 and operation = $2 and set_by = 'MEASURED'`,
    [provider, operation, goodSince],
  );
}

/** Takes the probes that are due. Of several workers each gets its own, so that an operator is asked once. */
export async function claimProbes(
  tx: Tx,
  { now, lastBefore }: { readonly now: Date; readonly lastBefore: Date },
): Promise<readonly ProviderOperation[]> {
  return operations.query(
    tx,
    `update provider_availability set probed_at = $1
     where set_by = 'MEASURED' and (probed_at is null or probed_at <= $2)
     returning ${operations.names}`,
    [now, lastBefore],
  );
}
