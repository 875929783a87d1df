// What was said to operators and by them, for support.
import type { Exchange } from '../../connectors/operator.ts';
import { columns } from '../columns.ts';
import type { Tx } from '../database.ts';
import { countChanged, rowInserter } from '../rows.ts';
import type { Pruning } from '../retention.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';
import { firstTimedUuid, timedUuid } from '../timed-uuid.ts';

const traffic = columns({
  trafficId: 'uuid',
  at: 'timestamptz',
  connector: 'text',
  account: 'text',
  step: 'text',
  reference: 'text null',
  httpStatus: 'int null',
  error: 'text null',
  durationMs: 'int',
  encryptedExchange: 'bytea',
});

const insertEncrypted = rowInserter('operator_traffic', traffic.cells);

export async function insertTraffic(tx: Tx, keyring: Keyring, exchanges: readonly Exchange[]): Promise<void> {
  await insertEncrypted(
    tx,
    exchanges.map((exchange) => {
      const trafficId = timedUuid(exchange.at);
      const { request, answer } = exchange;
      const encryptedExchange = keyring.encrypt(identityOf(trafficId), JSON.stringify({ request, answer }));
      return { ...exchange, trafficId, encryptedExchange };
    }),
  );
}

/** The newest first: of one payment's reference, or of all. */
export async function listTraffic(
  tx: Tx,
  keyring: Keyring,
  { reference, countMax }: { readonly reference: string | null; readonly countMax: number },
): Promise<readonly Exchange[]> {
  // Two texts: one that fits both cases would be planned for all of them.
  const rows =
    reference === null
      ? await traffic.select(tx, 'from operator_traffic order by traffic_id desc limit $1', [countMax])
      : await traffic.select(
          tx,
          'from operator_traffic where reference = $1 order by traffic_id desc limit $2',
          [reference, countMax],
        );
  return rows.map(({ trafficId, encryptedExchange, ...exchange }) => {
    type Said = Pick<Exchange, 'request' | 'answer'>;
    return { ...exchange, ...(keyring.openJson(identityOf(trafficId), encryptedExchange) as Said) };
  });
}

/** Answers how many went. They are found by the time in their identifiers. */
export async function pruneTraffic(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  return countChanged(
    tx,
    `delete from operator_traffic where traffic_id in (
       select traffic_id from operator_traffic where traffic_id < $1
       order by traffic_id limit $2 for update skip locked)`,
    [firstTimedUuid(before), countMax],
  );
}

function identityOf(trafficId: string) {
  return { merchantId: PLATFORM, row: `operator_traffic/${trafficId}` };
}
