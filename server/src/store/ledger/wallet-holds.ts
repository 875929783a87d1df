// Money of wallets that must not leave yet, as rows: why, how much, until when. The money itself is a pending transfer.
import type { FundHold } from '../../domain/limits/freeze.ts';
import type { Evidence } from '../../domain/payments/lifecycle.ts';
import type { ProcessTime } from '../../domain/clock.ts';
import { livesHere } from '../cells/migration-locks.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { paymentKeys, rowInserter } from '../rows.ts';

const holds = columns({
  holdId: 'uuid',
  accountId: 'uuid',
  ...paymentKeys.defs,
  reason: column<FundHold>('text'),
  evidence: column<Evidence | null>('text null'),
  amount: 'numeric',
  heldAt: 'timestamptz',
  /** Null: until the case is closed. */
  releaseAt: 'timestamptz null',
});

export type WalletHold = Row<typeof holds>;

export const insertHolds = rowInserter<WalletHold>('wallet_holds', holds.cells);

/** Whether a hold was made, also one that was released since. */
export async function isHoldThere(tx: Tx, holdId: string): Promise<boolean> {
  const { rowCount } = await tx.query('select 1 from wallet_holds where hold_id = $1', [holdId]);
  return rowCount === 1;
}

const released = columns({
  ...holds.only('holdId', 'merchantId', 'kind', 'reason', 'amount').defs,
  currency: column<string>(
    'text',
    '(select currency from accounts a where a.account_id = wallet_holds.account_id)',
  ),
});

/** Marks those that are not released yet, and answers them. */
export async function markHoldsReleased(
  tx: Tx,
  holdIds: readonly string[],
  now: Date,
): Promise<readonly Row<typeof released>[]> {
  if (holdIds.length === 0) return [];
  return released.query(
    tx,
    `update wallet_holds set released_at = $2
     where hold_id = any ($1::uuid[]) and released_at is null returning ${released.names}`,
    [holdIds, now],
  );
}

/**
 * Holds that end now: their time is over and no discrepancy of the payment is open, or nothing is owed any more of the
 * reversed deposit that they stand for. Of merchants that live here; of one hold, where it is named.
 */
export async function listHoldsToRelease(
  tx: Tx,
  {
    now,
    countMax,
    holdId = null,
  }: { readonly now: ProcessTime; readonly countMax: number; readonly holdId?: string | null },
): Promise<readonly WalletHold[]> {
  return holds.query(
    tx,
    `select ${holds.namesIn('h')} from wallet_holds h join wallets w using (account_id)
     where h.released_at is null and ${livesHere('h')}
       and (h.evidence = 'LATE_FAILURE' and w.owed = 0 or h.release_at <= $1 and not exists (
         select 1 from cases c where (c.merchant_id, c.kind, c.payment_id) = (h.merchant_id, h.kind, h.payment_id)
           and c.evidence = 'DISCREPANCY' and c.resolved_at is null))
       ${holdId === null ? '' : 'and h.hold_id = $3'}
     order by h.held_at limit $2`,
    [now, countMax, ...(holdId === null ? [] : [holdId])],
  );
}
