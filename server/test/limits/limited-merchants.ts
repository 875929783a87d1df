// Merchants with limits, and the requests that count in them.
import { randomUUID } from 'node:crypto';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { changeLimit } from '../../src/core/limits/set-limits.ts';
import type { Engine } from '../../src/core/engine.ts';
import type { DirectOrder } from '../../src/core/payments/payment-request.ts';
import type { Limit } from '../../src/domain/limits/limit.ts';
import { renderAmount } from '../../src/domain/money.ts';
import { drawPaymentNo } from '../../src/store/timed-uuid.ts';
import { actorNamed } from '../approvals.ts';
import { select, type TestGateway } from '../gateway.ts';

export const PROVIDER = 'MTN_MOMO_RWA';
export const NUMBER = '250783456789';
export const UNIT = 10_000n;

const HOUR_MS = 3_600_000;

/** Moves to where every window begins or goes on for a while, so that none ends in the middle of a test. */
export async function beginHour({ engine, gateway }: TestGateway): Promise<void> {
  await gateway.movableClock!.move(HOUR_MS - (engine.clock.now().getTime() % HOUR_MS));
}

/** A limit of the platform on payouts in a day. */
export function limitOf(changes: Partial<Limit>): Limit {
  return {
    setBy: 'PLATFORM',
    kind: 'PAYOUT',
    scope: 'MERCHANT',
    subject: '',
    period: 'DAY',
    currency: 'RWF',
    countMax: null,
    amountMax: null,
    ...changes,
  };
}

export async function setLimits(
  engine: Engine,
  merchantId: string,
  limits: readonly Partial<Limit>[],
): Promise<void> {
  for (const one of limits) {
    const { countMax, amountMax, ...key } = limitOf(one);
    const maxima = { countMax, amountMax };
    await changeLimit(engine, {
      merchantId,
      key,
      maxima,
      actor: actorNamed('Ana'),
      secondApprover: 'OPTIONAL',
    });
  }
}

export async function limitedMerchant(engine: Engine, limits: readonly Partial<Limit>[]): Promise<string> {
  const { merchantId } = await createDemoMerchant(engine, null);
  await setLimits(engine, merchantId, limits);
  return merchantId;
}

export async function orderOf(
  engine: Engine,
  merchantId: string,
  { amount = 100n * UNIT, ...changes }: Partial<DirectOrder> = {},
): Promise<DirectOrder> {
  return {
    paymentNo: drawPaymentNo(),
    merchant: (await engine.directory.merchant(merchantId))!,
    apiVersion: 'v2',
    writtenId: randomUUID(),
    kind: 'PAYOUT',
    amount,
    amountText: renderAmount(amount),
    currency: 'RWF',
    provider: PROVIDER,
    details: { phoneNumber: NUMBER },
    ...changes,
  };
}

/** What every counter of a merchant has counted, the window that ends first before the others. */
export async function countersOf(
  engine: Engine,
  merchantId: string,
): Promise<readonly { readonly count: number; readonly amount: string }[]> {
  const rows = await select(
    { engine },
    `select used_count::int as count, trim_scale(used_amount)::text as amount from limit_counters
     where merchant_id = $1 order by counter_id`,
    [merchantId],
  );
  return rows.map(({ count, amount }) => ({ count, amount }));
}

/** From now on every change of a counter is recorded. One at a time may change it, so that they are in commit order. */
export async function recordCounters(gateway: TestGateway): Promise<void> {
  const statements = [
    `create table counter_changes (
       change_no bigserial, merchant_id uuid, used_count bigint, xid xid8)`,
    // As its owner, whatever the role may do that counts.
    `create function record_counter() returns trigger security definer language plpgsql as $$ begin
       insert into counter_changes (merchant_id, used_count, xid)
       values (new.merchant_id, new.used_count, pg_current_xact_id());
       return null; end $$`,
    `create trigger record_counters after insert or update on limit_counters
       for each row execute function record_counter()`,
  ];
  for (const statement of statements) await select(gateway, statement);
}

/** How many payments each change left. */
export async function countChanges(gateway: TestGateway, merchantId: string): Promise<readonly number[]> {
  const rows = await select(
    gateway,
    'select used_count::int as count from counter_changes where merchant_id = $1 order by change_no',
    [merchantId],
  );
  return rows.map(({ count }) => count);
}

/** Records what a row is about, and when it was decided. */
const recorder = (name: string, what: Decision['what'], decidedAt: string) => `
  create function ${name}() returns trigger security definer language plpgsql as $$ begin
    insert into decisions (merchant_id, kind, payment_id, what, decided_at, xid)
    values (new.merchant_id, new.kind, new.payment_id, '${what}', ${decidedAt}, pg_current_xact_id());
    return null; end $$`;

/** From now on it is also recorded which requests a transaction decides, and which payments fail or are paid late. */
export async function recordDecisions(gateway: TestGateway): Promise<void> {
  await recordCounters(gateway);
  const statements = [
    `create table decisions (
       decision_no bigserial, merchant_id uuid, kind text, payment_id uuid, what text, decided_at timestamptz,
       xid xid8)`,
    recorder('record_request', 'REQUESTED', 'new.created_at'),
    recorder('record_failure', 'FAILED', 'new.final_at'),
    recorder('record_late_success', 'PAID_AFTER_ALL', 'new.opened_at'),
    // A request takes its identifier also where it is refused, and frees it again.
    'create trigger record_requests after insert on payment_keys for each row execute function record_request()',
    `create trigger record_failures after update on payments for each row
       when (new.state = 'FAILED' and old.state <> 'FAILED') execute function record_failure()`,
    `create trigger record_late_successes after insert on cases for each row
       when (new.evidence = 'LATE_SUCCESS') execute function record_late_success()`,
  ];
  for (const statement of statements) await select(gateway, statement);
}

export type Decision = {
  readonly what: 'REQUESTED' | 'FAILED' | 'PAID_AFTER_ALL';
  readonly transaction: string;
  readonly kind: string;
  readonly paymentId: string;
  readonly decidedAt: Date;
};

/**
 * In the order of the commits of all transactions that changed the same counter: each changes its counters when it has
 * locked them, until its commit. What no limit counts is accepted before all others, and fails after them.
 */
export async function listDecisions(gateway: TestGateway, merchantId: string): Promise<readonly Decision[]> {
  return select(
    gateway,
    `select d.xid::text as transaction, what, kind, payment_id as "paymentId", decided_at as "decidedAt"
     from decisions d left join (select xid, max(change_no) as change_no from counter_changes
       where merchant_id = $1 group by xid) c on c.xid = d.xid
     where merchant_id = $1
     order by change_no is null and what <> 'REQUESTED', change_no nulls first, decision_no`,
    [merchantId],
  );
}
