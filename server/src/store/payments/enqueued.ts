// Payments that wait for their provider, read along `payments_enqueued`: what a look costs follows from how many
// providers and wallets have some, and not from how many there are.
import type { ProcessTime } from '../../domain/clock.ts';
import { livesHere } from '../cells/migration-locks.ts';
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { IS_SHORT_OF_CLAIMS } from '../ledger/wallet-funds.ts';
import { holdHasEnded, notFrozen } from '../limits/freezes.ts';
import { notSuspended } from '../merchants/merchants.ts';
import { numberedKeys } from '../rows.ts';
import { distinct, ENQUEUED } from './distinct.ts';

const enqueued = columns({ ...numberedKeys.defs, provider: 'text' });

/** Each costs a step in the index, and their first payments. */
const WALLETS_MAX = 200;

const [FIRST_ID, LAST_ID] = ['0', 'f'].map((digit) => `'${digit.repeat(32)}'::uuid`);

const IN_GROUP = (of: string) => `${ENQUEUED} and (provider, kind) = (${of}.provider, ${of}.kind)`;

/** The first wallet behind another, of the same provider and kind. */
const nextWallet = (of: string, behind: string) => `cross join lateral (
  select merchant_id, wallet_id from payments
  where ${IN_GROUP(of)} and (merchant_id, wallet_id) > (${behind}) and merchant_id <= lap_end
  order by merchant_id, wallet_id limit 1) next`;

const PASSED_OVER = `provider || ' ' || kind = any ($2::text[])`;

/** Two laps: those behind $3, then from the first up to $3. */
const WAITING_WALLETS = `waiting_wallets as (
  select g.*, next.merchant_id, next.wallet_id, lap, lap_end, 1 as number
  from groups g
  cross join (values (1, $3::uuid, ${LAST_ID}), (2, ${FIRST_ID}, $3::uuid)) as laps (lap, lap_start, lap_end)
  ${nextWallet('g', `lap_start, ${LAST_ID}`)}
  where not ${PASSED_OVER}
  union all
  select before.provider, before.kind, next.merchant_id, next.wallet_id, lap, lap_end, number + 1
  from waiting_wallets before ${nextWallet('before', 'before.merchant_id, before.wallet_id')}
  where number < ${WALLETS_MAX})`;

/** Whether the wallet does not cover what it owes, and what its holds want. */
const IS_OWING = `exists (
  select from wallets w where w.account_id = waiting.wallet_id and ${IS_SHORT_OF_CLAIMS})`;

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
  readonly now: ProcessTime;
};

/**
 * Payments that wait for their provider, except those of the names given: at most `countMax` of each provider and kind,
 * every merchant's oldest before anybody's second oldest. Where more than 200 wallets wait, those behind `startAt`, an
 * identifier of a merchant: with another one at each look every merchant has its turn. Those
 * whose wallet has less than must stay in it are passed over.
 */
export async function listEnqueued(
  tx: Tx,
  look: Look & { readonly startAt: string },
): Promise<readonly Row<typeof enqueued>[]> {
  return enqueued.query(
    tx,
    `with recursive ${distinct('groups', 'provider, kind', ENQUEUED)}, ${WAITING_WALLETS},
     chosen as (
       select *, count(*) over (partition by provider, kind) as among from (
         select *, row_number() over (partition by provider, kind order by lap, merchant_id, wallet_id) as place
         from waiting_wallets waiting
         where ${livesHere('waiting')} and ${notSuspended('waiting')} and ${notFrozen('waiting', '$4')}
           and not ${IS_OWING}) places
       where place <= ${WALLETS_MAX})
     select ${enqueued.names} from ${firsts(
       `${IN_GROUP('c')} and (merchant_id, wallet_id) = (c.merchant_id, c.wallet_id)`,
     )}`,
    [look.countMax, look.except, look.startAt, look.now],
  );
}

const HELD = `held = 'FREEZE'`;

/** The first provider, kind and merchant with payments that a freeze holds, or the next ones. */
const nextHeld = (of: string, behind: string) => `select next.* from ${of} before cross join lateral (
  select held_by, provider, kind, merchant_id from payments where ${HELD} and held_by = before.held_by ${behind}
  order by provider, kind, merchant_id limit 1) next`;

const formerlyHeld = columns({ ...enqueued.defs, heldBy: 'uuid' });

/**
 * Payments whose freeze has ended, except those of the names given: as many, and in the same order. What a look costs
 * follows from how many freezes hold payments, and of how many merchants those that have ended, and not from how many
 * they hold.
 */
export async function listFormerlyHeld(tx: Tx, look: Look): Promise<readonly Row<typeof formerlyHeld>[]> {
  return formerlyHeld.query(
    tx,
    `with recursive ${distinct('holds', 'held_by', HELD)},
     ended as (select held_by from holds h where ${holdHasEnded('h.held_by', '$3')}),
     holding as (
       ${nextHeld('ended', '')}
       union all
       ${nextHeld(
         'holding',
         'and (provider, kind, merchant_id) > (before.provider, before.kind, before.merchant_id)',
       )}),
     chosen as (
       select *, count(*) over (partition by provider, kind) as among from holding h
       where not ${PASSED_OVER} and ${livesHere('h')})
     select ${formerlyHeld.names} from ${firsts(
       `${HELD}
         and (held_by, provider, kind, merchant_id) = (c.held_by, c.provider, c.kind, c.merchant_id)`,
     )} order by created_at, payment_no`,
    [look.countMax, look.except, look.now],
  );
}
