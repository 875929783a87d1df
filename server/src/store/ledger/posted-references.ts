// References of banks and operators: under which each movement of money was posted, or is requested.
import type { MoneyReference, Referenced } from '../../domain/ledger/money-reference.ts';
import type { Tx } from '../database.ts';
import { oneRowInserter, rowInserter, unnested, valuesOf } from '../rows.ts';
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

const posted = columns({ ...references.defs, transferId: 'uuid', postedAt: 'timestamptz' });

export type PostedReference = Row<typeof posted>;

/**
 * Answers false where the reference was posted before, and not posted back. Waits for a transaction that is just
 * posting it.
 */
export const insertPostedReference = oneRowInserter(
  'posted_references',
  columns({ ...posted.defs, lineHash: 'bytea?' }).cells,
  'on conflict do nothing',
);

/**
 * What another cell has posted. One that is here already stays as it is. Without the line that says so: a file that is
 * voided here has posted nothing there.
 */
export const insertReferencesOf = rowInserter('posted_references', posted.cells, 'on conflict do nothing');

/** Some references after one, in the order of their key. */
export async function listReferencesAfter(
  tx: Tx,
  { after, countMax }: { readonly after: MoneyReference | null; readonly countMax: number },
): Promise<readonly PostedReference[]> {
  const { source = '', reference = '' } = after ?? {};
  return posted.select(
    tx,
    `from posted_references where (source, reference) > ($1, $2) and posted_back_at is null
     order by source, reference limit $3`,
    [source, reference, countMax],
  );
}

const named = columns({ source: 'text', reference: 'text' });

/** Of these references, those under which this cell knows nothing posted. */
export async function listUnknownReferences(
  tx: Tx,
  asked: readonly MoneyReference[],
): Promise<readonly MoneyReference[]> {
  if (asked.length === 0) return [];
  return named.query(
    tx,
    `select n.source, n.reference from ${unnested(named.cells, 'n')} where not exists (
       select from posted_references r
       where r.source = n.source and r.reference = n.reference and r.posted_back_at is null)`,
    valuesOf(named.cells, asked),
  );
}

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
    `from posted_references where source = $1 and reference = any ($2::text[]) and posted_back_at is null
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
