// What goes wrong, scene by scene, and which alerts must follow from it. Each thing is brought about for real: by the
// operator, by the merchant's server, by locks, by processes that die, or by a superuser who steps around the gateway.
import { ACCOUNT as MPESA_ACCOUNT } from '../../server/src/connectors/mpesa-daraja/fake-gate.ts';
import { changeAvailability } from '../../server/src/core/merchants/administer-merchants.ts';
import {
  changeCredentials,
  removeCredentials,
} from '../../server/src/core/operators/administer-operators.ts';
import { beginRecovery, endRecovery } from '../../server/src/core/recovery/recover.ts';
import { until, type Party, type Stage } from './setup.ts';

export type Scene = {
  readonly title: string;
  readonly play: (stage: Stage) => Promise<void | (() => Promise<void>)>;
  readonly fires: readonly string[];
};

const MTN: Party = { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' };
const AIRTEL: Party = { provider: 'AIRTEL_RWA', phoneNumber: '250733456789' };
/** Carried by a real connector. */
const ZAMBIAN: Party = { provider: 'MTN_MOMO_ZMB', phoneNumber: '260763456789', currency: 'ZMW' };
/** A payer whom the operator refuses. */
const REFUSED: Party = { ...MTN, phoneNumber: '250783456039' };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The operator holds 10,000 of each account when the proof begins. */
export const FLOAT_MIN = 'AIRTEL_RWA/RWF=5000';

/** Payments that end well, and their callbacks; nothing here is worth an alert. */
export async function playHealthy(stage: Stage, count: number): Promise<void> {
  const parties = [MTN, AIRTEL];
  const payments = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      stage.pay(index % 3 === 0 ? 'payout' : 'deposit', parties[index % 2] ?? MTN),
    ),
  );
  for (const id of payments)
    await until('every payment is completed', async () => (await stage.stateOf(id)) === 'COMPLETED');
  await until('every callback is received', () => stage.callbacksReceived() >= count);
}

/** Wrong, but young: each is normal for minutes or hours, and no one need be told. Answers how to end it. */
export async function playYoung(stage: Stage): Promise<() => Promise<void>> {
  const { simulator, engine } = stage;
  // A failed deposit that the operator took the money of after all.
  simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
  const refused = await stage.pay('deposit', REFUSED);
  await until('the late success is a case', async () => (await countCases(stage)) === 1);
  if ((await stage.stateOf(refused)) !== 'FAILED') throw new Error('a failed deposit is final');
  // A deposit of which the operator says that it was another amount.
  simulator.addFault({ type: 'WRONG_AMOUNT', amount: '90' });
  const differing = await stage.pay('deposit', MTN);
  await until(
    'a deposit is in reconciliation',
    async () => (await stage.stateOf(differing)) === 'IN_RECONCILIATION',
  );
  // A payout whose provider is away.
  const away = { by: 'proof', provider: MTN.provider, operation: 'PAYOUT' } as const;
  await changeAvailability(engine, { ...away, status: 'DELAYED' });
  await until('the workers know that it is away', async () => {
    const id = await stage.pay('payout', MTN);
    await until('a payout is decided', async () => (await stage.stateOf(id)) !== 'ACCEPTED');
    return (await stage.stateOf(id)) === 'ENQUEUED';
  });
  // A deposit that the operator leaves open, and whose row somebody has locked when it is to be asked about.
  simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
  const open = await stage.pay('deposit', MTN);
  await until('a deposit is at the operator', async () => (await stage.stateOf(open)) === 'PROCESSING');
  const releaseNow = await stage.hold(`select 1 from payments where payment_id = '${open}' for update`);
  // A merchant's server that is broken.
  stage.answerCallbacksWith(500);
  const received = stage.callbacksReceived();
  await stage.pay('deposit', MTN);
  await until('a callback was refused', () => stage.callbacksReceived() > received);
  return releaseNow;
}

async function countCases({ engine }: Stage): Promise<number> {
  const { rows } = await engine.store.database.query('select 1 from cases');
  return rows.length;
}

