// The scenes: what goes wrong in each, and which alerts must follow. Every failure is real: caused by the operator, by
// the merchant's server, by locks, by processes that die, or by a superuser who bypasses the gateway.
import { randomUUID } from 'node:crypto';
import { ACCOUNT as MPESA_ACCOUNT } from '../../server/src/connectors/mpesa-daraja/fake-gate.ts';
import { freeze } from '../../server/src/core/limits/freeze.ts';
import { changeAvailability } from '../../server/src/core/merchants/administer-merchants.ts';
import {
  changeCredentials,
  removeCredentials,
} from '../../server/src/core/operators/administer-operators.ts';
import { beginRecovery, endRecovery } from '../../server/src/core/recovery/recover.ts';
import { NUMBERING_LOCK } from '../../server/src/store/events/event-queue.ts';
import { nowOf } from '../../server/test/clocks.ts';
import { importFile, lineAbout } from '../../server/test/report-files.ts';
import { BY } from '../kit/settings.ts';
import { steal } from './stolen-token.ts';
import { until, type Party, type Scene, type Setup } from './setup.ts';

const MTN: Party = { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' };
const AIRTEL: Party = { provider: 'AIRTEL_RWA', phoneNumber: '250733456789' };
const FROZEN: Party = { ...AIRTEL, phoneNumber: '250733456780' };
/** Handled by a real connector. */
const ZAMBIAN: Party = { provider: 'MTN_MOMO_ZMB', phoneNumber: '260763456789', currency: 'ZMW' };
/** A payer whom the operator refuses. */
const REFUSED: Party = { ...MTN, phoneNumber: '250783456039' };

/** More than three times the payouts of the healthy hour. */
const SPIKE = 40;
/** More than a thousand. */
const GUESSES = 1_500;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The operator holds 10,000 of each account when the drill begins. */
export const FLOAT_MIN = 'AIRTEL_RWA/RWF=5000';

/** Successful payments with their callbacks: no alert may follow. */
export async function playHealthy(setup: Setup, count: number): Promise<void> {
  const parties = [MTN, AIRTEL];
  const payments = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      setup.pay(index % 3 === 0 ? 'payout' : 'deposit', parties[index % 2] ?? MTN),
    ),
  );
  for (const id of payments)
    await until('every payment is completed', async () => (await setup.stateOf(id)) === 'COMPLETED');
  await until('every callback is received', () => setup.endpoint.receivedCount >= count);
}

/** Wrong, but recent: each is normal for minutes or hours, so no alert may follow. Returns how to end it. */
export async function playYoung(setup: Setup): Promise<() => Promise<void>> {
  const { simulator, engine } = setup;
  // A failed deposit whose money the operator took anyway.
  simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
  const refused = await setup.pay('deposit', REFUSED);
  await until('the late success is a case', async () => (await countCases(setup)) === 1);
  if ((await setup.stateOf(refused)) !== 'FAILED') throw new Error('a failed deposit is final');
  // A merchant that repeats itself.
  await setup.repeat(refused, REFUSED);
  // A deposit for which the operator reports another amount.
  simulator.addFault({ type: 'WRONG_AMOUNT', amount: '90' });
  const differing = await setup.pay('deposit', MTN);
  await until(
    'a deposit is in reconciliation',
    async () => (await setup.stateOf(differing)) === 'IN_RECONCILIATION',
  );
  // A payout whose provider is down.
  const away = { by: BY, provider: MTN.provider, operation: 'PAYOUT' } as const;
  await changeAvailability(engine, { ...away, status: 'DELAYED' });
  await until('the workers know that it is delayed', async () => {
    const id = await setup.pay('payout', MTN);
    await until('a payout is decided', async () => (await setup.stateOf(id)) !== 'ACCEPTED');
    return (await setup.stateOf(id)) === 'ENQUEUED';
  });
  // A payout to a recipient that the platform has frozen.
  const target = { scope: 'NUMBER', phoneNumber: FROZEN.phoneNumber } as const;
  await freeze(engine, { by: BY, target, reason: 'drill', expiresAt: null });
  const frozen = await setup.pay('payout', FROZEN);
  await until('a payout is held', async () => (await setup.stateOf(frozen)) === 'ENQUEUED');
  // A deposit that the operator leaves open, with its row locked when it is to be asked about.
  simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
  const open = await setup.pay('deposit', MTN);
  await until('a deposit is at the operator', async () => (await setup.stateOf(open)) === 'PROCESSING');
  const release = await setup.hold(`select 1 from payments where payment_id = '${open}' for update`);
  // A merchant's server that is broken.
  await setup.endpoint.change('ERROR');
  const received = setup.endpoint.receivedCount;
  await setup.pay('deposit', MTN);
  await until('a callback was refused', () => setup.endpoint.receivedCount > received);
  return release;
}

