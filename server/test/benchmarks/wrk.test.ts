// The load that wrk makes with the scripts of the bench, seen by a small server in the gateway's place.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { runLives } from '../../../benchmarks/gateway/lives.ts';
import { Receiver } from '../../../benchmarks/gateway/receiver.ts';
import { depositRequest, depositTemplate, v1DepositRequest } from '../../../benchmarks/gateway/requests.ts';
import { findWrk, startWrk, type WrkOptions, type WrkResult } from '../../../benchmarks/gateway/wrk.ts';

const folder = mkdtempSync(join(tmpdir(), 'malipo-wrk-'));
afterAll(() => rmSync(folder, { recursive: true }));

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

type Deposit = { readonly depositId: string };

async function listen(serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  // A connection that waits on a slow machine must not be closed meanwhile: wrk counts it as broken.
  const server = createServer(
    { keepAliveTimeout: 300_000 },
    (request, response) => void serve(request, response),
  );
  onTestFinished(() => server.close().closeAllConnections());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function readDeposit(request: IncomingMessage): Promise<Deposit> {
  return JSON.parse(await text(request)) as Deposit;
}

/** However slow the machine is. wrk ends in any case: it would run for a day. */
async function runUntil(isEnough: () => boolean, options: WrkOptions): Promise<WrkResult> {
  const wrk = startWrk(options);
  const waiting = vi.waitUntil(isEnough, { timeout: 60_000, interval: 20 });
  await waiting.catch(async (error: unknown) => {
    await wrk.stop();
    throw error;
  });
  return wrk.stop();
}

test('intake sends deposits of both API versions with new identifiers, and goes on after a rejection', async () => {
  const seen: { readonly url: string; readonly id: string; readonly phone: string }[] = [];
  let shed = 0;
  const port = await listen(async (request, response) => {
    const body = await readDeposit(request);
    const phone = /25078\d+/.exec(JSON.stringify(body))?.[0] ?? '';
    seen.push({ url: request.url ?? '', id: body.depositId, phone });
    const isShed = seen.length % 4 === 0;
    if (isShed) shed += 1;
    response.writeHead(isShed ? 503 : 200).end('{"status":"ACCEPTED"}');
  });
  const requests = [depositRequest('token'), v1DepositRequest('token')].map(depositTemplate);
  const load = { program: findWrk(), script: 'intake', ports: [port], requests, folder } as const;
  const { count, rejected } = await runUntil(() => shed > 50, { ...load, connections: 8 });
  expect(rejected).toBeGreaterThan(1);
  // The last answers may not have arrived when wrk was stopped: one for each connection.
  expect(seen.length - (count + rejected)).toBeLessThanOrEqual(8);
  expect(shed - rejected).toBeLessThanOrEqual(8);
  expect(shed).toBeGreaterThanOrEqual(rejected);
  expect(new Set(seen.map(({ url }) => url))).toEqual(new Set(['/v2/deposits', '/deposits']));
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  expect(seen.filter(({ id }) => !UUID_V4.test(id))).toEqual([]);
  expect(seen.filter(({ phone }) => phone.length !== 12)).toEqual([]);
  expect(new Set(seen.map(({ phone }) => phone)).size).toBeGreaterThan(seen.length / 2);
});

test('status checks are chosen at random among the prepared ones', async () => {
  const seen = new Map<string, number>();
  const port = await listen(async (request, response) => {
    seen.set(request.url ?? '', (seen.get(request.url ?? '') ?? 0) + 1);
    response.end('{"status":"FOUND"}');
  });
  const requests = ['/a', '/b', '/c'].map((path) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  const load = { program: findWrk(), script: 'status', ports: [port], requests, folder } as const;
  const { count } = await runUntil(() => seen.size === 3 && Math.min(...seen.values()) > 100, {
    ...load,
    connections: 2,
  });
  expect([...seen.keys()].toSorted()).toEqual(['/a', '/b', '/c']);
  expect(Math.min(...seen.values())).toBeGreaterThan(count / 10);
});

test('of whole lives no more are in flight than wanted, and each counts once', async () => {
  const receiver = new Receiver();
  const callbackUrl = await receiver.open();
  onTestFinished(() => receiver.close());
  let [inFlight, most] = [0, 0];
  /** Twice: a callback may be repeated. */
  const end = async (body: string) => {
    inFlight -= 1;
    await fetch(callbackUrl, { method: 'POST', body });
    await fetch(callbackUrl, { method: 'POST', body });
  };
  const port = await listen(async (request, response) => {
    const { depositId } = await readDeposit(request);
    inFlight += 1;
    most = Math.max(most, inFlight);
    response.end('{"status":"ACCEPTED"}');
    await sleep(20);
    await end(JSON.stringify({ depositId }));
  });
  const edges: string[] = [];
  const setup = { receiver, gatewayPorts: [port], wrk: findWrk(), folder };
  const requests = [depositTemplate(depositRequest('token'))];
  const { count, seconds } = await runLives(setup, {
    requests,
    inFlight: 6,
    warmMs: 100,
    windowMs: 1_500,
    onWindow: async (edge) => void edges.push(edge),
  });
  expect(edges).toEqual(['BEGINS', 'ENDS']);
  expect(most).toBeLessThanOrEqual(6);
  expect(most).toBeGreaterThan(1);
  expect(count).toBeGreaterThan(6);
  // Six lives of at least 20 ms each.
  expect(count / seconds).toBeLessThanOrEqual((6 / 0.02) * 1.1);
  expect(inFlight).toBe(0);
});
