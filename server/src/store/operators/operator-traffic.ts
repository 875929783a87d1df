// What was said to operators and by them, for support.
import type { Exchange } from '../../connectors/operator.ts';
import type { Tx } from '../database.ts';
import { rowInserter } from '../rows.ts';
import type { Pruning } from '../retention.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';
import { firstTimedUuid, timedUuid } from '../timed-uuid.ts';

type EncryptedExchange = Exchange & { readonly trafficId: string; readonly encrypted: Buffer };

const insertEncrypted = rowInserter<EncryptedExchange>('operator_traffic', [
  ['traffic_id', 'uuid', (row) => row.trafficId],
  ['at', 'timestamptz', (row) => row.at],
  ['connector', 'text', (row) => row.connector],
  ['account', 'text', (row) => row.account],
  ['step', 'text', (row) => row.step],
  ['reference', 'text', (row) => row.reference],
  ['http_status', 'int', (row) => row.httpStatus],
  ['error', 'text', (row) => row.error],
  ['duration_ms', 'int', (row) => row.durationMs],
  ['encrypted_exchange', 'bytea', (row) => row.encrypted],
]);

export async function insertTraffic(tx: Tx, keyring: Keyring, exchanges: readonly Exchange[]): Promise<void> {
  await insertEncrypted(
    tx,
    exchanges.map((exchange) => {
      const trafficId = timedUuid(exchange.at);
      const { request, answer } = exchange;
      const encrypted = keyring.encrypt(identityOf(trafficId), JSON.stringify({ request, answer }));
      return { ...exchange, trafficId, encrypted };
    }),
  );
}

const SELECTED = `traffic_id, at, connector, account, step, reference, http_status, error, duration_ms,
  encrypted_exchange`;

type TrafficRow = {
  traffic_id: string;
  at: Date;
  connector: string;
  account: string;
  step: string;
  reference: string | null;
  http_status: number | null;
  error: string | null;
  duration_ms: number;
  encrypted_exchange: Buffer;
};

/** The newest first: of one payment's reference, or of all. */
export async function listTraffic(
  tx: Tx,
  keyring: Keyring,
  { reference, countMax }: { readonly reference: string | null; readonly countMax: number },
): Promise<readonly Exchange[]> {
  const from = `select ${SELECTED} from operator_traffic`;
  // Two texts: one that fits both cases would be planned for all of them.
  const { rows } =
    reference === null
      ? await tx.query<TrafficRow>(`${from} order by traffic_id desc limit $1`, [countMax])
      : await tx.query<TrafficRow>(`${from} where reference = $1 order by traffic_id desc limit $2`, [
          reference,
          countMax,
        ]);
  return rows.map((row) => exchangeOf(keyring, row));
}

function exchangeOf(keyring: Keyring, row: TrafficRow): Exchange {
  const opened = keyring.open(identityOf(row.traffic_id), row.encrypted_exchange).toString();
  return {
    at: row.at,
    connector: row.connector,
    account: row.account,
    step: row.step,
    reference: row.reference,
    httpStatus: row.http_status,
    error: row.error,
    durationMs: row.duration_ms,
    ...(JSON.parse(opened) as Pick<Exchange, 'request' | 'answer'>),
  };
}

/** Answers how many went. They are found by the time in their identifiers. */
export async function pruneTraffic(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from operator_traffic where traffic_id in (
       select traffic_id from operator_traffic where traffic_id < $1
       order by traffic_id limit $2 for update skip locked)`,
    [firstTimedUuid(before), countMax],
  );
  return rowCount ?? 0;
}

function identityOf(trafficId: string) {
  return { merchantId: PLATFORM, row: `operator_traffic/${trafficId}` };
}