async function countCases({ engine }: Setup): Promise<number> {
  const { rows } = await engine.store.database.query('select 1 from cases');
  return rows.length;
}

/** More than are held without an approval, in two files: most lines of one large file would be taken for wrong. */
async function reportReversals(setup: Setup): Promise<void> {
  for (const count of [11, 10]) {
    const deposits = await Promise.all(Array.from({ length: count }, () => setup.pay('deposit', MTN)));
    for (const id of deposits)
      await until('a deposit is completed', async () => (await setup.stateOf(id)) === 'COMPLETED');
    const lines = await Promise.all(deposits.map((id) => lineAbout(setup, id, { status: 'FAILED' })));
    await importFile(setup, lines);
  }
}

export const SCENES: readonly Scene[] = [
  {
    title: "a merchant's server stays broken for hours, and a row stays locked",
    play: async (setup) => {
      // Three consecutive failures make an endpoint queue failing.
      for (let tries = 0; tries < 3; tries += 1) {
        const received = setup.endpoint.receivedCount;
        await setup.moveClock(60 * MINUTE_MS);
        await until('the callback is tried again', () => setup.endpoint.receivedCount > received);
      }
    },
    fires: ['MalipoPaymentsOverdue', 'MalipoEndpointQueueDead'],
  },
  {
    title:
      'a month goes by and nothing is done about it, nor about reports that say deposits were taken back',
    play: async (setup) => {
      await reportReversals(setup);
      await setup.moveClock(31 * DAY_MS);
    },
    fires: [
      'MalipoReversalsUnheld',
      'MalipoSuspenseStanding',
      'MalipoClearingStanding',
      'MalipoCasesOpenLong',
      'MalipoDayNotClosed',
      'MalipoPaymentsInReconciliationLong',
      'MalipoPaymentsEnqueuedLong',
      'MalipoPaymentsHeldLong',
    ],
  },
  {
    title: 'a merchant sends out far more than ever before',
    play: async (setup) => {
      await Promise.all(Array.from({ length: SPIKE }, () => setup.pay('payout', AIRTEL)));
    },
    fires: ['MalipoPayoutSpike'],
  },
  {
    title: 'a stolen token tries to empty a wallet in every way the API has',
    play: steal,
    fires: ['MalipoLimitReached'],
    isUrgent: true,
  },
  {
    title: 'somebody guesses API tokens',
    play: async ({ ask }) => {
      for (let tried = 0; tried < GUESSES; tried += 50)
        await Promise.all(Array.from({ length: 50 }, () => ask('/v2/payouts', {}, 'guessed')));
    },
    fires: ['MalipoSignInsRefused'],
  },
  {
    title: 'somebody sends notifications in the name of an operator',
    play: async ({ ask }) => {
      const reference = `0001${'a'.repeat(28)}`;
      const path = `/operators/simulator/notifications/${reference}/guessed`;
      for (let sent = 0; sent < 30; sent += 1) await ask(path, { reference, status: 'COMPLETED' });
    },
    fires: ['MalipoNotificationsForged'],
  },
  {
    title: 'callbacks cannot be written, and the payments that they are about go on',
    play: async ({ engine, pay, tamper }) => {
      await tamper('alter table callbacks add constraint drill_refuses check (false) not valid');
      await pay('deposit', MTN);
      await until('a callback is missing', async () => {
        const { rows } = await engine.store.database.query('select 1 from missing_follow_ups');
        return rows.length > 0;
      });
      return () => tamper('alter table callbacks drop constraint drill_refuses');
    },
    fires: ['MalipoFollowUpMissing'],
  },
  {
    title: 'balances of this cell were posted to another one, which does not answer',
    play: async ({ engine, tamper }) => {
      const postedAt = new Date(nowOf(engine).getTime() - 60 * MINUTE_MS).toISOString();
      await tamper(
        `insert into cell_endings (ending_id, from_cell, to_cell, to_database, balances, posted_at)
         values (gen_random_uuid(), '0001', '0002', gen_random_uuid(), '{}', '${postedAt}')`,
      );
    },
    fires: ['MalipoBalancesInTransit'],
  },
  {
    title: 'payouts leave little of a float',
    play: async (setup) => {
      await setup.pay('payout', AIRTEL, '6000');
    },
    fires: ['MalipoFloatLow'],
  },
  {
    title: 'an operator says that we are not allowed to do what we do',
    play: async (setup) => {
      setup.mtn.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode: 'NOT_ALLOWED' });
      const barred = await setup.pay('deposit', ZAMBIAN);
      await until('the deposit has failed', async () => (await setup.stateOf(barred)) === 'FAILED');
    },
    fires: ['MalipoOperatorComplains'],
  },
  {
    title:
      'deliverers cannot take endpoint queues, because a session has locked them, and one was disabled meanwhile',
    play: async (setup) => {
      const received = setup.endpoint.receivedCount;
      await setup.pay('deposit', MTN);
      await until('a callback was refused', () => setup.endpoint.receivedCount > received);
      // Locked first: otherwise the deliverer would give up the callbacks of a disabled address.
      const release = await setup.hold('lock table endpoint_queues in exclusive mode');
      await setup.tamper(`update callback_endpoints set disabled_at = created_at where kind = 'DEPOSIT'`);
      await setup.moveClock(60 * MINUTE_MS);
      return release;
    },
    fires: ['MalipoCallbacksOverdue', 'MalipoEndpointQueueDisabled'],
  },
  {
    title: 'no worker can chain the audit log or number events, because another session holds the locks',
    play: async ({ engine, hold, moveClock, pay }) => {
      const locks = `select 1 from audit_chain_head for update; select pg_advisory_xact_lock(${NUMBERING_LOCK})`;
      const release = await hold(locks);
      await pay('deposit', MTN);
      const payouts = { by: BY, provider: AIRTEL.provider, operation: 'PAYOUT' } as const;
      await changeAvailability(engine, { ...payouts, status: 'CLOSED' });
      await moveClock(11 * MINUTE_MS);
      return release;
    },
    fires: ['MalipoAuditUnchained', 'MalipoEventFeedLate'],
  },
  {
    title:
      'a restored database whose recovery is not ended, and an operator that no longer reports its balance',
    play: async ({ engine, moveClock, simulator }) => {
      const by = BY;
      simulator.addFault({ type: 'ERROR', step: 'balance', httpStatus: 503, times: 1_000_000 });
      await beginRecovery(engine, { by, lostFrom: nowOf(engine) });
      await moveClock(3 * DAY_MS + MINUTE_MS);
      return async () => void (await endRecovery(engine, { by, provider: null, unasked: true }));
    },
    fires: ['MalipoFloatUnknown', 'MalipoRecoveryOpenLong'],
  },
  {
    title:
      'lines of a report wait, nobody is asked to approve them, and somebody who died has the files in use',
    play: async ({ moveClock, tamper }) => {
      const owner = randomUUID();
      await tamper(`insert into file_leases (provider, owner, by_name, since, until)
          select '${MTN.provider}', '${owner}', '${BY}', time_of_writing(), time_of_writing() + interval '1 year'
          on conflict (provider) do update set owner = excluded.owner, until = excluded.until;
        delete from approvals where kind = 'OPERATOR_REPORT' and status = 'PENDING'`);
      await moveClock(11 * MINUTE_MS);
      return () => tamper(`delete from file_leases where owner = '${owner}'`);
    },
    fires: ['MalipoReportsUnrequested'],
  },
  {
    title: "the clock of one worker's machine is 65 s behind",
    play: async ({ workers: [worker] }) => {
      worker?.child.signal('SIGUSR2');
      return async () => worker?.child.signal('SIGUSR2');
    },
    fires: ['MalipoClockDiffers'],
  },
  {
    title: 'the sums of the ledger went two hours ahead with a clock that is right again',
    play: async ({ tamper }) => {
      const nobody = randomUUID();
      await tamper(`insert into ledger_progress (merchant_id, summed_until)
        values ('${nobody}', time_of_writing() + interval '2 hours')`);
      return () => tamper(`delete from ledger_progress where merchant_id = '${nobody}'`);
    },
    fires: ['MalipoTimeAhead'],
  },
  {
    title: "the password of M-Pesa's initiator was set 80 days ago",
    play: async ({ engine, tamper }) => {
      const account = { by: BY, connector: 'mpesa-daraja', account: 'MPESA_KEN', product: 'default' };
      await changeCredentials(engine, { ...account, values: MPESA_ACCOUNT });
      await tamper(`update operator_credentials set secret_changed_at = set_at - interval '80 days'
        where connector = 'mpesa-daraja'`);
      return async () => void (await removeCredentials(engine, account));
    },
    fires: ['MalipoOperatorSecretExpires'],
  },
  {
    title: 'the key service is out of reach',
    play: async ({ keyService }) => {
      await keyService.goAway();
      return keyService.comeBack;
    },
    fires: ['MalipoKeyServiceAway'],
  },
  {
    title: 'the key service denies the keys',
    play: async ({ keyService }) => {
      keyService.deny();
      return async () => {
        keyService.allow();
        const wasGranted = () => keyService.requests.at(-1)?.endsWith('decrypt/malipo 200') === true;
        await until('the worker has its keys again', wasGranted);
      };
    },
    fires: ['MalipoEncryptionKeysMissing'],
  },
  {
    title: 'the login at the key service is refused, and the token will end',
    play: async ({ keyService }) => {
      keyService.setTerms({ ttlSeconds: 15, isRenewable: false });
      keyService.revokeTokens();
      const logins = () => keyService.requests.filter((one) => one.endsWith('login 200')).length;
      const before = logins();
      await until('the worker has logged in again', () => logins() > before);
      keyService.refuseLogins();
      return async () => keyService.acceptLogins();
    },
    fires: ['MalipoKeyServiceTokenNotRenewed'],
  },
  {
    title: 'a superuser changes the books and a payment, with triggers and constraints off',
    play: async ({ tamper }) => {
      await tamper(`update wallets set posted = posted + 1
        where account_id = (select account_id from wallets order by posted desc limit 1)`);
      await tamper(`update transfers set credit_account_id =
          (select account_id from accounts where type = 'CLEARING' and currency = 'ZMW' limit 1)
        where debit_account_id =
          (select account_id from accounts where type = 'CLEARING' and currency = 'KES' limit 1)`);
      await tamper(`alter table wallets drop constraint wallets_available_not_negative;
        update wallets set held = posted + 1
        where account_id = (select account_id from wallets order by posted limit 1)`);
      await tamper(`alter table payments drop constraint payments_open_has_next_action;
        update payments set next_action = null, next_action_at = null where state = 'IN_RECONCILIATION'`);
    },
    fires: [
      'MalipoWalletsUnbalanced',
      'MalipoCurrenciesUnbalanced',
      'MalipoWalletsOverdrawn',
      'MalipoPaymentsWithoutStep',
    ],
  },
  {
    title: 'nothing can be measured, because another session has locked a table',
    play: ({ hold }) => hold('lock table cases in access exclusive mode'),
    fires: ['MalipoMonitorStale'],
  },
  {
    title: 'every worker is killed',
    play: async ({ workers }) => {
      await Promise.all(workers.map((worker) => worker.child.end()));
    },
    fires: ['MalipoMonitorAbsent'],
  },
];
