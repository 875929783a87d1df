// Which providers are not OPERATIONAL, and for what.
import type { PaymentKind } from '../domain/payment.ts';
import type { Tx } from './database.ts';

export type Availability = 'OPERATIONAL' | 'DELAYED' | 'CLOSED';

/** Everything that is not OPERATIONAL, by "PROVIDER OPERATION". */
export async function listUnavailable(tx: Tx): Promise<ReadonlyMap<string, Availability>> {
  const { rows } = await tx.query<{ provider: string; operation: string; status: Availability }>(
    'select provider, operation, status from provider_availability',
  );
  return new Map(rows.map((row) => [`${row.provider} ${row.operation}`, row.status]));
}

export async function setAvailability(
  tx: Tx,
  change: {
    readonly provider: string;
    readonly operation: PaymentKind;
    readonly status: Availability;
    readonly now: Date;
  },
): Promise<void> {
  if (change.status === 'OPERATIONAL') {
    await tx.query('delete from provider_availability where provider = $1 and operation = $2', [
      change.provider,
      change.operation,
    ]);
    return;
  }
  await tx.query(
    `insert into provider_availability (provider, operation, status, changed_at) values ($1, $2, $3, $4)
     on conflict (provider, operation) do update set status = excluded.status, changed_at = excluded.changed_at`,
    [change.provider, change.operation, change.status, change.now],
  );
}
