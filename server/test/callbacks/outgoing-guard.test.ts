// Addresses that callbacks must not go to, tried at real sockets: none is reached.
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { Resolver, type LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { networkInterfaces } from 'node:os';
import { isIP, type AddressInfo, type LookupFunction } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOutgoingGuard, listOwnAddresses } from '../../src/callbacks/outgoing-guard.ts';
import { CallbackPoster } from '../../src/callbacks/post.ts';
import { startNameServer, type NameServer } from './name-server.ts';

const guard = createOutgoingGuard([]);

const FORBIDDEN = {
  'this machine': [
    '127.0.0.1',
    '127.1.2.3',
    '127.255.255.254',
    '[::1]',
    'localhost',
    'LOCALHOST',
    'a.localhost',
  ],
  'this machine, written otherwise': [
    '2130706433',
    '0x7f000001',
    '017700000001',
    '127.1',
    '0x7f.1',
    '127.0.0.1.',
  ],
  'unspecified, which reaches this machine': ['0.0.0.0', '0', '0.1.2.3', '[::]'],
  'IPv4 as IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:10.0.0.1]',
    '[0:0:0:0:0:ffff:a9fe:a9fe]',
  ],
  'IPv4-compatible, long out of use': ['[::127.0.0.1]', '[::7f00:1]'],
  'translated (NAT64)': [
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b:1::1]',
  ],
  '6to4 and Teredo': [
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
    '[2002:808:808::1]',
    '[2001::1]',
    '192.88.99.1',
  ],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.255.255'],
  'shared by carriers': ['100.64.0.1', '100.100.100.200', '100.127.255.254'],
  'link-local and metadata': [
    '169.254.169.254',
    '169.254.0.1',
    '0xa9fea9fe',
    '2852039166',
    '[fe80::1]',
    '[febf::1]',
  ],
  'B12: metadata of clouds at addresses that look public or stand elsewhere': [
    '168.63.129.16',
    '[::ffff:168.63.129.16]',
    '192.0.0.192',
    '100.100.100.200',
    '[fd00:ec2::254]',
  ],
  'unique local and site-local': ['[fc00::1]', '[fd00:ec2::254]', '[fdff::1]', '[fec0::1]'],
  multicast: ['224.0.0.1', '239.255.255.250', '[ff02::1]', '[ff0e::1]'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.255', '[100::1]', '[4000::1]', '[5f00::1]'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '[2001:db8::1]', '[3fff::1]'],
  'protocols and benchmarks': [
    '192.0.0.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '198.18.0.1',
    '198.19.255.255',
  ],
};

const hosts = Object.entries(FORBIDDEN).flatMap(([why, some]) => some.map((host) => ({ why, host })));

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '169.253.1.1',
];
const PUBLIC_V6 = [
  '2606:4700::1111',
  '2a00:1450::1',
  '2001:4860::8888',
  '64:ff9b::8.8.8.8',
  '::ffff:8.8.8.8',
];

test('at least forty hostile addresses are tested', () => {
  expect(hosts.length).toBeGreaterThanOrEqual(40);
});

describe('the address check', () => {
  test.each(hosts)('$host is refused: $why', ({ host }) => {
    expect(guard.mayBeHost(new URL(`https://${host}/`).hostname)).toBe(false);
  });

  test.each([...PUBLIC, ...PUBLIC_V6])('%s is public', (address) => {
    expect(guard.mayConnectTo(address)).toBe(true);
  });

  test('a name is not refused before it is looked up, and is not an address', () => {
    expect(guard.mayBeHost('shop.example')).toBe(true);
    expect(guard.mayConnectTo('shop.example')).toBe(false);
    expect(guard.mayConnectTo('')).toBe(false);
  });

  test('an address with a zone is checked without it', () => {
    expect(guard.mayConnectTo('fe80::1%eth0')).toBe(false);
  });

  test('ranges can be allowed, also as they look in IPv6, and nothing beside them', () => {
    const office = createOutgoingGuard(['10.1.0.0/16', 'fd00:1::/32', '192.168.1.7']);
    const allowed = ['10.1.2.3', '::ffff:10.1.2.3', 'fd00:1::9', '192.168.1.7'];
    const refused = ['10.2.0.1', '::ffff:10.2.0.1', 'fd00:2::9', '192.168.1.8', '127.0.0.1'];
    expect(allowed.filter((address) => !office.mayConnectTo(address))).toEqual([]);
    expect(refused.filter((address) => office.mayConnectTo(address))).toEqual([]);
    expect(createOutgoingGuard(['127.0.0.0/8']).mayBeHost('localhost')).toBe(true);
  });
});

