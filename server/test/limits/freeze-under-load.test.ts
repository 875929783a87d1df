// A freeze while workers, in a process of their own, send as fast as they can: not one claim of its scope after it has
// answered, and nothing is lost by it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freeze, requestLift, type FreezeTarget } from '../../src/core/limits/freeze.ts';
import { actorNamed } from '../approvals.ts';
import { openAccount, type Account } from '../edge/accounts.ts';
import { depositRequest, eventually, openTestGateway, select, type TestGateway } from '../gateway.ts';
import { start, topUp } from '../payments.ts';
import { payoutRequest, wallet } from '../requests.ts';
import { startServerProcess, type ServerProcess } from '../server-process.ts';

let gateway: TestGateway;
let worker: ServerProcess;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  worker = await startServerProcess(gateway, 'worker', { MALIPO_RELEASES_PER_SECOND: '200' });
});
afterAll(async () => {
  await worker.terminate();
  await gateway.stop();
});

const RECIPIENT = { provider: 'AIRTEL_RWA', phoneNumber: '250733456789' };

const toRecipient = () => payoutRequest({ recipient: wallet(RECIPIENT.provider, RECIPIENT.phoneNumber) });

type Targets = (frozen: readonly Account[]) => readonly FreezeTarget[];

/** Two merchants pay the recipient; what is frozen of it. */
const TARGETS: Readonly<Record<FreezeTarget['scope'], Targets>> = {
  TOKEN: (frozen) => frozen.map(({ tokenId }) => ({ scope: 'TOKEN', subject: tokenId })),
  MERCHANT: (frozen) => frozen.map(({ merchantId }) => ({ scope: 'MERCHANT', subject: merchantId })),
  NUMBER: () => [{ scope: 'NUMBER', phoneNumber: RECIPIENT.phoneNumber }],
  PROVIDER: () => [{ scope: 'PROVIDER', subject: RECIPIENT.provider }],
  ALL: () => [{ scope: 'ALL' }],
};

async function openWealthy(): Promise<Account> {
  const account = await openAccount(gateway, { operations: ['DEPOSIT', 'PAYOUT'] });
  await topUp(gateway, account.merchantId, '1000000');
  return account;
}

async function countOf(rowsOf: string, accounts: readonly Account[]): Promise<number> {
  const rows = await select(
    gateway,
    `select count(*)::int as count from ${rowsOf} and merchant_id = any ($1)`,
    [accounts.map(({ merchantId }) => merchantId)],
  );
  return rows[0]!['count'];
}

const attemptsOf = (...accounts: readonly Account[]) => countOf('payment_attempts where true', accounts);
const completedOf = (...accounts: readonly Account[]) =>
  countOf(`payments where state = 'COMPLETED'`, accounts);

test.each(Object.entries(TARGETS))(
  'nothing of a frozen %s is claimed once the freeze has answered, and later all is sent, the oldest first',
  async (scope, targetsOf) => {
    const frozen = [await openWealthy(), await openWealthy()];
    const other = await openWealthy();
    let isFrozen = false;
    /** Of each merchant. */
    let sent = 0;
    const ofOther = () =>
      scope === 'ALL' ? start(other, 'deposit', depositRequest()) : start(other, 'payout', payoutRequest());
    /** All send all the time, three at once, and go on after the freeze. */
    const keepSending = async () => {
      for (let after = 0; after < 5; after += isFrozen ? 1 : 0) {
        await Promise.all(
          Array.from({ length: 3 }, () => [
            ofOther(),
            ...frozen.map((account) => start(account, 'payout', toRecipient())),
          ]).flat(),
        );
        sent += 3;
      }
    };
    const sending = keepSending();
    const targets = targetsOf(frozen);
    try {
      for (const account of frozen) await eventually(async () => (await attemptsOf(account)) > 5).toBe(true);
      for (const target of targets)
        await freeze(gateway.engine, { by: 'Ana', target, reason: 'stolen', expiresAt: null });
    } finally {
      isFrozen = true;
    }
    const atFreeze = await attemptsOf(...frozen);
    await sending;
    // What the others sent after the freeze is claimed, and what is older and frozen is not.
    await eventually(() => completedOf(other)).toBe(sent);
    expect(await attemptsOf(...frozen)).toBe(atFreeze);
    expect(atFreeze).toBeLessThan(2 * sent);
    const lift = { reason: 'over', actor: actorNamed('Ana'), secondApprover: 'OPTIONAL' } as const;
    for (const target of targets) await requestLift(gateway.engine, { ...lift, target });
    await eventually(() => completedOf(...frozen)).toBe(2 * sent);
    for (const { merchantId } of frozen) {
      const rows = await select(
        gateway,
        `select min(e.occurred_at) as released_at from payments p join payment_events e using (payment_no)
         where p.merchant_id = $1 and e.event = 'RELEASED' group by p.payment_no, p.created_at order by p.created_at`,
        [merchantId],
      );
      const released = rows.map(({ released_at: at }) => at.getTime());
      expect(released.length).toBeGreaterThan(0);
      expect(released).toEqual(released.toSorted((a, b) => a - b));
    }
  },
);
