// Reads links of the chain as lines, each with what is wrong with it.
import { isReasonUnchanged } from '../../store/audit.ts';
import { listLinks, type ChainLink } from '../../store/audit-chain/audit-chain.ts';
import type { Tx } from '../../store/database.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { hashLine, type AuditLine } from '../../wire/audit-line.ts';
import type { Store } from '../../store/store.ts';
import { COMMITS_WITHIN_MS } from '../../store/database.ts';

/**
 * CHANGED: the entry or its link is not what was hashed. REASON_CHANGED: the hash of the reason is, and the reason is
 * not. REMOVED: the entry is gone.
 */
export type LinkFault = 'CHANGED' | 'REASON_CHANGED' | 'REMOVED';

export type ChainLine = {
  readonly no: number;
  readonly entryId: string;
  readonly merchantId: string | null;
  readonly hash: string;
  /** Null where the entry is gone. */
  readonly line: AuditLine | null;
  readonly fault: LinkFault | null;
  /** Whether it carries a time at which the chain was complete without it. */
  readonly isLate: boolean;
};

/** What reading the chain needs of an engine. */
export type ChainStore = { readonly store: Pick<Store, 'database' | 'keyring'> };

const PAGE_MAX = 1_000;

/** The lines behind a point of the chain, a page at a time. */
export async function listChainLines(
  { store }: ChainStore,
  tx: Tx,
  after: { readonly no: number; readonly hash: string },
): Promise<readonly ChainLine[]> {
  const order = { afterNo: after.no, countMax: PAGE_MAX, lateAfterMs: COMMITS_WITHIN_MS };
  const links = await listLinks(tx, order);
  await loadDataKeys(
    store,
    links.flatMap(({ encryptedReason, merchantId }) => (encryptedReason === null ? [] : (merchantId ?? []))),
  );
  let previousHash = after.hash;
  return links.map((link) => {
    const line = lineOf(link, previousHash);
    previousHash = link.hash;
    const { no, linkedId: entryId, merchantId, hash, isLate } = link;
    return { no, entryId, merchantId, hash, line, fault: findFault(store, link, line), isLate };
  });
}

/** As the database renders times for the chain. */
export function exactTime(time: Date): string {
  return `${time.toISOString().slice(0, -1)}000Z`;
}

function lineOf(link: ChainLink, previousHash: string): AuditLine | null {
  if (link.foundId === null) return null;
  const { entryId, entryNo, at, actor, act, merchantId, subject, detail, reasonHash } = link;
  const { no, chainedAt, lookedAt } = link;
  const entry = { entryId, entryNo, at, actor, act, merchantId, subject, detail, reasonHash };
  return { ...entry, no, previousHash, chainedAt, lookedAt };
}

function findFault(store: ChainStore['store'], link: ChainLink, line: AuditLine | null): LinkFault | null {
  if (line === null) return 'REMOVED';
  if (hashLine(line) !== link.hash) return 'CHANGED';
  const { entryId: id, merchantId, encryptedReason } = link;
  const reasonHash = link.reasonHash === null ? null : Buffer.from(link.reasonHash, 'hex');
  const isUnchanged = isReasonUnchanged(store.keyring, { id, merchantId, encryptedReason, reasonHash });
  return isUnchanged ? null : 'REASON_CHANGED';
}
