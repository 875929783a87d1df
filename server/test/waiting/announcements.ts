// What the gateway has to tell, or was told: callbacks and their endpoints, notices by mail, events, messages of
// operators, and entries of the audit log that are not in the chain.
import { randomUUID } from 'node:crypto';
import { record } from '../../src/core/audit.ts';
import { storeNotifications } from '../../src/core/payments/notifications/notify.ts';
import { sweep } from '../../src/core/payments/notifications/sweep.ts';
import { makeNextStatement } from '../../src/core/statements/statement-queue.ts';
import { changeContact } from '../../src/core/merchants/administer-callbacks.ts';
import { SIGNATURE_HEADER, signatureOf } from '../../src/sandbox/simulator/signature.ts';
import { disableEndpoint, type SwitchedOffBecause } from '../../src/store/callbacks/endpoint-queues.ts';
import { insertNotice } from '../../src/store/callbacks/notices.ts';
import { insertPersonNotices } from '../../src/store/merchants/person-notices.ts';
import { createPeopleMailRound } from '../../src/jobs/callbacks/mail-people.ts';
import { Mailer } from '../../src/callbacks/mail.ts';
import { checkoutRequest } from '../checkouts.ts';
import { nowOf } from '../clocks.ts';
import { at } from '../console/asked.ts';
import { call, select, SIMULATOR_CLIENT } from '../gateway.ts';
import { topUp } from '../payments.ts';
import { startMailServer } from '../mail-server.ts';
import { today } from './report-files.ts';
import type { Way, Ways } from './ways.ts';
import {
  acceptPayment,
  act,
  completed,
  FAILED,
  happen,
  startWorkerUntil,
  startWorkerUntilNone,
  type World,
} from './world.ts';

const fail = (error: unknown): never => {
  throw error;
};

/** A payout that has ended, so that a callback about it is to be sent. */
async function endPayout(world: World): Promise<void> {
  const key = await acceptPayment(world);
  await happen(world, key, { type: 'SUBMIT_CLAIMED' }, completed());
}

/** The merchant sets where callbacks about payouts are sent, which enables the endpoint too. */
const setAddress = ({ gateway, owner }: World, url: string) =>
  act(owner, 'PUT', at(gateway, 'callbacks'), { kinds: ['PAYOUT'], url });

const PENDING = `select 1 from callbacks where status = 'PENDING'`;

/** Long enough for every pause of an endpoint, and shorter than it takes to disable it. */
const PAUSE_MS = 3_600_000;

/** A callback that was attempted, and that no server takes. */
async function failCallback(world: World): Promise<void> {
  world.gateway.receiver.answerWith({ status: 500 });
  await endPayout(world);
  const attempted = 'select 1 from endpoint_queues where failing_since is not null';
  await startWorkerUntil(world, async () => (await select(world.gateway, attempted)).length > 0);
}

/** The merchant corrects its server, and sets its address again, so that nothing is held against it. */
async function correctServer(world: World): Promise<void> {
  world.gateway.receiver.answerWith({ status: 200 });
  await setAddress(world, `${world.gateway.receiver.url}?again=${randomUUID()}`);
  await world.gateway.gateway.movableClock!.move(PAUSE_MS);
  await startWorkerUntilNone(world, PENDING);
}

const disabled = (because: SwitchedOffBecause): Way<World> => ({
  make: async (world) => {
    const { gateway, owner } = world;
    const { database } = gateway.engine.store;
    const text = `select endpoint_id, url from callback_endpoints where kind = 'PAYOUT' and merchant_id = $1`;
    const [row] = await select(gateway, text, [gateway.merchantId]);
    const endpoint = { endpointId: row?.['endpoint_id'], url: row?.['url'] };
    await disableEndpoint(database, { ...endpoint, because, now: nowOf(gateway.engine) });
    return () => act(owner, 'POST', at(gateway, 'callbacks/PAYOUT/enable'));
  },
});

/** What an operator signed about a reference, stored and not applied yet. */
async function storeMessage({ gateway: { engine } }: World, reference: string): Promise<string> {
  const connector = engine.connectors.get('simulator')!;
  const moved = { amount: '100', currency: 'RWF', phoneNumber: '250783456789' };
  const paid = { reference, status: 'SUCCESSFUL', transactionId: randomUUID(), ...moved };
  const body = Buffer.from(JSON.stringify(paid));
  const secret = SIMULATOR_CLIENT.notificationSecret;
  const signature = signatureOf(body, { secret, at: nowOf(engine) });
  await storeNotifications(engine, [{ connector, body, headers: { [SIGNATURE_HEADER]: signature } }]);
  const text = 'select notification_id from operator_notifications where reference = $1';
  return (await select({ engine }, text, [reference]))[0]?.['notification_id'];
}

/** Something of this sort happened, and a worker numbers it. */
const queued = (
  type: 'P' | 'M' | 'S' | 'C' | 'T',
  happening: (world: World) => Promise<unknown>,
): Way<World> => ({
  make: async (world) => {
    await happening(world);
    return () => startWorkerUntilNone(world, `select 1 from event_queue where type = '${type}'`);
  },
});

