// Files of statements are made in a thread of their own, which lasts as long as the making: payments do not wait while
// thousands of rows are opened and written, and what it needs of memory is bounded and given back.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Config } from '../../../config.ts';
import type { MakeFile } from '../../../core/statements/statement-queue.ts';
import type { Claim, StatementFile } from '../../../store/statements/statements.ts';
import type { ConnectionSettings } from '../../../store/database.ts';
import type { Keyring, KeyringOptions } from '../../../store/encryption/encryption.ts';

/** What the thread is given. */
export type ThreadOrder = {
  readonly databaseUrl: string;
  readonly connections: ConnectionSettings;
  readonly keys: KeyringOptions;
  readonly claim: Claim;
};

export type ThreadAnswer = { readonly file: StatementFile | null };

/**
 * A page of rows is in use at a time, and everything else is waste. Left to itself, V8 lets waste grow: 100,000 rows
 * made a process grow by 188 MB, almost none of it in use. So little room makes it tidy up, at the price of 5 % of the
 * time: reading and opening 100,000 rows took 12.4 s instead of 11.8.
 */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

/** As this file was loaded, so is the other. */
const THREAD = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);

export function createStatementMaker(
  { cell, connections, keys: { searchKey } }: Pick<Config, 'cell' | 'connections' | 'keys'>,
  keyring: Keyring,
): MakeFile {
  return (claim, halt) => {
    const keys = { encryptionKeys: keyring.encryptionKeys, searchKey };
    const order: ThreadOrder = { databaseUrl: cell.databaseUrl, connections, keys, claim };
    const thread = new Worker(THREAD, { workerData: order, resourceLimits: LIMITS });
    return answerOf(thread, halt);
  };
}

async function answerOf(thread: Worker, halt: AbortSignal): Promise<StatementFile | null> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
  const stop = () => void thread.terminate();
  thread.on('message', resolve);
  thread.on('error', reject);
  // After the answer this changes nothing.
  thread.on('exit', () =>
    reject(halt.aborted ? halt.reason : new Error('the thread ended without an answer')),
  );
  halt.addEventListener('abort', stop);
  if (halt.aborted) stop();
  try {
    return (await promise).file;
  } finally {
    halt.removeEventListener('abort', stop);
  }
}
