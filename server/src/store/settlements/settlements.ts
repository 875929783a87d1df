// Requests for settlement, as rows: how much of which wallet goes to which bank account. The money itself is a pending
// transfer under the same identifier.
import type { SettlementDecision, SettlementStatus } from '../../domain/ledger/bank-account.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged, oneRowInserter } from '../rows.ts';

const requested = columns({
  settlementId: 'uuid',
  merchantId: 'uuid',
  /** Chosen by the client; unique for each merchant. */
  requestId: 'uuid',
  bankAccountId: 'uuid',
  country: 'text',
  currency: 'text',
  /** Empty where the wallet is not tied to one provider. */
  provider: 'text',
  amount: 'numeric',
  requestedBy: 'text',
  requestedAt: 'timestamptz',
});
const settlements = columns({
  ...requested.defs,
  status: column<SettlementStatus>('text'),
  decidedAt: 'timestamptz null',
});

export type NewSettlement = Row<typeof requested>;
export type Settlement = Row<typeof settlements>;

/** Answers false where the merchant has requested another settlement under this `requestId`. */
export const insertSettlement = oneRowInserter<NewSettlement>(
  'settlements',
  requested.cells,
  'on conflict on constraint settlements_requested_once do nothing',
);

export async function findSettlement(tx: Tx, settlementId: string): Promise<Settlement | null> {
  return settlements.find(tx, 'from settlements where settlement_id = $1', [settlementId]);
}

/** The settlement that a merchant's client requested under an identifier of its own. */
export async function findRequestedSettlement(
  tx: Tx,
  { merchantId, requestId }: Pick<Settlement, 'merchantId' | 'requestId'>,
): Promise<Settlement | null> {
  return settlements.find(tx, 'from settlements where merchant_id = $1 and request_id = $2', [
    merchantId,
    requestId,
  ]);
}

export async function lockSettlement(tx: Tx, settlementId: string): Promise<Settlement | null> {
  return settlements.find(tx, 'from settlements where settlement_id = $1 for update', [settlementId]);
}

/** Answers false where it was decided before. */
export async function markSettlementDecided(
  tx: Tx,
  {
    settlementId,
    status,
    decidedAt,
  }: {
    readonly settlementId: string;
    readonly status: SettlementDecision;
    readonly decidedAt: Date;
  },
): Promise<boolean> {
  return isChanged(
    tx,
    `update settlements set status = $2, decided_at = $3 where settlement_id = $1 and status = 'REQUESTED'`,
    [settlementId, status, decidedAt],
  );
}

export type SettlementCursor = { readonly at: Date; readonly id: string };
type Page = { readonly after: SettlementCursor | null; readonly countMax: number };

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Of a merchant, the newest first. */
export async function listSettlementsOf(
  tx: Tx,
  { merchantId, after, countMax }: Page & { readonly merchantId: string },
): Promise<readonly Settlement[]> {
  return settlements.select(
    tx,
    `from settlements where merchant_id = $1 and (requested_at, settlement_id) < ($2, $3)
     order by requested_at desc, settlement_id desc limit $4`,
    [merchantId, after?.at ?? 'infinity', after?.id ?? FIRST_ID, countMax],
  );
}

/** Of all merchants: those that wait, the oldest first; or those that were decided, the last decided first. */
export async function listSettlements(
  tx: Tx,
  { isOpen, after, countMax }: Page & { readonly isOpen: boolean },
): Promise<readonly Settlement[]> {
  const at = isOpen ? 'requested_at' : 'decided_at';
  const tail = isOpen
    ? `from settlements where status = 'REQUESTED' and (${at}, settlement_id) > ($1, $2)
       order by ${at}, settlement_id limit $3`
    : `from settlements where status <> 'REQUESTED' and (${at}, settlement_id) < ($1, $2)
       order by ${at} desc, settlement_id desc limit $3`;
  const start = isOpen ? '-infinity' : 'infinity';
  return settlements.select(tx, tail, [after?.at ?? start, after?.id ?? FIRST_ID, countMax]);
}