describe('B12: addresses of the host and ports', () => {
  test("the host's own public addresses are refused, also as they look in IPv6, unless they are allowed", () => {
    const rules = { refused: ['9.9.9.0/24'], ownAddresses: () => ['8.8.8.8', '2606:4700::1111'] };
    const own = ['8.8.8.8', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2606:4700:0::1111', '9.9.9.9'];
    const { mayConnectTo } = createOutgoingGuard([], rules);
    expect(own.filter(mayConnectTo)).toEqual([]);
    expect(['8.8.8.9', '2606:4700::1112'].filter(mayConnectTo)).toHaveLength(2);
    expect(createOutgoingGuard(['8.8.8.8'], rules).mayConnectTo('8.8.8.8')).toBe(true);
  });

  test('the addresses of every network interface count as own, without zones', () => {
    const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
    expect(listOwnAddresses()).toEqual(all.map(({ address }) => address.split('%')[0]));
    expect(listOwnAddresses()).toContain('127.0.0.1');
  });

  test('a callback to a port that is not configured is not sent, by either scheme', async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end()).on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const refused = { type: 'NO_ANSWER', code: 'FORBIDDEN_PORT' };
    for (const scheme of ['http', 'https'])
      expect(await post(`${scheme}://127.0.0.1:${port}/`, posterFor([443]))).toEqual(refused);
    expect(await post('http://127.0.0.1/', posterFor([443]))).toEqual(refused);
    expect(connections).toBe(0);
    expect(await post(`http://127.0.0.1:${port}/`, posterFor([443, port]))).toMatchObject({
      httpStatus: 200,
    });
    expect(await post(`http://127.0.0.1:${port}/`, posterFor(null))).toMatchObject({ httpStatus: 200 });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('a callback', () => {
  let server: Server;
  let port: number;
  /** Which of this machine's addresses each connection was made to. */
  let reached: (string | undefined)[] = [];
  beforeAll(async () => {
    server = createServer((_, response) => response.end());
    server.on('connection', (socket) => reached.push(socket.localAddress));
    // Every address of this machine, IPv4 and IPv6.
    await new Promise<void>((resolve) => server.listen(0, '::', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    reached = [];
  });

  test.each(hosts)('to $host is not sent: no socket is opened ($why)', async ({ host }) => {
    for (const scheme of ['http', 'https']) {
      expect(await post(`${scheme}://${host}:${port}/`, guarded())).toEqual({
        type: 'NO_ANSWER',
        code: 'FORBIDDEN_ADDRESS',
      });
    }
    expect(reached).toEqual([]);
  });

  test('to this machine is sent where that is allowed', async () => {
    const poster = new CallbackPoster({ guard: createOutgoingGuard(['127.0.0.0/8']), timeoutMs: 2_000 });
    expect(await post(`http://127.0.0.1:${port}/`, poster)).toMatchObject({
      type: 'ANSWERED',
      httpStatus: 200,
    });
    expect(reached).toHaveLength(1);
  });

  describe('to a name', () => {
    let names: NameServer;
    beforeAll(async () => {
      names = await startNameServer(createSocket('udp4'));
    });
    afterAll(() => names.stop());

    /** Asks the test's own name server, over UDP, every time. */
    const lookup: LookupFunction = (hostname, _, callback) => {
      const resolver = new Resolver();
      resolver.setServers([names.address]);
      resolver.resolve4(hostname, (error, addresses) =>
        callback(
          error,
          (addresses ?? []).map((address) => ({ address, family: isIP(address) })),
        ),
      );
    };

    test('that resolves to a forbidden address is not sent', async () => {
      names.answerWith([['169.254.169.254']]);
      expect(await post(`http://metadata.example:${port}/`, guarded(lookup))).toMatchObject({
        code: 'FORBIDDEN_ADDRESS',
      });
    });

    test('that resolves to several is sent only to those that are allowed', async () => {
      names.answerWith([['10.0.0.1', '127.0.0.1', '192.168.0.1']]);
      const poster = new CallbackPoster({
        guard: createOutgoingGuard(['127.0.0.0/8']),
        timeoutMs: 2_000,
        lookup,
      });
      expect(await post(`http://shop.example:${port}/`, poster)).toMatchObject({ httpStatus: 200 });
    });

    test('that changes its answer between lookup and connect is never sent to the second one', async () => {
      // One that is allowed first, then another one: anyone who looks up twice is caught.
      names.answerWith([['127.0.0.2'], ['127.0.0.1']]);
      const openFirst = { guard: createOutgoingGuard(['127.0.0.2']), timeoutMs: 2_000, lookup };
      const url = `http://rebind.example:${port}/`;
      expect(await post(url, new CallbackPoster(openFirst))).toMatchObject({ httpStatus: 200 });
      expect(names.questions()).toBe(1);
      const refused = { type: 'NO_ANSWER', code: 'FORBIDDEN_ADDRESS' };
      expect(await post(url, new CallbackPoster(openFirst))).toEqual(refused);
      expect(names.questions()).toBe(2);
      expect(reached).toEqual(['::ffff:127.0.0.2']);
    });
  });

  test('a callback to a name goes by TLS to the name that was asked for, over a socket that was checked', async () => {
    const { key, cert } = await createCertificate('shop.example');
    setDefaultCACertificates([...getCACertificates(), cert]);
    const asked: unknown[] = [];
    const secure = createSecureServer({ key, cert }, (request, response) => {
      asked.push((request.socket as TLSSocket).servername);
      response.writeHead(201).end('thanks');
    });
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const url = `https://shop.example:${(secure.address() as AddressInfo).port}/`;
    const open = { guard: createOutgoingGuard(['127.0.0.1']), timeoutMs: 2_000, lookup: home };
    const answer = { type: 'ANSWERED', httpStatus: 201, answer: Buffer.from('thanks') };
    expect(await post(url, new CallbackPoster(open))).toMatchObject(answer);
    expect(asked).toEqual(['shop.example']);
    expect(await post(url, guarded(home))).toMatchObject({ code: 'FORBIDDEN_ADDRESS' });
    expect(asked).toHaveLength(1);
    secure.closeAllConnections();
    await new Promise((resolve) => secure.close(resolve));
  });

  test('that reached another address than was looked up is cut off before anything is sent', async () => {
    let requests = 0;
    server.on('request', () => (requests += 1));
    // The lookup was judged well, and the socket is at this machine all the same.
    const trusting = {
      mayUsePort: () => true,
      mayBeHost: () => true,
      mayConnectTo: (address: string) => address === '127.0.0.2',
    };
    const poster = new CallbackPoster({ guard: trusting, timeoutMs: 2_000, lookup: shifting });
    expect(await post(`http://shop.example:${port}/`, poster)).toEqual({
      type: 'NO_ANSWER',
      code: 'FORBIDDEN_ADDRESS',
    });
    expect([reached, requests]).toEqual([['::ffff:127.0.0.1'], 0]);
  });
});

async function post(url: string, poster: CallbackPoster) {
  try {
    return await poster.post({ url, body: '{}', headers: {} });
  } finally {
    await poster.close();
  }
}

const posterFor = (ports: readonly number[] | null) =>
  new CallbackPoster({ guard: createOutgoingGuard(['127.0.0.1'], { ports }), timeoutMs: 2_000 });

const guarded = (lookup?: LookupFunction) =>
  new CallbackPoster({ guard, timeoutMs: 2_000, ...(lookup === undefined ? {} : { lookup }) });

/** An answer whose address is another one when it is read again. */
function shiftAfter(readsMax: number) {
  let reads = 0;
  return (target: LookupAddress, name: keyof LookupAddress) => {
    if (name !== 'address') return target[name];
    reads += 1;
    return reads > readsMax ? '127.0.0.1' : target[name];
  };
}

/** Judged well, and then another. */
const shifting: LookupFunction = (_, __, callback) =>
  callback(null, [new Proxy({ address: '127.0.0.2', family: 4 }, { get: shiftAfter(1) })]);

/** A certificate that vouches for itself. */
async function createCertificate(name: string): Promise<{ readonly key: string; readonly cert: string }> {
  const wish = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const of = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const { stdout } = await promisify(execFile)('openssl', ['req', '-x509', ...wish, ...of, '-keyout', '-']);
  const [key = '', cert = ''] = stdout.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [];
  return { key, cert };
}

const home: LookupFunction = (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
