// Up to how much a merchant's payouts need no second person. The database refuses whoever would raise it alone.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';
import type { Actor } from './payout-batches.ts';
import { amountOfNumeric } from '../rows.ts';

export type PayoutLimit = {
  readonly currency: string;
  /** Null: the host's limit counts. */
  readonly amount: Amount | null;
  readonly proposal: LimitProposal | null;
};

export type LimitProposal = { readonly amount: Amount; readonly by: Actor; readonly at: Date };

export type LimitKey = { readonly merchantId: string; readonly currency: string };

type LimitRow = {
  currency: string;
  amount: string | null;
  proposed_amount: string | null;
  proposed_by: string | null;
  proposed_by_name: string | null;
  proposed_at: Date | null;
};

const SELECTED = 'currency, amount, proposed_amount, proposed_by, proposed_by_name, proposed_at';

export async function listPayoutLimits(tx: Tx, merchantId: string): Promise<readonly PayoutLimit[]> {
  const { rows } = await tx.query<LimitRow>(
    `select ${SELECTED} from payout_limits where merchant_id = $1 order by currency`,
    [merchantId],
  );
  return rows.map(limitOf);
}

/** Makes the row where there is none, and locks it. */
export async function lockPayoutLimit(tx: Tx, { merchantId, currency }: LimitKey): Promise<PayoutLimit> {
  await tx.query('insert into payout_limits (merchant_id, currency) values ($1, $2) on conflict do nothing', [
    merchantId,
    currency,
  ]);
  const { rows } = await tx.query<LimitRow>(
    `select ${SELECTED} from payout_limits where merchant_id = $1 and currency = $2 for update`,
    [merchantId, currency],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a limit that was just made is missing');
  return limitOf(row);
}

/** At once; PostgreSQL refuses it where it would raise the limit. What was proposed is forgotten. */
export async function lowerPayoutLimit(
  tx: Tx,
  { merchantId, currency }: LimitKey,
  amount: Amount,
): Promise<void> {
  await tx.query(
    `update payout_limits set amount = $3, ${NO_PROPOSAL} where merchant_id = $1 and currency = $2`,
    [merchantId, currency, renderAmount(amount)],
  );
}

export async function proposePayoutLimit(
  tx: Tx,
  { merchantId, currency }: LimitKey,
  { amount, by, at }: LimitProposal,
): Promise<void> {
  await tx.query(
    `update payout_limits set proposed_amount = $3, proposed_by = $4, proposed_by_name = $5, proposed_at = $6
     where merchant_id = $1 and currency = $2`,
    [merchantId, currency, renderAmount(amount), by.personId, by.by, at],
  );
}

/** What was proposed counts from now on. PostgreSQL refuses the person who proposed it. */
export async function raisePayoutLimit(
  tx: Tx,
  { merchantId, currency }: LimitKey,
  approvedBy: Actor,
): Promise<void> {
  await tx.query(
    `update payout_limits set amount = proposed_amount, raised_by = proposed_by, raised_by_name = proposed_by_name,
       approved_by = $3, approved_by_name = $4, ${NO_PROPOSAL}
     where merchant_id = $1 and currency = $2`,
    [merchantId, currency, approvedBy.personId, approvedBy.by],
  );
}

const NO_PROPOSAL = `proposed_amount = null, proposed_by = null, proposed_by_name = null, proposed_at = null`;

function limitOf(row: LimitRow): PayoutLimit {
  const { proposed_amount: amount, proposed_by: personId, proposed_by_name: by, proposed_at: at } = row;
  const isProposed = amount !== null && personId !== null && by !== null && at !== null;
  return {
    currency: row.currency,
    amount: row.amount === null ? null : amountOfNumeric(row.amount),
    proposal: isProposed ? { amount: amountOfNumeric(amount), by: { personId, by }, at } : null,
  };
}
