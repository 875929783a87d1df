// References of banks and operators: under which each movement of money was posted, or is requested.
import type { MoneyReference, Referenced } from '../../domain/ledger/money-reference.ts';
import { renderAmount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric } from '../columns.ts';
import { PLATFORM } from '../encryption/encryption.ts';

/** Answers false where the reference was posted before. Waits for a transaction that is just posting it. */
export async function insertPostedReference(
  tx: Tx,
  posted: Referenced & { readonly transferId: string; readonly postedAt: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into posted_references (source, reference, merchant_id, type, country, currency, provider, amount,
       transfer_id, posted_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
    [
      posted.source,
      posted.reference,
      posted.merchantId,
      posted.type,
      posted.country,
      posted.currency,
      posted.provider,
      renderAmount(posted.amount),
      posted.transferId,
      posted.postedAt,
    ],
  );
  return rowCount === 1;
}

/** REQUESTED: it is pending approval. */
export type ReferenceStatus = 'POSTED' | 'REQUESTED';

export type UsedReference = Referenced & {
  readonly status: ReferenceStatus;
  /** The transfer's, or the request's. */
  readonly id: string;
  readonly at: Date;
};

/** Until the transaction ends, no other one requests anything under this reference. */
export async function lockReference(tx: Tx, { source, reference }: MoneyReference): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 7058))', [`${source}/${reference}`]);
}

/** What was posted under a reference, then what is requested under it. */
export async function listUses(
  tx: Tx,
  { source, reference }: MoneyReference,
): Promise<readonly UsedReference[]> {
  const { rows } = await tx.query<Omit<UsedReference, 'amount'> & { readonly amount: string }>(
    `select source, reference, merchant_id as "merchantId", type, country, currency, provider, amount,
       'POSTED' as status, transfer_id as id, posted_at as at
     from posted_references where source = $1 and reference = $2
     union all
     select $1, request ->> 'reference', coalesce(merchant_id, $3), request ->> 'type', request ->> 'country',
       request ->> 'currency', coalesce(request ->> 'walletProvider', request ->> 'provider'),
       (request ->> 'amount')::numeric, 'REQUESTED', approval_id, requested_at
     from approvals
     where status = 'PENDING' and request ->> 'reference' = $2
       and ((kind = 'MONEY' and $1 = 'BANK') or (kind = 'FLOAT' and request ->> 'provider' = $1))`,
    [source, reference, PLATFORM],
  );
  return rows.map((row) => ({ ...row, amount: amountOfNumeric(row.amount) }));
}
