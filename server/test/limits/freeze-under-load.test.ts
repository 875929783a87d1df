// A freeze while workers send as fast as they can: not one claim after it has answered, and nothing is lost by it.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freeze, requestLift } from '../../src/core/limits/freeze.ts';
import { actorNamed } from '../approvals.ts';
import { openAccount, type Account } from '../edge/accounts.ts';
import { eventually, openTestGateway, select, type TestGateway } from '../gateway.ts';
import { start, topUp } from '../payments.ts';
import { payoutRequest } from '../requests.ts';

let gateway: TestGateway;
let frozen: Account;
let other: Account;
beforeAll(async () => {
  gateway = await openTestGateway({ worker: { releasesPerSecond: 200 } });
  [frozen, other] = [await openAccount(gateway, PAYOUTS), await openAccount(gateway, PAYOUTS)];
  for (const { merchantId } of [frozen, other]) await topUp(gateway, merchantId, '1000000');
});
afterAll(() => gateway.stop());

const PAYOUTS = { operations: ['PAYOUT'] } as const;

/** How many each of them has sent. */
let sent = 0;

async function attemptsOf({ merchantId }: Account): Promise<number> {
  const rows = await select(
    gateway,
    'select count(*)::int as count from payment_attempts where merchant_id = $1',
    [merchantId],
  );
  return rows[0]!['count'];
}

const completedOf = async ({ merchantId }: Account) =>
  (
    await select(
      gateway,
      `select count(*)::int as count from payments where merchant_id = $1 and state = 'COMPLETED'`,
      [merchantId],
    )
  )[0]!['count'];

/** Both merchants send all the time, ten at once, and go on after the freeze. */
async function keepSending(isFrozen: () => boolean): Promise<void> {
  for (let after = 0; after < 20; after += isFrozen() ? 5 : 0) {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        start(index % 2 === 0 ? frozen : other, 'payout', payoutRequest()),
      ),
    );
    sent += 5;
  }
}

test('nothing of the frozen token is claimed once the freeze has answered, and later all is sent, the oldest first', async () => {
  let isFrozen = false;
  const sending = keepSending(() => isFrozen);
  const target = { scope: 'TOKEN', subject: frozen.tokenId } as const;
  try {
    await eventually(async () => (await attemptsOf(frozen)) > 5).toBe(true);
    await freeze(gateway.engine, { by: 'Ana', target, reason: 'stolen', expiresAt: null });
  } finally {
    isFrozen = true;
  }
  const atFreeze = await attemptsOf(frozen);
  await sending;
  await eventually(() => completedOf(other)).toBe(sent);
  await sleep(300);
  expect(await attemptsOf(frozen)).toBe(atFreeze);
  expect(atFreeze).toBeLessThan(sent);
  await requestLift(gateway.engine, {
    target,
    reason: 'over',
    actor: actorNamed('Ana'),
    secondApprover: 'OPTIONAL',
  });
  await eventually(() => completedOf(frozen)).toBe(sent);
  const rows = await select(
    gateway,
    `select p.created_at, min(e.occurred_at) as released_at from payments p join payment_events e using (payment_no)
     where p.merchant_id = $1 and e.event = 'RELEASED' group by p.payment_no, p.created_at order by 1, 2`,
    [frozen.merchantId],
  );
  expect(rows).toHaveLength(sent - atFreeze);
  const released = rows.map(({ released_at: at }) => at.getTime());
  expect(released).toEqual(released.toSorted((a, b) => a - b));
});
