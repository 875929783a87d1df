// Money that one person asks to have moved by hand and another one moves. An order never changes; it is decided once.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { MoneyOrderType } from '../../domain/ledger/money-movement.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type MoneyDecision = 'APPROVED' | 'REJECTED' | 'WITHDRAWN';

export type MoneyOrder = {
  readonly orderId: string;
  readonly merchantId: string;
  readonly type: MoneyOrderType;
  readonly country: string;
  readonly currency: string;
  /** Empty where the merchant keeps one wallet for all providers. */
  readonly walletProvider: string;
  /** Below zero for an adjustment that takes. */
  readonly amount: Amount;
  /** The bank's; null for an adjustment, and where the sandbox was given none. */
  readonly reference: string | null;
  readonly reason: string;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly decision: {
    readonly type: MoneyDecision;
    readonly by: string;
    readonly at: Date;
    readonly reason: string | null;
  } | null;
};

type OrderRow = {
  order_id: string;
  merchant_id: string;
  type: MoneyOrderType;
  country: string;
  currency: string;
  wallet_provider: string;
  amount: string;
  reference: string | null;
  sealed_reason: Buffer;
  requested_by: string;
  requested_at: Date;
  decision: MoneyDecision | null;
  decided_by: string | null;
  decided_at: Date | null;
  sealed_decision_reason: Buffer | null;
};

const SELECTED = `select order_id, merchant_id, type, country, currency, wallet_provider, amount, reference,
    sealed_reason, requested_by, requested_at, decision, decided_by, decided_at, sealed_decision_reason
  from money_orders`;

/** The merchant's data key must be loaded, here and below. */
export async function insertMoneyOrder(
  tx: Tx,
  keyring: Keyring,
  order: Omit<MoneyOrder, 'decision'>,
): Promise<void> {
  await tx.query(
    `insert into money_orders (order_id, merchant_id, type, country, currency, wallet_provider, amount, reference,
       sealed_reason, requested_by, requested_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      order.orderId,
      order.merchantId,
      order.type,
      order.country,
      order.currency,
      order.walletProvider,
      renderAmount(order.amount),
      order.reference,
      keyring.seal(identityOf(order, 'reason'), order.reason),
      order.requestedBy,
      order.requestedAt,
    ],
  );
}

/** An order whose words are still sealed: the merchant's data key may have to be loaded first. */
export type SealedMoneyOrder = { readonly merchantId: string; readonly row: OrderRow };

export async function findMoneyOrder(tx: Tx, orderId: string): Promise<SealedMoneyOrder | null> {
  return selectOne(tx, `${SELECTED} where order_id = $1`, orderId);
}

export async function lockMoneyOrder(tx: Tx, orderId: string): Promise<SealedMoneyOrder | null> {
  return selectOne(tx, `${SELECTED} where order_id = $1 for update`, orderId);
}

export type OrderPlace = { readonly at: Date; readonly orderId: string };

/** Those that wait, the oldest first. */
export async function listOpenMoneyOrders(
  tx: Tx,
  { after, countMax }: { readonly after: OrderPlace | null; readonly countMax: number },
): Promise<readonly SealedMoneyOrder[]> {
  const { rows } = await tx.query<OrderRow>(
    `${SELECTED} where decision is null and (requested_at, order_id) > ($1, $2)
     order by requested_at, order_id limit $3`,
    [after?.at ?? '-infinity', after?.orderId ?? FIRST_ID, countMax],
  );
  return rows.map(sealedOf);
}

/** Those that were decided, the newest first. */
export async function listDecidedMoneyOrders(
  tx: Tx,
  { after, countMax }: { readonly after: OrderPlace | null; readonly countMax: number },
): Promise<readonly SealedMoneyOrder[]> {
  const { rows } = await tx.query<OrderRow>(
    `${SELECTED} where decision is not null and (decided_at, order_id) < ($1, $2)
     order by decided_at desc, order_id desc limit $3`,
    [after?.at ?? 'infinity', after?.orderId ?? FIRST_ID, countMax],
  );
  return rows.map(sealedOf);
}

/** The database refuses a second decision, and the person who asked. */
export async function markDecided(
  tx: Tx,
  keyring: Keyring,
  order: Pick<MoneyOrder, 'merchantId' | 'orderId'> & {
    readonly decision: NonNullable<MoneyOrder['decision']>;
  },
): Promise<void> {
  const { type, by, at, reason } = order.decision;
  await tx.query(
    `update money_orders set decision = $2, decided_by = $3, decided_at = $4, sealed_decision_reason = $5
     where order_id = $1`,
    [
      order.orderId,
      type,
      by,
      at,
      reason === null ? null : keyring.seal(identityOf(order, 'decision-reason'), reason),
    ],
  );
}

export function openMoneyOrder(keyring: Keyring, { row }: SealedMoneyOrder): MoneyOrder {
  const key = { orderId: row.order_id, merchantId: row.merchant_id };
  const open = (what: string, sealed: Buffer) => keyring.open(identityOf(key, what), sealed).toString();
  const { decision, decided_by: by, decided_at: at, sealed_decision_reason: why } = row;
  return {
    ...key,
    type: row.type,
    country: row.country,
    currency: row.currency,
    walletProvider: row.wallet_provider,
    amount: amountOfNumeric(row.amount),
    reference: row.reference,
    reason: open('reason', row.sealed_reason),
    requestedBy: row.requested_by,
    requestedAt: row.requested_at,
    decision:
      decision === null || by === null || at === null
        ? null
        : { type: decision, by, at, reason: why === null ? null : open('decision-reason', why) },
  };
}

/** Before every other identifier; at the end of time it comes after all there are. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

async function selectOne(tx: Tx, text: string, orderId: string): Promise<SealedMoneyOrder | null> {
  const { rows } = await tx.query<OrderRow>(text, [orderId]);
  return rows[0] === undefined ? null : sealedOf(rows[0]);
}

function sealedOf(row: OrderRow): SealedMoneyOrder {
  return { merchantId: row.merchant_id, row };
}

function identityOf({ merchantId, orderId }: Pick<MoneyOrder, 'merchantId' | 'orderId'>, what: string) {
  return { merchantId, row: `money_orders/${orderId}/${what}` };
}
