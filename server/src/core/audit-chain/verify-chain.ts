// Verifies the audit log against its hash chain, and the chain against a point that was exported before.
import {
  countUnchained,
  findHash,
  listArrivals,
  listLostEntries,
  listStrayEntries,
  readConsistently,
  readHead,
  type Unchained,
} from '../../store/audit-chain/audit-chain.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { FIRST_HASH, type ChainPoint } from '../../wire/audit-line.ts';
import type { Engine } from '../engine.ts';
import { listChainLines, type ChainLine, type ChainStore, type LinkFault } from './chain-lines.ts';

/**
 * INSERTED: the entry was not written by the gateway at the time that it carries. LINK_REMOVED: a number is missing.
 * CUT: the chain ends before its head, or before the point that is known. LINK_INSERTED: it goes on behind its head.
 * OTHER_CHAIN: the point that is known has another hash here.
 */
export type ChainFault = {
  readonly fault: LinkFault | 'INSERTED' | 'LINK_REMOVED' | 'LINK_INSERTED' | 'CUT' | 'OTHER_CHAIN';
  readonly no: number | null;
  readonly entryId: string | null;
};

export type ChainReport = {
  /** The last link. */
  readonly head: { readonly no: number; readonly hash: string };
  readonly unchained: Unchained;
  /** Entries that came with merchants that moved here: they carry times from before. */
  readonly copiedCount: number;
  readonly faults: readonly ChainFault[];
};

/** More are not listed. */
const FAULTS_MAX = 1_000;

/** What verifying needs of an engine. */
type Verifier = ChainStore & Pick<Engine, 'home'>;

/** Told how many links were verified so far, and how many there are. */
type OnLinks = (done: number, total: number) => void;

export async function verifyChain(
  engine: Verifier,
  known: ChainPoint | null,
  onLinks: OnLinks = () => undefined,
): Promise<ChainReport> {
  return inTransaction(engine.store.database, async (tx) => {
    await readConsistently(tx);
    const { head, faults, copiedCount } = await verifyLinks(engine, tx, onLinks);
    const add = (fault: ChainFault['fault'], entryIds: readonly string[]) =>
      faults.push(...entryIds.map((entryId) => ({ fault, no: null, entryId })));
    add('INSERTED', await listStrayEntries(tx, FAULTS_MAX));
    add('REMOVED', await listLostEntries(tx, FAULTS_MAX));
    faults.push(...(await compareHead(tx, head)));
    if (known !== null) faults.push(...(await compareKnown(tx, known)));
    return { head, unchained: await countUnchained(tx), copiedCount, faults: faults.slice(0, FAULTS_MAX) };
  });
}

type Verified = Pick<ChainReport, 'head' | 'copiedCount'> & { readonly faults: ChainFault[] };

async function verifyLinks(engine: Verifier, tx: Tx, onLinks: OnLinks): Promise<Verified> {
  const { no: total } = await readHead(tx);
  const arrivals = await listArrivals(tx, engine.home);
  const faults: ChainFault[] = [];
  let copiedCount = 0;
  let head = { no: 0, hash: FIRST_HASH };
  for (;;) {
    const lines = await listChainLines(engine, tx, head);
    if (lines.length === 0) return { head, copiedCount, faults };
    for (const line of lines) {
      const { no, entryId } = line;
      for (let missing = head.no + 1; missing < no && faults.length < FAULTS_MAX; missing += 1)
        faults.push({ fault: 'LINK_REMOVED', no: missing, entryId: null });
      if (line.fault !== null) faults.push({ fault: line.fault, no, entryId });
      else if (line.isLate && isCopied(line, arrivals)) copiedCount += 1;
      else if (line.isLate) faults.push({ fault: 'INSERTED', no, entryId });
      head = { no, hash: line.hash };
    }
    onLinks(head.no, Math.max(head.no, total));
  }
}

/** Entries are copied before the merchant's arrival is recorded. */
function isCopied({ merchantId, no }: ChainLine, arrivals: ReadonlyMap<string, number>): boolean {
  return merchantId !== null && no < (arrivals.get(merchantId) ?? 0);
}

async function compareHead(tx: Tx, last: ChainReport['head']): Promise<readonly ChainFault[]> {
  const head = await readHead(tx);
  if (last.no < head.no) return [{ fault: 'CUT', no: head.no, entryId: null }];
  if (last.no > head.no) return [{ fault: 'LINK_INSERTED', no: last.no, entryId: null }];
  return last.hash === head.hash ? [] : [{ fault: 'CHANGED', no: last.no, entryId: null }];
}

async function compareKnown(tx: Tx, { no, hash }: ChainPoint): Promise<readonly ChainFault[]> {
  if (no === 0) return [];
  const found = await findHash(tx, no);
  if (found === null) return [{ fault: 'CUT', no, entryId: null }];
  return hash === null || found === hash ? [] : [{ fault: 'OTHER_CHAIN', no, entryId: null }];
}
