// The shops of examples/ at a real gateway: an order is paid and delivered once, whatever happens to its callbacks.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../server/src/commands/sandbox/local-machine.ts';
import { openAccount } from '../../server/test/edge/accounts.ts';
import { initiate, openTestGateway, waitUntil, type TestGateway } from '../../server/test/gateway.ts';
import type { ReceivedCallback } from '../../server/test/receiver.ts';
import { startHostileProxy, type Fault } from '../conformance/hostile-proxy.ts';
import { countHeld, difference } from './held.ts';
import { SHOPS, type Command } from './shop-programs.ts';

type Order = {
  readonly id: string | number;
  readonly depositId: string;
  readonly refundId: string | null;
  readonly status: string;
  readonly failureCode: string | null;
  readonly deliveries: number;
};

type Shop = { readonly url: string; readonly server: ChildProcess };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

describe.each(SHOPS)('examples/$name', ({ name, deliveries, prepare, serve, checkOrders: checking }) => {
  let folder: string;
  let shop: Shop;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'malipo-shop-'));
    if (prepare !== undefined) await run(prepare);
    shop = await openShop(gateway.url);
  });
  afterAll(async () => {
    await closeShop(shop);
    await rm(folder, { recursive: true });
  });

  test('without a callback an order is pending until the shop asks, and is then delivered once', async () => {
    const order = await takeOrder();
    expect(order).toMatchObject({ status: 'PENDING', deliveries: 0 });
    await countHeld(gateway);
    expect(await read(order)).toEqual(order);
    await Promise.all([checkOrders(), checkOrders()]);
    expect(await read(order)).toMatchObject({ status: 'PAID', deliveries: 1 });
  });

  test('an order whose answer is lost is paid once', async () => {
    const before = await countHeld(gateway);
    const faults: Fault[] = [{ type: 'cut', of: 'answer', afterBytes: 0 }];
    const proxy = await startHostileProxy(gateway.url, () => faults.shift() ?? null);
    const behind = await openShop(proxy.url);
    const order = await takeOrder(undefined, behind);
    await Promise.all([closeShop(behind), proxy.stop()]);
    expect(proxy.faultCount()).toBe(1);
    expect(difference(await countHeld(gateway), before)).toEqual({ DEPOSIT: 1 });
    await checkOrders();
    expect(await read(order)).toMatchObject({ status: 'PAID', deliveries: 1 });
  });

  test('an order that never reached the gateway is sent again with its identifier', async () => {
    const before = await countHeld(gateway);
    const alone = await openShop(`http://127.0.0.1:${await freePort()}`);
    const order = await takeOrder(undefined, alone);
    await closeShop(alone);
    expect(order.status).toBe('PENDING');
    await checkOrders();
    expect(difference(await countHeld(gateway), before)).toEqual({ DEPOSIT: 1 });
    await checkOrders();
    expect(await read(order)).toMatchObject({ status: 'PAID', deliveries: 1 });
  });

  test('an order is delivered once although its callback comes many times, also at the same moment', async () => {
    const order = await takeOrder();
    const callback = await callbackAbout(order.depositId);
    const statuses = await Promise.all(Array.from({ length: 6 }, () => handOn(callback)));
    expect(statuses).toEqual(statuses.map(() => 200));
    await checkOrders();
    expect(await handOn(callback)).toBe(200);
    expect(await read(order)).toMatchObject({ status: 'PAID', deliveries: 1 });
  });

  test('a callback that comes after the shop has asked changes nothing', async () => {
    const order = await takeOrder();
    const callback = await callbackAbout(order.depositId);
    await checkOrders();
    expect(await handOn(callback)).toBe(200);
    expect(await read(order)).toMatchObject({ status: 'PAID', deliveries: 1 });
  });

  test('an order whose delivery cannot be stored is delivered when its callback comes again', async () => {
    const order = await takeOrder();
    const callback = await callbackAbout(order.depositId);
    const database = new DatabaseSync(join(folder, 'shop.sqlite3'), { timeout: 10_000 });
    database.exec(
      `create trigger full before insert on ${deliveries} begin select raise(abort, 'full'); end`,
    );
    expect(await handOn(callback)).toBeGreaterThanOrEqual(500);
    database.exec('drop trigger full');
    database.close();
    expect(await read(order)).toEqual(order);
    expect(await handOn(callback)).toBe(200);
    expect(await read(order)).toMatchObject({ status: 'PAID', deliveries: 1 });
  });

  test('an order without a phone number, or that is not JSON, is answered 400', async () => {
    for (const body of ['{"provider":"MTN_MOMO_RWA"}', '[]', 'null', '{'])
      expect((await fetch(`${shop.url}/orders`, { method: 'POST', body })).status).toBe(400);
  });

  test('a declined order fails with its reason, and a rejected one too', async () => {
    const order = await takeOrder('250783456039');
    await handOn(await callbackAbout(order.depositId));
    const declined = { status: 'FAILED', failureCode: 'PAYMENT_NOT_APPROVED', deliveries: 0 };
    expect(await read(order)).toMatchObject(declined);
    expect(await takeOrder('1')).toMatchObject({ ...declined, failureCode: 'INVALID_PHONE_NUMBER' });
  });

  test('an order whose deposit is rejected, and then accepted when sent again, is delivered once', async () => {
    const order = await takeOrder('1');
    expect(order.status).toBe('FAILED');
    await initiate(gateway, { depositId: order.depositId, amount: '1000' });
    const callback = await callbackAbout(order.depositId);
    expect(await Promise.all([1, 2, 3].map(() => handOn(callback)))).toEqual([200, 200, 200]);
    expect(await read(order)).toMatchObject({ status: 'PAID', failureCode: null, deliveries: 1 });
  });

  test('a callback that is changed, or sent to another address, is answered 401 and changes nothing', async () => {
    const order = await takeOrder('250783456039');
    const { text, ...callback } = await callbackAbout(order.depositId);
    expect(await handOn({ ...callback, text: text.replace('FAILED', 'COMPLETED') })).toBe(401);
    expect(await handOn({ ...callback, text }, '/callbacks?copied')).toBe(401);
    expect(await handOn({ headers: {}, text })).toBe(401);
    expect(await read(order)).toEqual(order);
  });

  test("another merchant's genuine callback about the identifier of an order is answered 401", async () => {
    const order = await takeOrder('250783456039');
    const other = await openAccount(gateway, { callbackUrl: gateway.receiver.url });
    await initiate({ ...gateway, ...other }, { depositId: order.depositId, amount: '1000' });
    const callback = await callbackAbout(order.depositId, other.merchantId);
    expect(callback.text).toContain('COMPLETED');
    expect(await handOn(callback)).toBe(401);
    expect(await read(order)).toEqual(order);
  });

  test('a refund that is asked for many times at once is made once', async () => {
    const order = await takeOrder();
    await handOn(await callbackAbout(order.depositId));
    const before = await countHeld(gateway);
    const refund = () => post(`/orders/${order.id}/refund`);
    const refunds = await Promise.all(Array.from({ length: 6 }, refund));
    await handOn(await callbackAbout(refunds[0]!.refundId ?? ''));
    expect(await read(order)).toMatchObject({ status: 'REFUNDED', deliveries: 1 });
    expect(await refund()).toMatchObject({ status: 'REFUNDED' });
    expect(difference(await countHeld(gateway), before)).toEqual({ REFUND: 1 });
  });

  test('a refund whose callback never comes ends when the shop asks', async () => {
    const order = await takeOrder();
    await countHeld(gateway);
    await checkOrders();
    await post(`/orders/${order.id}/refund`);
    await countHeld(gateway);
    await checkOrders();
    expect(await read(order)).toMatchObject({ status: 'REFUNDED', deliveries: 1 });
  });

  test('a refund that the gateway refuses to hear is made when the shop asks', async () => {
    const order = await takeOrder();
    await handOn(await callbackAbout(order.depositId));
    const before = await countHeld(gateway);
    const refused = await openShop(gateway.url, { MALIPO_TOKEN: 'wrong' });
    const { refundId } = await post(`/orders/${order.id}/refund`, {}, refused);
    await closeShop(refused);
    expect(difference(await countHeld(gateway), before)).toEqual({});
    await checkOrders();
    await countHeld(gateway);
    await checkOrders();
    expect(await read(order)).toMatchObject({ refundId, status: 'REFUNDED' });
    expect(difference(await countHeld(gateway), before)).toEqual({ REFUND: 1 });
  });

  /** All shops of one kind have one database. */
  async function openShop(gatewayUrl: string, environment: Record<string, string> = {}): Promise<Shop> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const [program, ...parameters] = serve(port);
    const server = spawn(program, parameters, {
      ...place(),
      env: { ...place().env, MALIPO_URL: gatewayUrl, PORT: `${port}`, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    let log = '';
    server.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    await waitUntil(async () => {
      if (server.exitCode !== null) throw new Error(`the shop has ended: ${log}`);
      return (await fetch(`${url}/orders/0`).catch(() => null))?.status === 404;
    });
    return { url, server };
  }

  async function run([program, ...parameters]: Command): Promise<void> {
    await promisify(execFile)(program, parameters, place());
  }

  /**
   * Callbacks go to the receiver of the test, which hands them on or does not, as a proxy before the shop would. So the
   * shop's public address is the receiver's.
   */
  function place() {
    const env = {
      ...process.env,
      MALIPO_URL: gateway.url,
      MALIPO_TOKEN: gateway.apiToken,
      MALIPO_MERCHANT_ID: gateway.merchantId,
      SHOP_URL: new URL(gateway.receiver.url).origin,
      SHOP_DATABASE: join(folder, 'shop.sqlite3'),
      // As many as answer at the same time.
      PHP_CLI_SERVER_WORKERS: '4',
      PYTHONPATH: fileURLToPath(new URL('../python/src/', import.meta.url)),
      PYTHONDONTWRITEBYTECODE: '1',
    };
    return { cwd: fileURLToPath(new URL(`../../examples/${name}/`, import.meta.url)), env };
  }

  function checkOrders(): Promise<void> {
    return run(checking);
  }

  async function post(path: string, body: object = {}, at = shop): Promise<Order> {
    const response = await fetch(`${at.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return (await response.json()) as Order;
  }

  async function takeOrder(phoneNumber = '250783456789', at = shop): Promise<Order> {
    return post('/orders', { provider: 'MTN_MOMO_RWA', phoneNumber }, at);
  }

  async function read({ id }: Order): Promise<Order> {
    return (await (await fetch(`${shop.url}/orders/${id}`)).json()) as Order;
  }

  async function handOn({ headers, text }: Callback, path = '/callbacks'): Promise<number> {
    const { 'content-length': _length, host: _host, connection: _connection, ...kept } = headers;
    const sent = { method: 'POST', headers: kept as Record<string, string>, body: text };
    return (await fetch(`${shop.url}${path}`, sent)).status;
  }
});

async function closeShop({ server }: Shop): Promise<void> {
  // Workers of PHP are processes of their own, which do not end with it.
  process.kill(-server.pid!);
  await once(server, 'exit');
}

type Callback = Pick<ReceivedCallback, 'headers' | 'text'>;

/** The callback about the end of a payment, as it came to the receiver. A refund's names its deposit too. */
async function callbackAbout(id: string, merchantId = gateway.merchantId): Promise<Callback> {
  const find = () =>
    gateway.receiver.received.find(
      ({ headers, body }) =>
        (body['refundId'] ?? body['depositId']) === id &&
        String(headers['signature-input']).includes(merchantId),
    );
  await waitUntil(() => find() !== undefined);
  return find()!;
}
