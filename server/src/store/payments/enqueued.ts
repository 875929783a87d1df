// Payments that wait for their provider, read along `payments_enqueued`: what a look costs follows from how many
// providers and merchants have some, and not from how many there are.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { holdHasEnded, notFrozen } from '../limits/freezes.ts';
import { notSuspended } from '../merchants/merchants.ts';
import { numberedKeys } from '../rows.ts';
import { distinct, ENQUEUED } from './distinct.ts';

const enqueued = columns({ ...numberedKeys.defs, provider: 'text' });

/** Each costs a step in the index, and their first payments. */
const MERCHANTS_MAX = 200;

const [FIRST_ID, LAST_ID] = ['0', 'f'].map((digit) => `'${digit.repeat(32)}'::uuid`);

/** The first merchant behind another, of the same provider and kind. */
const nextMerchant = (of: string, behind: string) => `cross join lateral (
  select merchant_id from payments
  where ${ENQUEUED} and provider = ${of}.provider and kind = ${of}.kind
    and merchant_id > ${behind} and merchant_id <= lap_end order by merchant_id limit 1) next`;

/** Two laps: those behind $3, then from the first up to $3. */
const MERCHANTS = `waiting_merchants as (
  select g.provider, g.kind, next.merchant_id, lap, lap_end, 1 as number
  from groups g
  cross join (values (1, $3::uuid, ${LAST_ID}), (2, ${FIRST_ID}, $3::uuid)) as laps (lap, lap_start, lap_end)
  ${nextMerchant('g', 'lap_start')}
  where provider || ' ' || kind <> all ($2::text[])
  union all
  select m.provider, m.kind, next.merchant_id, lap, lap_end, number + 1
  from waiting_merchants m ${nextMerchant('m', 'm.merchant_id')} where number < ${MERCHANTS_MAX})`;

/**
 * Payments that wait for their provider, except those of the names given ("PROVIDER KIND"): at most `countMax` of each
 * provider and kind, every merchant's oldest before anybody's second oldest. Where more than 200 merchants wait, those
 * behind `startAt`, an identifier: with another one at each look every merchant has its turn.
 */
export async function listEnqueued(
  tx: Tx,
  look: {
    readonly countMax: number;
    readonly except: readonly string[];
    readonly startAt: string;
    readonly now: Date;
  },
): Promise<readonly Row<typeof enqueued>[]> {
  return enqueued.query(
    tx,
    `with recursive ${distinct('groups', 'provider, kind', ENQUEUED)}, ${MERCHANTS},
     chosen as (
       select *, count(*) over (partition by provider, kind) as among from (
         select *, row_number() over (partition by provider, kind order by lap, merchant_id) as place
         from waiting_merchants
         where ${notSuspended('waiting_merchants')} and ${notFrozen('waiting_merchants', '$4')}) places
       where place <= ${MERCHANTS_MAX})
     select ${enqueued.names} from (
       select *, row_number() over (partition by provider, kind order by turn, created_at) as position
       from chosen c cross join lateral (
         select payment_id, payment_no, created_at, row_number() over (order by created_at) as turn from payments
         where ${ENQUEUED} and (provider, kind, merchant_id) = (c.provider, c.kind, c.merchant_id)
         order by created_at limit case when c.among >= $1 then 1 else $1 end) firsts) positions
     where position <= $1`,
    [look.countMax, look.except, look.startAt, look.now],
  );
}

const formerlyHeld = columns({ ...enqueued.defs, heldBy: 'uuid' });

/**
 * Payments whose freeze has ended, at most `countMax` of each freeze, the oldest first. What a look costs follows from
 * how many freezes hold payments, and not from how many they hold.
 */
export async function listFormerlyHeld(
  tx: Tx,
  look: { readonly countMax: number; readonly now: Date },
): Promise<readonly Row<typeof formerlyHeld>[]> {
  return formerlyHeld.query(
    tx,
    `with recursive ${distinct('holding', 'held, held_by', 'held is not null')}
     select ${formerlyHeld.namesIn('p')} from holding h cross join lateral (
       select * from payments where held = h.held and held_by = h.held_by order by created_at limit $1) p
     where ${holdHasEnded('h.held_by', '$2')} order by p.created_at, p.payment_no`,
    [look.countMax, look.now],
  );
}
