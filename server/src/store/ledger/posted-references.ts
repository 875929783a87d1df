// References of banks and operators: under which each movement of money was posted, or is requested.
import type { MoneyReference, Referenced } from '../../domain/ledger/money-reference.ts';
import type { Tx } from '../database.ts';
import { oneRowInserter } from '../rows.ts';
import { livesHere } from '../cells/migration-locks.ts';
import { column, columns, type Row } from '../columns.ts';
import { PLATFORM } from '../encryption/encryption.ts';

const references = columns({
  source: 'text',
  reference: 'text',
  merchantId: 'uuid',
  type: column<Referenced['type']>('text'),
  country: 'text',
  currency: 'text',
  provider: 'text',
  amount: 'numeric',
});

/** Answers false where the reference was posted before. Waits for a transaction that is just posting it. */
export const insertPostedReference = oneRowInserter(
  'posted_references',
  columns({ ...references.defs, transferId: 'uuid', postedAt: 'timestamptz' }).cells,
  'on conflict do nothing',
);

/** REQUESTED: it is pending approval. */
export type ReferenceStatus = 'POSTED' | 'REQUESTED';

const uses = columns({
  ...references.defs,
  status: column<ReferenceStatus>('text', `'POSTED'`),
  /** The transfer's, or the request's. */
  id: column<string>('uuid', 'transfer_id'),
  at: column<Date>('timestamptz', 'posted_at'),
});

export type UsedReference = Row<typeof uses>;

/** Until the transaction ends, no other one requests anything under this reference. */
export async function lockReference(tx: Tx, { source, reference }: MoneyReference): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 7058))', [`${source}/${reference}`]);
}

/**
 * What was posted in this cell under references of one source, then what is requested under them. Requests of merchants
 * that live in another cell are that cell's.
 */
export async function listUses(
  tx: Tx,
  source: string,
  wanted: readonly string[],
): Promise<readonly UsedReference[]> {
  return uses.select(
    tx,
    `from posted_references where source = $1 and reference = any ($2::text[])
     union all
     select $1, request ->> 'reference', coalesce(merchant_id, $3), coalesce(request ->> 'type', kind),
       request ->> 'country', request ->> 'currency', coalesce(request ->> 'walletProvider', request ->> 'provider'),
       (request ->> 'amount')::numeric, 'REQUESTED', approval_id, requested_at
     from approvals
     where status = 'PENDING' and request ->> 'reference' = any ($2::text[])
       and ((kind in ('MONEY', 'SETTLEMENT') and $1 = 'BANK') or (kind = 'FLOAT' and request ->> 'provider' = $1))
       and ${livesHere('approvals')}`,
    [source, wanted, PLATFORM],
  );
}
