// Requests to move money of merchants, as the next one has to know of them.
import { renderAmount } from '../../domain/money.ts';
import type { ApprovalRequests, ApprovalStatus } from '../../domain/approval.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import type { Referenced } from '../../domain/ledger/money-reference.ts';

const requests = columns({
  approvalId: 'uuid',
  merchantId: 'uuid',
  request: column<ApprovalRequests['MONEY']>('jsonb'),
  status: column<ApprovalStatus>('text'),
  requestedBy: column<string>('text', 'requested_by_name'),
  requestedAt: 'timestamptz',
});

export type StoredMoneyRequest = Row<typeof requests>;

/** What a client has requested under an identifier of its own. Until the transaction ends, nobody else uses it. */
export async function lockMoneyRequest(
  tx: Tx,
  { merchantId, requestId }: { readonly merchantId: string; readonly requestId: string },
): Promise<StoredMoneyRequest | null> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 7061))', [`${merchantId}/${requestId}`]);
  return requests.find(
    tx,
    `from approvals where kind = 'MONEY' and merchant_id = $1 and request ->> 'requestId' = $2 limit 1`,
    [merchantId, requestId],
  );
}

/** Letters and digits that are mistaken for one another are the same, and what stands between them does not count. */
const LOOKS = (sql: string) => `translate(upper(${sql}), 'OQILSZB ./_:-', '0011528')`;

/**
 * Requests of a merchant that would move the same money once more, and those of any merchant whose reference looks like
 * this one: pending, or approved since a time. The latest first.
 */
export async function listAlikeRequests(
  tx: Tx,
  wanted: Omit<Referenced, 'source' | 'reference'> & {
    readonly reference: string | null;
    readonly since: Date;
    readonly countMax: number;
  },
): Promise<readonly StoredMoneyRequest[]> {
  const { merchantId, type, country, currency, provider, amount, reference, since, countMax } = wanted;
  return requests.select(
    tx,
    `from approvals where kind = 'MONEY' and status in ('PENDING', 'APPROVED') and requested_at >= $7
       and ((merchant_id = $1 and request ->> 'type' = $2 and request ->> 'country' = $3
           and request ->> 'currency' = $4 and request ->> 'walletProvider' = $5
           and (request ->> 'amount')::numeric = $6::numeric)
         or ${LOOKS(`(request ->> 'reference')`)} = ${LOOKS('$8::text')})
     order by requested_at desc, approval_id limit $9`,
    [merchantId, type, country, currency, provider, renderAmount(amount), since, reference, countMax],
  );
}
