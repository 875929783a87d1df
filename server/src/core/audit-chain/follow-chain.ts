// The chain as it grows, for the export. Links become visible in the order of their numbers, so none is passed over.
import { setTimeout as sleep } from 'node:timers/promises';
import { findHash } from '../../store/audit-chain/audit-chain.ts';
import { isOutOfReach } from '../../store/database.ts';
import { FIRST_HASH, type AuditLine, type ChainPoint } from '../../wire/audit-line.ts';
import { listChainLines, type ChainLine, type ChainStore } from './chain-lines.ts';

/** The chain is not the one that was exported before, or an entry is not what was chained. */
export class BrokenChain extends Error {}

export type ExportedLine = { readonly line: AuditLine; readonly hash: string };

export type FollowOptions = {
  readonly after: ChainPoint;
  /** Null: ends with the chain. Otherwise it waits for more until the signal. */
  readonly until: AbortSignal | null;
};

const POLL_MS = 1_000;

export async function* followChain(
  engine: ChainStore,
  { after, until }: FollowOptions,
): AsyncGenerator<ExportedLine> {
  let last = await findPoint(engine, after);
  for (;;) {
    if (until?.aborted === true) return;
    const lines = await readLines(engine, last, until !== null);
    for (const line of lines) {
      last = { no: line.no, hash: line.hash };
      yield checked(line);
    }
    if (lines.length > 0) continue;
    if (until === null) return;
    await sleep(POLL_MS, undefined, { signal: until }).catch(() => undefined);
  }
}

async function findPoint(
  { store }: ChainStore,
  { no, hash }: ChainPoint,
): Promise<{ no: number; hash: string }> {
  const found = no === 0 ? FIRST_HASH : await findHash(store.database, no);
  if (found === null)
    throw new BrokenChain(`The chain has no entry ${no}: its end was cut off, or restored.`);
  if (hash !== null && hash !== found)
    throw new BrokenChain(`Entry ${no} has another hash: the chain was rewritten, or restored.`);
  return { no, hash: found };
}

/** One that follows waits for a database that is out of reach. */
async function readLines(
  engine: ChainStore,
  last: { readonly no: number; readonly hash: string },
  isPatient: boolean,
): Promise<readonly ChainLine[]> {
  try {
    return await listChainLines(engine, engine.store.database, last);
  } catch (error) {
    if (isPatient && isOutOfReach(error)) return [];
    throw error;
  }
}

function checked({ no, entryId, line, hash, fault }: ChainLine): ExportedLine {
  if (line !== null && fault === null) return { line, hash };
  throw new BrokenChain(`Entry ${no} (${entryId}) is ${fault}. Run "malipo-server audit verify".`);
}
