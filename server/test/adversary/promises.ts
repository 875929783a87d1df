// What must be so, whatever an adversary does. Read from the databases in other words than the product's own.
import type { Database } from '../../src/store/database.ts';
import { listUnbalancedWallets } from '../../src/store/ledger/ledger.ts';
import { readTrialBalance } from '../../src/core/ledger/read-ledger.ts';
import type { World } from './world.ts';

/** A promise that was broken. */
export class Violation extends Error {
  constructor(promise: string, detail: string) {
    super(`${promise}: ${detail}`);
    this.name = 'Violation';
  }
}

function require(isKept: boolean, promise: string, detail: unknown): void {
  if (!isKept) throw new Violation(promise, JSON.stringify(detail));
}

export async function checkPromises(world: World): Promise<void> {
  for (const cell of [world.cells.one, world.cells.two]) {
    const { database } = cell.engine.store;
    const unbalanced = await listUnbalancedWallets(database);
    require(unbalanced.length === 0, 'wallets are the sum of their transfers', unbalanced);
    const { unbalancedCurrencies } = await readTrialBalance(cell.engine, { isAgain: true });
    require(unbalancedCurrencies.length === 0, 'the books balance', unbalancedCurrencies);
    await checkSpendable(database);
    const missing = await listMissing(database);
    require(missing.length === 0, 'what follows from a fact is made', missing);
  }
  const twice = await listPostedTwice(world);
  require(twice.length === 0, 'a reference of the bank is posted once in all cells', twice);
}

/** Also called right after people completed a deposit: within a day it may be found out either way. */
export async function checkSpendable(database: Database): Promise<void> {
  const uncovered = await listSpendable(database);
  require(uncovered.length === 0, 'money that may still be taken back cannot be spent', uncovered);
}

/**
 * Wallets from which more can be spent than stays there when every deposit that people completed in the last day turns
 * out not to have been paid. Deposits of split payments are left out: their payouts wait for the same day.
 */
async function listSpendable(database: Database): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await database.query(
    `with outgoing as (
       select debit_account_id as account_id, sum(amount) as amount from transfers
       where state = 'PENDING' and subject_kind <> 'HOLD' group by 1),
     uncertain as (
       select p.merchant_id, p.country, p.currency, sum(p.amount - p.fee) as amount
       from payments p join payment_events e using (payment_no)
       where p.kind = 'DEPOSIT' and p.state = 'COMPLETED' and e.event = 'ENDED_MANUALLY'
         and p.final_at > time_of_writing() - interval '23 hours' and p.split_payment_id is null
         and not exists (select from cases c where c.resolved_at is not null
           and (c.merchant_id, c.kind, c.payment_id) = (p.merchant_id, p.kind, p.payment_id))
       group by 1, 2, 3)
     select w.account_id, w.posted::text, w.held::text, w.owed::text, o.amount::text as outgoing,
       u.amount::text as uncertain
     from wallets w join accounts a using (account_id)
     left join outgoing o using (account_id)
     join uncertain u on (u.merchant_id, u.country, u.currency) = (a.merchant_id, a.country, a.currency)
     where w.posted - w.held - w.unheld > greatest(0, w.posted - coalesce(o.amount, 0) - u.amount)`,
  );
  return rows;
}

async function listMissing(database: Database): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await database.query('select type, error, kind, payment_id from missing_follow_ups');
  return rows;
}

async function listPostedTwice({ cells }: World): Promise<readonly string[]> {
  const references: string[] = [];
  for (const { engine } of [cells.one, cells.two]) {
    const { rows } = await engine.store.database.query<{ name: string }>(
      `select source || '/' || upper(replace(reference, ' ', '')) || '/' || transfer_id as name from posted_references`,
    );
    references.push(...rows.map(({ name }) => name));
  }
  // A merchant that moved has left a trace of what it posted in the cell before: the same transfer.
  const distinct = [...new Set(references)].map((name) => name.slice(0, name.lastIndexOf('/')));
  return distinct.filter((name, index) => distinct.indexOf(name) !== index);
}

/** Called when a refund was accepted: whether its deposit had so much left, and no refund in doubt. */
export async function checkRefund(
  database: Database,
  { merchantId, refundId }: { readonly merchantId: string; readonly refundId: string },
): Promise<void> {
  const { rows } = await database.query<{
    isOpen: boolean;
    given: string;
    deposited: string;
    refunds: string;
  }>(
    `with asked as (select deposit_id from payments where merchant_id = $1 and kind = 'REFUND' and payment_id = $2),
     refunds as (
       select r.* from payments r join asked using (deposit_id) where r.merchant_id = $1 and r.kind = 'REFUND'),
     given as (
       select r.payment_id, greatest(0, case when r.state = 'FAILED' or exists (select from cases c
             where (c.merchant_id, c.kind, c.payment_id) = (r.merchant_id, r.kind, r.payment_id)
               and c.evidence = 'LATE_FAILURE' and c.resolution = 'CREDIT_MERCHANT')
           then 0 else r.amount end + coalesce((
         select sum(case c.resolution when 'RECOVER_FROM_MERCHANT' then 1 when 'WRITE_OFF' then 1
             when 'CREDIT_MERCHANT' then -1 when 'RETURN_TO_PAYER' then (r.state = 'FAILED')::int
             else 0 end * (a.request ->> 'amount')::numeric)
         from cases c join approvals a on a.kind = 'CASE' and a.subject = c.case_id::text and a.status = 'APPROVED'
         where (c.merchant_id, c.kind, c.payment_id) = (r.merchant_id, r.kind, r.payment_id)
           and c.evidence = 'DISCREPANCY' and c.resolved_at is not null), 0)) as amount
       from refunds r)
     select (select sum(amount) from given) as given,
       (select d.amount from payments d join asked on d.payment_id = asked.deposit_id
        where d.merchant_id = $1 and d.kind = 'DEPOSIT') as deposited,
       exists (select from refunds r join cases c
         on (c.merchant_id, c.kind, c.payment_id) = (r.merchant_id, r.kind, r.payment_id)
         where c.evidence = 'DISCREPANCY' and c.resolved_at is null) as "isOpen",
       (select string_agg(concat_ws(' ', r.payment_id, r.state, r.amount, r.created_at::text, r.final_at::text, (
         select string_agg(concat_ws(' ', c.evidence, c.resolution, a.request ->> 'amount', c.resolved_at), ', ')
         from cases c left join approvals a on a.kind = 'CASE' and a.subject = c.case_id::text
           and a.status = 'APPROVED'
         where (c.merchant_id, c.kind, c.payment_id) = (r.merchant_id, r.kind, r.payment_id))), '; ')
        from refunds r) as refunds`,
    [merchantId, refundId],
  );
  const [row] = rows;
  require(row?.isOpen === false, 'no deposit is refunded while another refund of it is in doubt', refundId);
  require(Number(row?.given) <= Number(row?.deposited), 'no more is given back than was paid', row);
}
