// What happens around single deliveries: the same bytes every time, answers kept, endpoints switched off and on, mails.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeContact, enableCallbacks } from '../src/core/merchants/administer-callbacks.ts';
import { insertCallbacks } from '../src/store/callbacks/callbacks.ts';
import { setCallbackEndpoint } from '../src/store/merchants/merchants.ts';
import { Keyring } from '../src/store/encryption/encryption.ts';
import { nowOf } from './clocks.ts';
import { runCommandHere } from './command-process.ts';
import {
  call,
  eventually,
  initiate,
  numberOf,
  openTestGateway,
  select,
  TEST_KEYS,
  waitForStatus,
  type TestGateway,
} from './gateway.ts';
import { serverEnvironment } from './server-process.ts';
import { addMerchant } from './store/open-store.ts';

type Mail = { readonly to: readonly string[]; readonly text: string };

let gateway: TestGateway;
let mails: Mail[];
let mailServer: SMTPServer;

beforeEach(async () => {
  mails = [];
  mailServer = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, text: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', () => resolve()));
  const { port } = mailServer.server.address() as AddressInfo;
  gateway = await openTestGateway({
    mail: { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'gateway@malipo.example' },
  });
});
afterEach(async () => {
  await gateway.stop();
  await new Promise<void>((resolve) => mailServer.close(() => resolve()));
});

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const made = () => gateway.receiver.received.length;

/** Attempts that are recorded, and endpoint queues that are held. */
const progress = async () => {
  const counts = `select (select count(*)::int from callback_attempts) as written,
    (select count(*)::int from endpoint_queues where leased_until > $1) as held`;
  return (await select(gateway, counts, [nowOf(gateway.engine)]))[0];
};

/** Moves the time forward until there were as many attempts; the delay to the next one begins when one is over. */
async function attempts(count: number, stepMs: number): Promise<void> {
  while (made() < count) {
    const before = made();
    await eventually(progress).toEqual({ written: before, held: 0 });
    await gateway.gateway.movableClock!.move(stepMs);
    await eventually(made).toBeGreaterThan(before);
  }
}

async function did(command: string, ...args: readonly string[]): Promise<string> {
  const environment = { ...serverEnvironment(gateway), MALIPO_MOVABLE_CLOCK: 'on' };
  const { output, errors } = await runCommandHere(environment, [
    ...command.split(' '),
    '--merchant',
    gateway.merchantId,
    ...args,
  ]);
  expect(errors).toBe('');
  return output;
}

const statusesOf = async (depositId: string) =>
  (
    await select(gateway, 'select status from callbacks where payment_id = $1 order by created_at', [
      depositId,
    ])
  ).map(({ status }) => status);

