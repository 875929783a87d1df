// Names of callback addresses: looked up without a thread of the process, for no longer than a post may take.
import { createHook } from 'node:async_hooks';
import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createNameLookup, type NameLookupOptions } from '../../src/callbacks/name-lookup.ts';
import { createOutgoingGuard } from '../../src/callbacks/outgoing-guard.ts';
import { CallbackPoster } from '../../src/callbacks/post.ts';
import { startNameServer, type NameServer } from './name-server.ts';

const HOME = createOutgoingGuard(['127.0.0.0/8', '::1/128']);

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function post(url: string, options: Partial<NameLookupOptions> | null, timeoutMs = 2_000) {
  const lookup = options === null ? {} : { lookup: createNameLookup({ timeoutMs, ...options }) };
  const poster = new CallbackPoster({ guard: HOME, timeoutMs, ...lookup });
  try {
    return await poster.post({ url, body: '{}', headers: {} });
  } finally {
    await poster.close();
  }
}

const look = (name: string, options: NameLookupOptions) =>
  new Promise((resolve) => {
    createNameLookup(options)(name, { all: true }, (error, found) => resolve(error?.code ?? found));
  });

/** What the process does in the background while `work` runs, by its names for it. */
async function backgroundOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const kinds: string[] = [];
  const hook = createHook({ init: (_, kind) => void kinds.push(kind) }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return kinds;
}

test('no thread of the process waits for a merchant’s name server, by default', async () => {
  // A thread that looks up is a request of this kind; whether the name server answers does not matter here.
  const kinds = await backgroundOf(() => post(`http://shop.invalid:${port}/`, null, 300));
  expect(kinds).not.toContain('GETADDRINFOREQWRAP');
  expect(kinds).toContain('QUERYWRAP');
});

describe('a name server that answers', () => {
  let names: NameServer;
  beforeEach(async () => {
    names = await startNameServer(createSocket('udp4'));
  });
  afterEach(() => names.stop());

  test('a name server that answers gives the address', async () => {
    names.answerWith([['127.0.0.1']]);
    expect(await post(`http://shop.example:${port}/`, { nameServers: [names.address] })).toMatchObject({
      httpStatus: 200,
    });
  });

  test('never gives a forbidden address', async () => {
    names.answerWith([['169.254.169.254', '10.0.0.1']]);
    expect(await post(`http://shop.example:${port}/`, { nameServers: [names.address] })).toEqual({
      type: 'NO_ANSWER',
      code: 'FORBIDDEN_ADDRESS',
    });
  });

  test('without an address is distinguished from one that is silent', async () => {
    names.answerWith([[]]);
    expect(await look('shop.example', { timeoutMs: 2_000, nameServers: [names.address] })).toBe('ENOTFOUND');
  });

  test('a name server that answers is asked once for all concurrent lookups of a name, and again for the next', async () => {
    names.answerWith([['127.0.0.1']]);
    const lookup = createNameLookup({ timeoutMs: 2_000, nameServers: [names.address] });
    const found = () =>
      new Promise((resolve) => lookup('Shop.example', { all: true }, (_, all) => resolve(all)));
    const home = [{ address: '127.0.0.1', family: 4 }];
    expect(await Promise.all([found(), found(), found()])).toEqual([home, home, home]);
    // One question for each kind of address.
    expect(names.questions()).toBe(2);
    await found();
    expect(names.questions()).toBe(4);
  });
});

describe('a name server that is silent', () => {
  const silent = createSocket('udp4');
  let nameServers: readonly string[];
  beforeAll(async () => {
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
    nameServers = [`127.0.0.1:${silent.address().port}`];
  });
  afterAll(() => silent.close());

  test('a name server that is silent is given up with the post, and other callbacks are sent meanwhile', async () => {
    let isOver = false;
    const stuck = Promise.all(
      Array.from({ length: 12 }, (_, index) => post(`http://shop${index}.example/`, { nameServers }, 3_000)),
    ).finally(() => (isOver = true));
    // Found by the system's own lookup, which needs a thread.
    expect(await post(`http://localhost:${port}/`, { hostsFile: '/nowhere' })).toMatchObject({
      httpStatus: 200,
    });
    expect(isOver).toBe(false);
    expect(new Set((await stuck).map((result) => JSON.stringify(result)))).toEqual(
      new Set(['{"type":"NO_ANSWER","code":"TIMEOUT"}']),
    );
  });

  test('a name server that is silent ends the lookup itself in time, not only the post', async () => {
    const started = performance.now();
    expect(await look('shop.example', { timeoutMs: 400, nameServers })).toBe('TIMEOUT');
    // The library itself would ask for five seconds and longer.
    expect(performance.now() - started).toBeLessThan(4_000);
  });

  test('for one kind of address only does not hold back the other kind', async () => {
    const partial = createSocket('udp4');
    const half = await startNameServer(partial);
    half.answerWith([['127.0.0.1']]);
    const answer = partial.listeners('message')[0] as (question: Buffer, from: unknown) => void;
    partial.removeAllListeners('message');
    // The kind of a question is two bytes after its name; 1 is IPv4.
    partial.on('message', (question, from) => {
      if (question.readUInt16BE(question.indexOf(0, 12) + 1) === 1) answer(question, from);
    });
    expect(await look('shop.example', { timeoutMs: 8_000, nameServers: [half.address] })).toEqual([
      { address: '127.0.0.1', family: 4 },
    ]);
    await half.stop();
  }, 7_000);

  test('a name server that is silent is not asked for a name in the file of hosts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
    const hostsFile = join(folder, 'hosts');
    await writeFile(
      hostsFile,
      '# ours\n127.0.0.1 localhost\n127.0.0.1\tother.example Shop.Example # here\n::1 shop.example\n',
    );
    expect(await look('shop.example', { timeoutMs: 8_000, nameServers, hostsFile })).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect(await look('op.example', { timeoutMs: 400, nameServers, hostsFile })).toBe('TIMEOUT');
    await rm(folder, { recursive: true });
  });
});