export const SCENES: readonly Scene[] = [
  {
    title: "a merchant's server stays broken for hours, and a row stays locked",
    play: async (stage) => {
      // Three failures in a row make an endpoint queue a dead one.
      for (let tries = 0; tries < 3; tries += 1) {
        const received = stage.callbacksReceived();
        await stage.moveClock(60 * MINUTE_MS);
        await until('the callback is tried again', () => stage.callbacksReceived() > received);
      }
    },
    fires: ['MalipoPaymentsOverdue', 'MalipoEndpointQueueDead'],
  },
  {
    title: 'a month goes by and no one does anything about it',
    play: (stage) => stage.moveClock(31 * DAY_MS),
    fires: [
      'MalipoSuspenseStanding',
      'MalipoClearingStanding',
      'MalipoCasesOpenLong',
      'MalipoPaymentsInReconciliationLong',
      'MalipoPaymentsEnqueuedLong',
    ],
  },
  {
    title: 'payouts leave little of a float',
    play: async (stage) => {
      await stage.pay('payout', AIRTEL, '6000');
    },
    fires: ['MalipoFloatLow'],
  },
  {
    title: 'an operator says that we are not allowed to do what we do',
    play: async (stage) => {
      stage.mtn.addFault({ type: 'OUTCOME', status: 'FAILED', failureCode: 'NOT_ALLOWED' });
      const barred = await stage.pay('deposit', ZAMBIAN);
      await until('the deposit has failed', async () => (await stage.stateOf(barred)) === 'FAILED');
    },
    fires: ['MalipoOperatorComplains'],
  },
  {
    title:
      'deliverers cannot take endpoint queues, because somebody has locked them, and one was switched off meanwhile',
    play: async (stage) => {
      const received = stage.callbacksReceived();
      await stage.pay('deposit', MTN);
      await until('a callback was refused', () => stage.callbacksReceived() > received);
      // Locked first: a deliverer would give up what waits for an address that is switched off.
      const releaseNow = await stage.hold('lock table endpoint_queues in exclusive mode');
      await stage.tamper(`update callback_endpoints set disabled_at = created_at where kind = 'DEPOSIT'`);
      await stage.moveClock(60 * MINUTE_MS);
      return releaseNow;
    },
    fires: ['MalipoCallbacksOverdue', 'MalipoEndpointQueueDisabled'],
  },
  {
    title: 'a restored database whose recovery no one ends, and an operator that tells its balance no more',
    play: async ({ engine, moveClock, simulator }) => {
      const by = 'proof';
      simulator.addFault({ type: 'ERROR', step: 'balance', httpStatus: 503, times: 1_000_000 });
      await beginRecovery(engine, { by, lostFrom: engine.clock.now() });
      await moveClock(3 * DAY_MS + MINUTE_MS);
      return async () => void (await endRecovery(engine, { by, provider: null, unasked: true }));
    },
    fires: ['MalipoFloatUnknown', 'MalipoRecoveryOpenLong'],
  },
  {
    title: "the clock of one worker's machine is 65 s behind",
    play: async ({ workers: [worker] }) => {
      worker?.signal();
      return async () => worker?.signal();
    },
    fires: ['MalipoClockDiffers'],
  },
  {
    title: "the password of M-Pesa's initiator was set 80 days ago",
    play: async ({ engine, tamper }) => {
      const account = { by: 'proof', connector: 'mpesa-daraja', account: 'MPESA_KEN', product: 'default' };
      await changeCredentials(engine, { ...account, values: MPESA_ACCOUNT });
      await tamper(`update operator_credentials set secret_changed_at = set_at - interval '80 days'
        where connector = 'mpesa-daraja'`);
      return async () => void (await removeCredentials(engine, account));
    },
    fires: ['MalipoOperatorSecretExpires'],
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
    title: 'nothing can be measured, because somebody has locked a table',
    play: ({ hold }) => hold('lock table cases in access exclusive mode'),
    fires: ['MalipoMonitorStale'],
  },
  {
    title: 'every worker is killed',
    play: async ({ workers }) => {
      await Promise.all(workers.map((worker) => worker.kill()));
    },
    fires: ['MalipoMonitorAbsent'],
  },
];
