// Payments that wait for their provider, read along `payments_enqueued`: what a look costs follows from how many
// providers and merchants have some, and not from how many there are.
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { livesHere } from '../cells/migration-locks.ts';
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { UNCOVERED } from '../ledger/wallet-funds.ts';
import { holdHasEnded, notFrozen } from '../limits/freezes.ts';
import { notSuspended } from '../merchants/merchants.ts';
import { numberedKeys } from '../rows.ts';
import { distinct, ENQUEUED } from './distinct.ts';

const enqueued = columns({ ...numberedKeys.defs, provider: 'text' });

/** Each costs a step in the index, and their first payments. */
const MERCHANTS_MAX = 200;

const [FIRST_ID, LAST_ID] = ['0', 'f'].map((digit) => `'${digit.repeat(32)}'::uuid`);

/** Groups of one provider and kind, by currency: each has wallets of its own. */
const IN_GROUP = (of: string) =>
  `${ENQUEUED} and (provider, kind, currency) = (${of}.provider, ${of}.kind, ${of}.currency)`;

/** The first merchant behind another, of the same group. */
const nextMerchant = (of: string, behind: string) => `cross join lateral (
  select merchant_id from payments
  where ${IN_GROUP(of)} and merchant_id > ${behind} and merchant_id <= lap_end order by merchant_id limit 1) next`;

const PASSED_OVER = `provider || ' ' || kind = any ($2::text[])`;

/** Two laps: those behind $3, then from the first up to $3. */
const MERCHANTS = `waiting_merchants as (
  select g.*, next.merchant_id, lap, lap_end, 1 as number
  from groups g
  cross join (values (1, $3::uuid, ${LAST_ID}), (2, ${FIRST_ID}, $3::uuid)) as laps (lap, lap_start, lap_end)
  ${nextMerchant('g', 'lap_start')}
  where not ${PASSED_OVER}
  union all
  select m.provider, m.kind, m.currency, next.merchant_id, lap, lap_end, number + 1
  from waiting_merchants m ${nextMerchant('m', 'm.merchant_id')} where number < ${MERCHANTS_MAX})`;

const OF_MERCHANT = (of: string) => `${IN_GROUP(of)} and merchant_id = ${of}.merchant_id`;

/** Whether the wallet does not cover what it owes: that of the oldest payment, and so of all in the group. */
const IS_OWING = `exists (
  select from wallets w
  where w.merchant_id = m.merchant_id and w.posted - w.held < ${UNCOVERED} and w.account_id in (
    select debit_account_id from transfers where state = 'PENDING' and subject_id = (
      select payment_no from payments where ${OF_MERCHANT('m')} order by created_at limit 1)))`;

/** Of `chosen`: at most $1 of each provider and kind, every merchant's oldest before anybody's second oldest. */
const firsts = (condition: string) => `(
  select *, row_number() over (partition by provider, kind order by turn, created_at) as position from (
    select c.*, p.payment_id, p.payment_no, p.created_at,
      row_number() over (partition by c.provider, c.kind, c.merchant_id order by p.created_at) as turn
    from chosen c cross join lateral (
      select payment_id, payment_no, created_at from payments where ${condition}
      order by created_at limit case when c.among >= $1 then 1 else $1 end) p) turns) positions
  where position <= $1`;

type Look = {
  readonly countMax: number;
  /** Names: "PROVIDER KIND". */
  readonly except: readonly string[];
  readonly now: Date;
};

/**
 * Payments that wait for their provider, except those of the names given: at most `countMax` of each provider and kind,
 * every merchant's oldest before anybody's second oldest. Where more than 200 merchants wait, those behind `startAt`,
 * an identifier: with another one at each look every merchant has its turn. Of the kinds in `waitWhileOwing` those
 * whose wallet owes more than it has are passed over.
 */
export async function listEnqueued(
  tx: Tx,
  look: Look & { readonly startAt: string; readonly waitWhileOwing: readonly PaymentKind[] },
): Promise<readonly Row<typeof enqueued>[]> {
  return enqueued.query(
    tx,
    `with recursive ${distinct('groups', 'provider, kind, currency', ENQUEUED)}, ${MERCHANTS},
     chosen as (
       select *, count(*) over (partition by provider, kind) as among from (
         select *, row_number() over (partition by provider, kind order by lap, merchant_id) as place
         from waiting_merchants m
         where ${livesHere('m')} and ${notSuspended('m')} and ${notFrozen('m', '$4')}
           and (kind <> all ($5::payment_kind[]) or not ${IS_OWING})) places
       where place <= ${MERCHANTS_MAX})
     select ${enqueued.names} from ${firsts(OF_MERCHANT('c'))}`,
    [look.countMax, look.except, look.startAt, look.now, look.waitWhileOwing],
  );
}

const formerlyHeld = columns({ ...enqueued.defs, heldBy: 'uuid' });

/**
 * Payments whose freeze has ended, except those of the names given: as many, and in the same order. What a look costs
 * follows from how many freezes hold payments of how many merchants, and not from how many they hold.
 */
export async function listFormerlyHeld(tx: Tx, look: Look): Promise<readonly Row<typeof formerlyHeld>[]> {
  return formerlyHeld.query(
    tx,
    `with recursive ${distinct('holding', 'held_by, provider, kind, merchant_id', `held = 'FREEZE'`)},
     chosen as (
       select *, count(*) over (partition by provider, kind) as among from holding h
       where not ${PASSED_OVER} and ${livesHere('h')} and ${holdHasEnded('h.held_by', '$3')})
     select ${formerlyHeld.names} from ${firsts(
       `held = 'FREEZE'
         and (held_by, provider, kind, merchant_id) = (c.held_by, c.provider, c.kind, c.merchant_id)`,
     )} order by created_at, payment_no`,
    [look.countMax, look.except, look.now],
  );
}
