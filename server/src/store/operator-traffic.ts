// What was said to operators and by them, for support.
import { randomUUID } from 'node:crypto';
import type { Exchange } from '../connectors/operator.ts';
import type { Tx } from './database.ts';
import { rowInserter } from './rows.ts';
import { HOUSE, type Keyring } from './sealing.ts';

type SealedExchange = Exchange & { readonly trafficId: string; readonly sealed: Buffer };

const insertSealed = rowInserter<SealedExchange>('operator_traffic', [
  ['traffic_id', 'uuid', (row) => row.trafficId],
  ['at', 'timestamptz', (row) => row.at],
  ['connector', 'text', (row) => row.connector],
  ['account', 'text', (row) => row.account],
  ['step', 'text', (row) => row.step],
  ['reference', 'text', (row) => row.reference],
  ['http_status', 'int', (row) => row.httpStatus],
  ['error', 'text', (row) => row.error],
  ['duration_ms', 'int', (row) => row.durationMs],
  ['sealed_exchange', 'bytea', (row) => row.sealed],
]);

export async function insertTraffic(tx: Tx, keyring: Keyring, exchanges: readonly Exchange[]): Promise<void> {
  await insertSealed(
    tx,
    exchanges.map((exchange) => {
      const trafficId = randomUUID();
      const { request, answer } = exchange;
      const sealed = keyring.seal(identityOf(trafficId), JSON.stringify({ request, answer }));
      return { ...exchange, trafficId, sealed };
    }),
  );
}

/** The newest first: of one payment's reference, or of all. */
export async function listTraffic(
  tx: Tx,
  keyring: Keyring,
  { reference, countMax }: { readonly reference: string | null; readonly countMax: number },
): Promise<readonly Exchange[]> {
  const { rows } = await tx.query<{
    traffic_id: string;
    at: Date;
    connector: string;
    account: string;
    step: string;
    reference: string | null;
    http_status: number | null;
    error: string | null;
    duration_ms: number;
    sealed_exchange: Buffer;
  }>(
    `select traffic_id, at, connector, account, step, reference, http_status, error, duration_ms, sealed_exchange
     from operator_traffic where $1::text is null or reference = $1 order by at desc limit $2`,
    [reference, countMax],
  );
  return rows.map((row) => ({
    at: row.at,
    connector: row.connector,
    account: row.account,
    step: row.step,
    reference: row.reference,
    httpStatus: row.http_status,
    error: row.error,
    durationMs: row.duration_ms,
    ...(JSON.parse(keyring.open(identityOf(row.traffic_id), row.sealed_exchange).toString()) as Pick<
      Exchange,
      'request' | 'answer'
    >),
  }));
}

/** Answers how many went. */
export async function pruneTraffic(tx: Tx, before: Date): Promise<number> {
  const { rowCount } = await tx.query('delete from operator_traffic where at < $1', [before]);
  return rowCount ?? 0;
}

function identityOf(trafficId: string) {
  return { merchantId: HOUSE, row: `operator_traffic/${trafficId}` };
}