describe('one event', () => {
  test('one event has the same identifier and the same bytes on every attempt and every repetition', async () => {
    gateway.receiver.answerWith({ status: 500 });
    const depositId = await initiate(gateway, { metadata: [{ order: 'A1' }] });
    await eventually(() => gateway.receiver.received.length).toBe(1);
    // Even if the record came to be rendered in another way meanwhile.
    await select(gateway, `update payments set provider_transaction_id = 'another' where payment_id = $1`, [
      depositId,
    ]);
    await attempts(3, 10 * MINUTE_MS);
    gateway.receiver.answerWith({ status: 200 });
    await attempts(4, 10 * MINUTE_MS);
    await eventually(() => statusesOf(depositId)).toEqual(['DELIVERED']);
    await call(gateway, 'POST', `/v2/deposits/resend-callback/${depositId}`);
    await eventually(() => gateway.receiver.received.length).toBe(5);
    const { received } = gateway.receiver;
    expect(new Set(received.map(({ text }) => text)).size).toBe(1);
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(1);
    expect(received[0]!.eventId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test('one event has an identifier that no other event has', async () => {
    await Promise.all([initiate(gateway), initiate(gateway)]);
    await eventually(() => gateway.receiver.received.length).toBe(2);
    expect(new Set(gateway.receiver.received.map(({ eventId }) => eventId)).size).toBe(2);
  });
});

describe('an attempt', () => {
  test('an attempt is kept with the beginning of the answer, encrypted, and anyone who reads it is recorded', async () => {
    gateway.receiver.answerWith({ status: 422, body: `no such customer: Zawadi ${'x'.repeat(2_000)}` });
    const depositId = await initiate(gateway);
    await eventually(async () => (await select(gateway, 'select 1 from callback_attempts')).length).toBe(1);
    const [row] = await select(gateway, 'select * from callback_attempts');
    expect(row).toMatchObject({ attempt_no: 1, http_status: 422, error_code: null });
    expect(row!['encrypted_answer'].toString('latin1')).not.toContain('Zawadi');
    const listed = await did('callback list', '--payment', depositId);
    expect(listed).toContain('DEPOSIT');
    expect(listed).not.toContain('Zawadi');
    const shown = await did('callback show', '--callback', row!['callback_id'], '--by', 'Ana');
    expect(shown).toContain(`"no such customer: Zawadi ${'x'.repeat(487)}"`);
    expect(shown).toContain(`body\t${gateway.receiver.received[0]!.text}`);
    expect(await did('audit list', '--limit', '1')).toContain(`Ana\tCALLBACK_READ\t${gateway.merchantId}`);
  });

  test('an attempt is not made for an address that may not be connected to, and says why', async () => {
    await select(gateway, `update callback_endpoints set url = 'http://[::ffff:10.0.0.1]:9/'`);
    await initiate(gateway);
    const errors = () => select(gateway, 'select http_status, error_code from callback_attempts');
    await eventually(errors).toEqual([{ http_status: null, error_code: 'FORBIDDEN_ADDRESS' }]);
  });
});

describe('one callback that cannot be sent', () => {
  test('because its body cannot be read is counted and put off, and the endpoint queue goes on with the others', async () => {
    gateway.receiver.answerWith({ status: 500 });
    const broken = await initiate(gateway);
    await eventually(async () => (await select(gateway, 'select 1 from callback_attempts')).length).toBe(1);
    await select(gateway, `update callbacks set encrypted_body = '\\x0102' where payment_id = $1`, [broken]);
    gateway.receiver.answerWith({ status: 200 });
    await gateway.gateway.movableClock!.move(10 * MINUTE_MS);
    const errors = () =>
      select(
        gateway,
        'select error_code from callback_attempts where attempt_no = 2 and http_status is null',
      );
    await eventually(errors).toEqual([{ error_code: 'UNREADABLE' }]);
    const sound = await initiate(gateway);
    await eventually(() => statusesOf(sound)).toEqual(['DELIVERED']);
    expect(await statusesOf(broken)).toEqual(['PENDING']);
    const failures = () => select(gateway, 'select distinct failure_count from endpoint_queues');
    await eventually(failures).toEqual([{ failure_count: 0 }]);
  });

  test('because its merchant has no readable key costs no one else a delivery', async () => {
    const { database } = gateway.engine.store;
    const depositId = await initiate(gateway);
    await eventually(() => statusesOf(depositId)).toEqual(['DELIVERED']);
    const foreign = new Keyring({ ...TEST_KEYS, encryptionKeys: [{ id: 1, key: Buffer.alloc(32, 9) }] });
    const endpointId = randomUUID();
    const merchantId = await addMerchant({ database, keyring: foreign });
    const now = nowOf(gateway.engine);
    const { url } = gateway.receiver;
    await setCallbackEndpoint(database, { endpointId, merchantId, kind: 'DEPOSIT', url, now });
    const announced = { kind: 'DEPOSIT', announcedState: 'COMPLETED', createdAt: now } as const;
    // Both are due with one commit, so that one round leases both endpoint queues.
    await insertCallbacks(database, [
      { ...announced, merchantId, paymentId: randomUUID(), subjectId: randomUUID() },
      {
        ...announced,
        merchantId: gateway.merchantId,
        paymentId: depositId,
        subjectId: await numberOf(gateway, depositId),
      },
    ]);
    await eventually(() => statusesOf(depositId)).toEqual(['DELIVERED', 'DELIVERED']);
    const pause = () =>
      select(
        gateway,
        `select extract(epoch from paused_until - leased_until)::int as seconds from endpoint_queues
         where endpoint_id = $1`,
        [endpointId],
      );
    await eventually(pause).toEqual([{ seconds: 5 }]);
  });
});

describe('an endpoint that asks for time', () => {
  test('an endpoint that asks for time gets nothing at all until then', async () => {
    gateway.receiver.answerWith({ status: 503, headers: { 'retry-after': '600' } });
    await initiate(gateway);
    await eventually(() => gateway.receiver.received.length).toBe(1);
    gateway.receiver.answerWith({ status: 200 });
    await eventually(progress).toEqual({ written: 1, held: 0 });
    const second = await initiate(gateway);
    await waitForStatus(gateway, second, 'COMPLETED');
    await gateway.gateway.movableClock!.move(9 * MINUTE_MS);
    expect(await statusesOf(second)).toEqual(['PENDING']);
    expect(gateway.receiver.received).toHaveLength(1);
    await gateway.gateway.movableClock!.move(2 * MINUTE_MS);
    await eventually(() => gateway.receiver.received.length).toBe(3);
  });
});

describe('an endpoint that acknowledges nothing for days', () => {
  test('an endpoint that acknowledges nothing for days is switched off with a notice and a mail, and after it is fixed gets what it missed', async () => {
    const { engine, merchantId } = gateway;
    await changeContact(engine, { by: 'Ana', merchantId, email: 'ana@shop.example' });
    gateway.receiver.answerWith({ status: 500 });
    const from = nowOf(engine);
    const givenUp = await initiate(gateway);
    await attempts(7, 8 * MINUTE_MS);
    await attempts(9, 25 * 60 * MINUTE_MS);
    expect(await select(gateway, 'select 1 from merchant_notices')).toEqual([]);
    await attempts(10, DAY_MS * 1.5);
    await eventually(() => statusesOf(givenUp)).toEqual(['ABANDONED']);
    // Anyone who switches it on again finds nothing held against it.
    await eventually(() => select(gateway, 'select 1 from endpoint_queues where failure_count > 0')).toEqual(
      [],
    );

    const notices = await did('notice list');
    expect(notices).toContain('CALLBACKS_SWITCHED_OFF');
    expect(notices).toContain('"because":"FAILING"');
    await eventually(() => mails.map(({ to }) => to)).toEqual([['ana@shop.example']]);
    expect(mails[0]!.text).toContain('From: gateway@malipo.example');
    expect(mails[0]!.text).toMatch(/Subject: =\?UTF-8\?Q\?Callbacks_to_127=2E0=2E0=2E1/);
    await eventually(() => did('notice list')).toContain('\tmailed ');

    const missed = await initiate(gateway);
    await waitForStatus(gateway, missed, 'COMPLETED');
    expect(await statusesOf(missed)).toEqual([]);

    gateway.receiver.answerWith({ status: 200 });
    expect(await did('callback-url enable', '--by', 'Ana')).toBe('enabled DEPOSIT');
    expect(await enableCallbacks(engine, { by: 'Ana', merchantId, kinds: ['DEPOSIT'] })).toEqual([]);
    const to = new Date(nowOf(engine).getTime() + MINUTE_MS);
    const span = ['--from', from.toISOString(), '--to', to.toISOString(), '--by', 'Ana'];
    expect(await did('callback replay', ...span)).toBe('2 callbacks will be sent again');
    await eventually(() => gateway.receiver.received.length).toBe(12);
    const { received } = gateway.receiver;
    const again = received.slice(10).find(({ body }) => body['depositId'] === givenUp);
    expect([again?.text, again?.eventId]).toEqual([received[0]!.text, received[0]!.eventId]);
    await eventually(() => statusesOf(missed)).toEqual(['DELIVERED']);
    expect(await did('callback replay', ...span)).toBe('0 callbacks will be sent again');
    expect(await did('callback replay', ...span, '--status', 'DELIVERED', '--kind', 'PAYOUT')).toMatch(/^0 /);
    expect(await did('callback replay', ...span, '--status', 'all')).toMatch(/^2 /);
  });

  test('an endpoint that acknowledges nothing for days is switched off while others write what waits for it, and even then gets none of it', async () => {
    const { database } = gateway.engine.store;
    const { merchantId } = gateway;
    const waiting = randomUUID();
    const createdAt = new Date(nowOf(gateway.engine).getTime() + DAY_MS);
    await insertCallbacks(database, [
      {
        merchantId,
        kind: 'DEPOSIT',
        paymentId: waiting,
        subjectId: waiting,
        announcedState: 'COMPLETED',
        createdAt,
      },
    ]);
    const isOff = () =>
      select(gateway, `select disabled_because from callback_endpoints where disabled_at is not null`);
    const writer = await database.connect();
    try {
      await writer.query('begin');
      await writer.query('select 1 from callbacks where payment_id = $1 for update', [waiting]);
      gateway.receiver.answerWith({ status: 410 });
      const gone = await initiate(gateway);
      await eventually(isOff).toEqual([{ disabled_because: 'GONE' }]);
      await eventually(() => statusesOf(gone)).toEqual(['ABANDONED']);
    } finally {
      await writer.query('rollback');
      writer.release();
    }
    expect(await statusesOf(waiting)).toEqual(['PENDING']);
    await gateway.gateway.movableClock!.move(DAY_MS);
    await eventually(() => statusesOf(waiting)).toEqual(['ABANDONED']);
    expect(made()).toBe(1);
  });

  test('an endpoint that acknowledges nothing for days leaves nothing waiting, however much it was', async () => {
    const { merchantId } = gateway;
    const createdAt = new Date(nowOf(gateway.engine).getTime() + DAY_MS);
    const backlog = Array.from({ length: 2_500 }, () => ({
      merchantId,
      kind: 'DEPOSIT' as const,
      paymentId: randomUUID(),
      subjectId: randomUUID(),
      announcedState: 'COMPLETED' as const,
      createdAt,
    }));
    await insertCallbacks(gateway.engine.store.database, backlog);
    gateway.receiver.answerWith({ status: 410 });
    await initiate(gateway);
    const counts = () => select(gateway, 'select status, count(*)::int from callbacks group by status');
    await eventually(counts).toEqual([{ status: 'ABANDONED', count: 2_501 }]);
  });

  test('an endpoint that acknowledges nothing for days answers 410: the notice says so', async () => {
    gateway.receiver.answerWith({ status: 410 });
    await initiate(gateway);
    await eventually(() =>
      select(gateway, 'select topic, detail, mail_due_at from merchant_notices'),
    ).toEqual([
      {
        topic: 'CALLBACKS_SWITCHED_OFF',
        detail: { kind: 'DEPOSIT', host: new URL(gateway.receiver.url).host, because: 'GONE' },
        mail_due_at: null,
      },
    ]);
  });
});
