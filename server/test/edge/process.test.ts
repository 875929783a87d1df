// The process as a host sees it: health, readiness, metrics, logs, and an orderly end.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGateway, type Gateway } from '../../src/commands/serve/compose.ts';
import {
  call,
  depositRequest,
  eventually,
  initiate,
  openTestGateway,
  payer,
  readDeposit,
  waitForStatus,
  type TestGateway,
} from '../gateway.ts';
import { startServerProcess, type ServerProcess } from '../server-process.ts';
import { told } from './answers.ts';
import { startDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';
import { holdInserts, lockTable } from './table-lock.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

/** A deposit full of what must not be seen outside, and all of it as texts to look for. */
const PERSONAL = {
  payer: payer('MTN_MOMO_RWA', '250781112223'),
  customerMessage: 'Canary 4711',
  clientReferenceId: 'canary-client-reference',
  metadata: [{ canaryName: 'canary-value' }, { canaryMail: 'canary@example.com', isPII: true }],
};
const CANARIES = [
  '250781112223',
  'Canary 4711',
  'canary-client-reference',
  'canary-value',
  'canary@example.com',
];

describe('health and readiness need no token', () => {
  test.each([
    ['/health', 'UP'],
    ['/ready', 'READY'],
  ])('GET %s is 200 { status: %s }', async (path, status) => {
    const answer = await fetch(`${gateway.url}${path}`);
    expect({ code: answer.status, body: await answer.json() }).toEqual({ code: 200, body: { status } });
  });
});

async function readMetrics(url: string): Promise<string> {
  const answer = await fetch(`${url}/metrics`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  return answer.text();
}

describe('metrics', () => {
  test('metrics count what happened, by words of ours; they hold no personal data, no token and no merchant', async () => {
    const depositId = await initiate(gateway, PERSONAL);
    await waitForStatus(gateway, depositId, 'COMPLETED');
    await call(gateway, 'POST', '/v2/deposits', depositRequest({ depositId }));
    await call(gateway, 'GET', `/v2/${depositId}`);
    const delivered = 'malipo_callback_seconds_count{result="DELIVERED"} 1\n';
    await eventually(() => readMetrics(gateway.url)).toContain(delivered);
    const text = await readMetrics(gateway.url);
    const lines = new Set(text.split('\n'));
    const expected = [
      'malipo_initiations_total{kind="DEPOSIT",answer="ACCEPTED"} 1',
      'malipo_initiations_total{kind="DEPOSIT",answer="DUPLICATE_IGNORED"} 1',
      'malipo_payment_moves_total{kind="DEPOSIT",state="PROCESSING"} 1',
      'malipo_payment_moves_total{kind="DEPOSIT",state="COMPLETED"} 1',
      'malipo_operator_seconds_count{connector="simulator",step="submit",outcome="COMPLETED"} 1',
      'malipo_request_seconds_count{route="POST /v2/deposits",status="200"} 2',
      'malipo_request_seconds_count{route="GET none",status="404"} 1',
      '# TYPE malipo_notifications_total counter',
      '# TYPE malipo_repairs_total counter',
      '# TYPE malipo_pruned_total counter',
      '# TYPE malipo_cases_total counter',
      '# TYPE process_cpu_seconds_total counter',
    ];
    expect(expected.filter((line) => !lines.has(line))).toEqual([]);
    expect(text).toContain('route="GET /v2/deposits/:depositId"');
    const secrets = [...CANARIES, depositId, gateway.apiToken, gateway.merchantId, 'Demo Shop'];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

describe('while the database is down', () => {
  let proxy: DatabaseProxy;
  let proxied: Gateway;
  let url: string;
  beforeAll(async () => {
    proxy = await startDatabaseProxy(gateway.config.cell.databaseUrl);
    const cell = { id: '0001', databaseUrl: proxy.url, urls: [] };
    proxied = await openGateway({ ...gateway.config, cell }, { role: 'api' });
    ({ url } = await proxied.start());
  });
  afterAll(async () => {
    proxy.become('OPEN');
    await proxied.stop();
    await proxy.stop();
  });

  async function readinessOf(): Promise<number> {
    return (await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5_000) })).status;
  }

  test.each([
    ['its connections are cut', 'CUT'],
    ['it takes requests and never answers', 'SILENT'],
  ] as const)('%s: alive but not ready, and ready again when it is back', async (_, state) => {
    expect(await readinessOf()).toBe(200);
    proxy.become(state);
    try {
      await eventually(readinessOf).toBe(503);
      expect((await fetch(`${url}/health`)).status).toBe(200);
    } finally {
      proxy.become('OPEN');
    }
    await eventually(readinessOf).toBe(200);
    const { apiToken } = gateway;
    expect(told(await call({ url, apiToken }, 'POST', '/v2/deposits', depositRequest()))).toBe(
      '200 ACCEPTED',
    );
  });

  test('an order is answered 503: nothing was done, and it can be sent again later', async () => {
    const request = depositRequest();
    const { depositId } = request;
    const { apiToken } = gateway;
    proxy.become('CUT');
    try {
      const answer = await call({ url, apiToken }, 'POST', '/v2/deposits', request);
      expect(told(answer)).toBe('503 SERVICE_UNAVAILABLE');
    } finally {
      proxy.become('OPEN');
    }
    expect(told(await call({ url, apiToken }, 'POST', '/v2/deposits', request))).toBe('200 ACCEPTED');
    await waitForStatus(gateway, depositId, 'COMPLETED');
  });

  test('a transaction that is in progress when the connection is cut did nothing, and the process goes on', async () => {
    const { apiToken, databaseUrl } = gateway;
    const request = depositRequest();
    const lock = await lockTable(databaseUrl, 'payment_keys');
    const answer = call({ url, apiToken }, 'POST', '/v2/deposits', request);
    await eventually(lock.countWaiting).toBe(1);
    proxy.become('CUT');
    expect(told(await answer)).toBe('503 SERVICE_UNAVAILABLE');
    proxy.become('OPEN');
    await lock.release();
    expect(told(await call({ url, apiToken }, 'POST', '/v2/deposits', request))).toBe('200 ACCEPTED');
  });
});

describe('a process of its own', () => {
  let quiet: TestGateway;
  let server: ServerProcess;
  beforeAll(async () => {
    quiet = await openTestGateway({ role: 'api' });
    server = await startServerProcess(quiet, 'all');
  });
  afterAll(async () => {
    await server.kill();
    await quiet.stop();
  });

  test('a process of its own writes its log as JSON lines, and nothing in them is personal', async () => {
    const to = { url: server.url, apiToken: quiet.apiToken };
    const request = depositRequest(PERSONAL);
    expect(told(await call(to, 'POST', '/v2/deposits', request))).toBe('200 ACCEPTED');
    await call(to, 'POST', '/v2/deposits', { ...request, canary: '250781112223', amount: 'canary-value' });
    await call(to, 'POST', '/v2/deposits', '{"canary-value', { authorization: 'Bearer canary-value' });
    await waitForStatus({ ...quiet, url: server.url }, request['depositId'], 'COMPLETED');
    const written = server.output();
    const lines = written.trimEnd().split('\n').map(parseLine);
    for (const line of lines) {
      expect(line).toMatchObject({
        level: expect.any(Number),
        time: expect.any(Number),
        msg: expect.any(String),
      });
    }
    const answered = lines.filter(({ msg }) => msg === 'answered');
    expect(answered).toContainEqual(
      expect.objectContaining({
        method: 'POST',
        route: '/v2/deposits',
        status: 200,
        seconds: expect.any(Number),
      }),
    );
    expect(written).toContain(request['depositId']);
    for (const secret of [...CANARIES, quiet.apiToken]) expect(written).not.toContain(secret);
  });

  test('a client that goes away in the middle of its body is no fault of the gateway', async () => {
    const { hostname, port } = new URL(server.url);
    const client = connect({ host: hostname, port: Number(port) });
    const head = `POST /v2/deposits HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${quiet.apiToken}`;
    client.end(`${head}\r\nContent-Length: 99\r\n\r\n{`);
    await once(client.resume(), 'close');
    await fetch(`${server.url}/health`);
    await eventually(() => server.output()).toContain('"route":"/health"');
    expect(server.output()).not.toContain('request failed');
  });

  test('told to stop, it answers what is in progress, takes nothing new, ends by itself and loses nothing', async () => {
    const request = depositRequest();
    const held = await holdInserts(quiet.databaseUrl, 'payment_keys');
    // One request has reached the database; three more are half sent, on connections that will be kept for them.
    const inProgress = await send(server.url, renderPost(quiet.apiToken, request));
    const [readyHead, readyRest] = halves('GET /ready HTTP/1.1\r\nHost: test\r\n\r\n');
    const [postHead, postRest] = halves(renderPost(quiet.apiToken, depositRequest()));
    const [toldHead, toldRest] = halves(renderPost('none', {}, '/operators/simulator/notifications'));
    const readiness = await send(server.url, readyHead);
    const late = await send(server.url, postHead);
    const notification = await send(server.url, toldHead);
    await eventually(held.countWaiting).toBeGreaterThan(0);
    // Connections are read in their order: the server has the first half of each when it answers a later one. One that
    // it has read nothing from is idle, and closed.
    expect((await fetch(`${server.url}/health`)).status).toBe(200);

    const ended = server.terminate();
    await eventually(() => isRefused(server.url)).toBe(true);
    readiness.write(readyRest);
    late.write(postRest);
    notification.write(toldRest);
    expect(await readiness.answer).toEqual({ status: 503, body: { status: 'NOT_READY' } });
    expect(await late.answer).toEqual({
      status: 503,
      body: { failureReason: { failureCode: 'SERVICE_UNAVAILABLE', failureMessage: expect.any(String) } },
    });
    // Some operators tell a thing only once.
    expect(await notification.answer).toEqual({ status: 200, body: {} });
    await held.release();
    const { depositId } = request;
    expect(await inProgress.answer).toMatchObject({ status: 200, body: { status: 'ACCEPTED', depositId } });
    expect(await ended).toBe(0);

    const worker = await openGateway({ ...quiet.config, operatorsUrl: quiet.url }, { role: 'worker' });
    await worker.start();
    try {
      await waitForStatus(quiet, depositId, 'COMPLETED');
    } finally {
      await worker.stop();
    }
    const { providerTransactionId } = await readDeposit(quiet, depositId);
    const charges = quiet.simulator
      .books()
      .charges.filter((one) => one.transactionId === providerTransactionId);
    expect(charges).toHaveLength(1);
  });
});

describe('a process that cannot start', () => {
  test('a process that cannot start says what is missing in one line, and ends', async () => {
    await expect(startServerProcess(gateway, 'all', { MALIPO_SEARCH_KEY: '' })).rejects.toThrow(
      /^the all did not start: malipo-server all: MALIPO_SEARCH_KEY is not set\. It must hold 32 bytes in base64\.\n$/,
    );
  });

  test('a worker without MALIPO_OPERATORS_URL says so and ends', async () => {
    await expect(startServerProcess(gateway, 'worker', { MALIPO_OPERATORS_URL: '' })).rejects.toThrow(
      /MALIPO_OPERATORS_URL is not set/,
    );
  });

  test('a process whose operator timing would take "not found" for proof too early says so and ends', async () => {
    const timing = JSON.stringify({ sendDeadlineMs: 60_000 });
    await expect(startServerProcess(gateway, 'all', { MALIPO_SIMULATOR_TIMING: timing })).rejects.toThrow(
      /notSeenAfterMs must be at least sendDeadlineMs \+ timeoutMs, 70000/,
    );
  });

  test('a process whose port is taken says so and ends', async () => {
    const { port } = new URL(gateway.url);
    await expect(startServerProcess(gateway, 'all', { MALIPO_PORT: port })).rejects.toThrow(
      new RegExp(`Port ${port} of 127.0.0.1 is in use`),
    );
  });
});

/** Throws when a line is not JSON: that is what the test is about. */
function parseLine(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>;
}

async function isRefused(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    () => false,
    () => true,
  );
}

function renderPost(token: string, request: unknown, path = '/v2/deposits'): string {
  const body = JSON.stringify(request);
  const headers = [
    'Host: test',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Authorization: Bearer ${token}`,
  ];
  return `POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}

/** A request cut in its headers, so that the server does not know yet what it is. */
function halves(text: string): readonly [string, string] {
  const middle = text.indexOf('\r\n') + 4;
  return [text.slice(0, middle), text.slice(middle)];
}

/** Sends text on a connection of its own that asks to be kept. The answer is read until the server closes it. */
async function send(url: string, text: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const answer = once(socket, 'close').then(() => {
    const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
    return { status: Number(head.slice(9, 12)), body: body === '' ? null : (JSON.parse(body) as unknown) };
  });
  await once(socket, 'connect');
  return { write: (rest: string) => void socket.write(rest), answer };
}