async function failSplit(world: World): Promise<void> {
  const { gateway } = world;
  const splitPaymentId = randomUUID();
  const payer = { type: 'MMO', accountDetails: { phoneNumber: '250783456789', provider: 'MTN_MOMO_RWA' } };
  const splits = [{ payoutId: randomUUID(), amount: '60', recipient: payer }];
  const split = { splitPaymentId, amount: '100', currency: 'RWF', payer, splits };
  await call(gateway, 'POST', '/v2/split-payments', split);
  const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: splitPaymentId } as const;
  await happen(world, key, { type: 'SUBMIT_CLAIMED' }, FAILED);
}

async function expireCheckout({ gateway }: World): Promise<void> {
  const amounts = [{ country: 'RWA', currency: 'RWF', amount: '100' }];
  const { body } = await call(gateway, 'POST', '/v2/checkouts', checkoutRequest({ amounts }));
  await call(gateway, 'POST', `/v2/checkouts/${body['checkoutId']}/expire`);
}

async function endStatement({ gateway, finance }: World): Promise<void> {
  const day = today(gateway);
  const wallet = { country: 'RWA', currency: 'RWF' };
  const order = { wallet, from: day, to: day, isCompressed: false };
  await act(finance, 'POST', at(gateway, 'statements'), order);
  await gateway.gateway.movableClock!.move(60_000);
  await makeNextStatement(gateway.engine, {
    make: async ({ makingNo }) => ({ makingNo, fileBytes: 0, rowCount: 0 }),
    isStopping: () => false,
  });
}

export const ANNOUNCEMENT_WAYS: Ways<World> = {
  'callbacks.status PENDING': {
    make: async (world) => {
      await failCallback(world);
      return () => correctServer(world);
    },
  },
  'endpoint_queues.failing_since set': {
    make: async (world) => {
      await failCallback(world);
      return () => correctServer(world);
    },
  },
  'callback_endpoints.disabled_because GONE': disabled('GONE'),
  'callback_endpoints.disabled_because FAILING': disabled('FAILING'),
  'merchant_notices.mail_due_at set': {
    make: async (world) => {
      const { engine, merchantId } = world.gateway;
      const mailServer = await startMailServer();
      await changeContact(engine, { by: 'Ana', merchantId, email: 'it@shop.example' });
      const notice = { merchantId, noticedAt: nowOf(engine), topic: 'CALLBACKS_SWITCHED_OFF' } as const;
      const detail = { kind: 'PAYOUT', host: 'shop.example', because: 'GONE' };
      await insertNotice(engine.store.database, { ...notice, detail });
      return async () => {
        const mail = { smtpUrl: mailServer.smtpUrl, from: 'malipo@example.com' };
        const due = 'select 1 from merchant_notices where mail_due_at is not null';
        await startWorkerUntilNone(world, due, { mail, publicUrl: world.gateway.url });
        await mailServer.stop();
      };
    },
  },
  'person_notices.mail_due_at set': {
    make: async ({ gateway, owner }) => {
      const { engine, merchantId } = gateway;
      const mailServer = await startMailServer();
      const detail = { name: 'till', days: '3', expiresAt: nowOf(engine).toISOString() };
      const notice = {
        personId: owner.personId,
        merchantId,
        topic: 'TOKEN_EXPIRES',
        subject: 'till 3',
      } as const;
      await insertPersonNotices(engine.store.database, [{ ...notice, detail }], nowOf(engine));
      return async () => {
        const mailer = new Mailer({ smtpUrl: mailServer.smtpUrl, from: 'malipo@example.com' });
        const round = createPeopleMailRound(engine, { mailer, gateway: 'Malipo', publicUrl: gateway.url });
        await round({ onError: fail, run: () => undefined, isStopping: () => false });
        mailer.close();
        await mailServer.stop();
      };
    },
  },
  'operator_notifications.applied_at null': {
    make: async (world) => {
      const key = await acceptPayment(world);
      await happen(world, key, { type: 'SUBMIT_CLAIMED' });
      const text = 'select reference from payment_attempts where payment_id = $1';
      const [row] = await select(world.gateway, text, [key.paymentId]);
      await storeMessage(world, row?.['reference']);
      return async () => {
        await world.gateway.gateway.movableClock!.move(60_000);
        await startWorkerUntilNone(world, 'select 1 from operator_notifications where applied_at is null');
      };
    },
  },
  'operator_notifications.unmatched_at set': {
    make: async (world) => {
      const notificationId = await storeMessage(world, randomUUID().replaceAll('-', ''));
      await sweep(world.gateway.engine, { overdueAfterMs: 0, countMax: 10, onError: fail });
      return () => act(world.ana, 'POST', `api/host/unmatched-notifications/${notificationId}/dismiss`);
    },
  },
  'event_queue.type P': queued('P', endPayout),
  'event_queue.type M': queued('M', ({ gateway }) => topUp(gateway, gateway.merchantId, '1')),
  'event_queue.type S': queued('S', failSplit),
  'event_queue.type C': queued('C', expireCheckout),
  'event_queue.type T': queued('T', endStatement),
  'audit_unchained row': {
    make: async (world) => {
      const { engine } = world.gateway;
      const entry = {
        by: 'Ana',
        act: 'NOTIFICATION_DISMISSED',
        merchantId: null,
        subject: 'any',
        detail: {},
      } as const;
      await record(engine, engine.store.database, [entry]);
      return () => startWorkerUntilNone(world, 'select 1 from audit_unchained');
    },
  },
};
