// Before a merchant moves: what stops its payments here must stop them in the other cell. One that did not answer when
// something was frozen or blocked, or that was added since, does not have it.
import type { FreezeScope } from '../../domain/limits/freeze.ts';
import { inTransaction } from '../../store/database.ts';
import { insertFreeze, isLifted, listFreezes } from '../../store/limits/freezes.ts';
import {
  insertListedNumbers,
  listMissingBlocks,
  listNumberEntries,
} from '../../store/limits/listed-numbers.ts';
import type { Actor } from '../audit.ts';
import { aloneInAll } from '../cells/lock-merchant-alone.ts';
import type { Engine } from '../engine.ts';
import { note } from './freeze.ts';
import { noteNumbers } from './listed-numbers.ts';

type Pair = { readonly from: Engine; readonly to: Engine };

/** People have to say which of the two counts: it may stop merchants that are in the other cell already. */
export type LiftedThere = { readonly type: 'LIFTED_THERE'; readonly scope: FreezeScope };

/**
 * What the other cell has stays. It may have removed numbers that are allowed: none is copied. Where all blocked
 * numbers were copied before, those that were blocked since a time are enough.
 */
export async function copyStops(
  cells: Pair,
  order: Actor & { readonly blockedSince?: Date },
): Promise<LiftedThere | null> {
  const lifted = await copyFreezes(cells, order);
  if (lifted === null) await copyBlocks(cells, order);
  return lifted;
}

async function copyFreezes({ from, to }: Pair, { by }: Actor): Promise<LiftedThere | null> {
  const [here, there] = await Promise.all(
    [from, to].map(async ({ clock, store: { database, keyring } }) =>
      listFreezes(database, keyring, await clock.timeOf(database)),
    ),
  );
  const known = new Set(there?.map(({ freezeId }) => freezeId));
  for (const freeze of here ?? []) {
    const { freezeId, scope, subject, expiresAt } = freeze;
    if (known.has(freezeId)) continue;
    const isCopied = await aloneInAll(to.store.database, async (tx) => {
      if (await isLifted(tx, freeze)) return false;
      await insertFreeze(tx, to.store.keyring, freeze);
      const detail = { freezeId, expiresAt: expiresAt?.toISOString() ?? null, from: from.home };
      await note(to, tx, { by, scope, subject }, 'FROZEN', detail);
      return true;
    });
    if (!isCopied) return { type: 'LIFTED_THERE', scope };
  }
  return null;
}

/** As many with one statement. */
const PAGE = 1_000;

async function copyBlocks(
  { from, to }: Pair,
  { by, blockedSince = new Date(0) }: Actor & { readonly blockedSince?: Date },
): Promise<void> {
  const databases = { from: from.store.database, to: to.store.database };
  const now = await from.clock.timeOf(databases.from);
  const missing = await listMissingBlocks(databases, { now, since: blockedSince });
  for (let start = 0; start < missing.length; start += PAGE) {
    const entryIds = missing.slice(start, start + PAGE);
    const listed = await listNumberEntries(databases.from, from.store.keyring, entryIds);
    await inTransaction(databases.to, async (tx) => {
      await insertListedNumbers(
        tx,
        to.store.keyring,
        // Its request is known in the cell that it was made in.
        listed.map((entry) => ({ ...entry, approvalId: null })),
      );
      const of = { by, merchantId: null, list: 'BLOCKED' } as const;
      await noteNumbers(to, tx, of, { act: 'NUMBERS_LISTED', count: listed.length });
    });
  }
}
