// The thread in which the file of one statement is made; see maker.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { makeStatement } from '../../../core/statements/make-statement.ts';
import { openDatabase } from '../../../store/database.ts';
import { Keyring } from '../../../store/encryption/encryption.ts';
import type { ThreadAnswer, ThreadOrder } from './maker.ts';

const { databaseUrl: url, connections, keys, claim } = workerData as ThreadOrder;

/** On the way into the thread a Buffer loses its methods. */
const keyring = new Keyring({
  encryptionKeys: keys.encryptionKeys.map(({ id, key }) => ({ id, key: Buffer.from(key) })),
  searchKey: Buffer.from(keys.searchKey),
});

/** One to read the books with, one to write chunks with. */
const applicationName = 'malipo-statement';
const database = openDatabase({ url, connectionsMax: 2, applicationName, connections });
try {
  const answer: ThreadAnswer = { file: await makeStatement({ database, keyring }, claim) };
  // A thread is no window, and has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(answer);
} finally {
  await database.end();
}
