// Signed callbacks, verified as merchants do it: with the published keys and nothing else.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createVerifier, httpbis } from 'http-message-signatures';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGateway } from '../src/commands/serve/compose.ts';
import { rotateSigningKey, withdrawSigningKey } from '../src/core/merchants/administer-keys.ts';
import { setCallbackUrl } from '../src/core/merchants/administer-merchants.ts';
import { rotateWhenDue } from '../src/core/access/signing-keys.ts';
import {
  call,
  initiate,
  eventually,
  openTestGateway,
  select,
  waitUntil,
  type TestGateway,
} from './gateway.ts';
import type { ReceivedCallback } from './receiver.ts';

type PublishedKey = { readonly id: string; readonly key: string };

async function readKeys(gateway: TestGateway, url = gateway.url): Promise<readonly PublishedKey[]> {
  const { body } = await call({ ...gateway, url }, 'GET', '/v2/public-key/http');
  return body as unknown as readonly PublishedKey[];
}

/** A received callback as the library wants it. */
function messageOf(gateway: TestGateway, { headers, path }: ReceivedCallback) {
  const url = new URL(path, gateway.receiver.url).href;
  return { method: 'POST', url, headers: headers as Record<string, string | string[]> };
}

/** As public samples do it: the library's verification, with Node's own reading of DER. */
async function isVerified(
  gateway: TestGateway,
  callback: ReceivedCallback,
  findKey: (id: string) => Promise<string | undefined>,
): Promise<boolean | null> {
  const { createVerify } = await import('node:crypto');
  return httpbis.verifyMessage(
    {
      keyLookup: async ({ keyid = '' }) => {
        const pem = await findKey(keyid);
        if (pem === undefined) return null;
        const verify = async (data: Buffer, bytes: Buffer) =>
          createVerify('sha256').update(data).verify(pem, bytes);
        return { id: keyid, algs: ['ecdsa-p256-sha256'], verify };
      },
      requiredFields: COMPONENTS,
      requiredParams: ['alg', 'keyid', 'created', 'expires'],
      tolerance: 5,
    },
    messageOf(gateway, callback),
  );
}

const COMPONENTS = ['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type'];

function digestFits({ headers, text }: ReceivedCallback): boolean {
  return headers['content-digest'] === `sha-512=:${createHash('sha512').update(text).digest('base64')}:`;
}

async function nextCallback(gateway: TestGateway, depositId: string): Promise<ReceivedCallback> {
  const find = () => gateway.receiver.received.find(({ body }) => body['depositId'] === depositId);
  await waitUntil(() => find() !== undefined);
  return find()!;
}

describe('a callback', () => {
  let gateway: TestGateway;
  let callback: ReceivedCallback;
  beforeAll(async () => {
    gateway = await openTestGateway();
    callback = await nextCallback(gateway, await initiate(gateway));
  });
  afterAll(() => gateway.stop());

  test('a callback is signed with the components, parameters and label of this API family', () => {
    const [components, times] = String(callback.headers['signature-input']).split(';created=');
    expect(components).toBe(
      'sig-pp=("@method" "@authority" "@path" "signature-date" "content-digest" "content-type")' +
        ';alg="ecdsa-p256-sha256";keyid="HTTP_EC_P256_KEY:1"',
    );
    expect(times).toMatch(new RegExp(`^\\d+;expires=\\d+;tag="${gateway.merchantId}"$`));
    expect(callback.headers['content-type']).toBe('application/json; charset=UTF-8');
    expect(callback.headers['accept-signature']).toBe(
      'ecdsa-p256-sha256,ecdsa-p384-sha384,rsa-v1_5-sha256,rsa-pss-sha512',
    );
    expect(callback.headers['accept-digest']).toBe('sha-512,sha-256');
    expect(callback.headers['signature-date']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(digestFits(callback)).toBe(true);
  });

  test('a callback is verified by the http-message-signatures library and the published key', async () => {
    const [key] = await readKeys(gateway);
    expect(key!.key).toMatch(/^-----BEGIN PUBLIC KEY-----\n(.{64}\n)+.+\n-----END PUBLIC KEY-----\n$/);
    expect(await isVerified(gateway, callback, async (id) => (id === key!.id ? key!.key : undefined))).toBe(
      true,
    );
  });

  test('a callback is not verified when its path is another', async () => {
    const [key] = await readKeys(gateway);
    expect(await isVerified(gateway, { ...callback, path: '/x' }, async () => key!.key)).toBe(false);
  });

  test('a callback is verified by openssl and the published key', async () => {
    const [key] = await readKeys(gateway);
    const input = String(callback.headers['signature-input']).replace('sig-pp=', '');
    const base = [
      '"@method": POST',
      `"@authority": ${callback.headers.host}`,
      `"@path": ${callback.path}`,
      `"signature-date": ${String(callback.headers['signature-date'])}`,
      `"content-digest": ${String(callback.headers['content-digest'])}`,
      `"content-type": ${callback.headers['content-type']}`,
      `"@signature-params": ${input}`,
    ].join('\n');
    expect(await opensslVerifies(key!.key, base, signatureOf(callback))).toBe(true);
    expect(await opensslVerifies(key!.key, `${base} `, signatureOf(callback))).toBe(false);
  });

  test('a callback covers the query of an address that has one', async () => {
    const { engine, merchantId, receiver } = gateway;
    await setCallbackUrl(engine, { by: 'test', merchantId, url: `${receiver.url}?shop=1&b=%20` });
    const received = await nextCallback(gateway, await initiate(gateway));
    expect(received.path).toBe('/callbacks?shop=1&b=%20');
    expect(received.headers['signature-input']).toContain('"content-type" "@query")');
    const [key] = await readKeys(gateway);
    expect(await isVerified(gateway, received, async () => key!.key)).toBe(true);
    await setCallbackUrl(engine, { by: 'test', merchantId, url: receiver.url });
  });

  test('a callback has one body and a signature of its own on every attempt', async () => {
    gateway.receiver.answerWith({ status: 500 });
    const depositId = await initiate(gateway);
    await nextCallback(gateway, depositId);
    gateway.receiver.answerWith({ status: 200 });
    await gateway.gateway.movableClock!.move(10_000);
    gateway.engine.wake();
    const ofDeposit = () => gateway.receiver.received.filter(({ body }) => body['depositId'] === depositId);
    await eventually(() => ofDeposit().length).toBe(2);
    const [first, second] = ofDeposit();
    expect(second!.text).toBe(first!.text);
    expect(second!.headers['signature']).not.toBe(first!.headers['signature']);
    const [key] = await readKeys(gateway);
    expect(await isVerified(gateway, second!, async () => key!.key)).toBe(true);
  });

  test('the private key is nowhere in the database but encrypted', async () => {
    const [row] = await select(
      gateway,
      'select encrypted_private_key as encrypted from service_signing_keys',
    );
    const encrypted = row!['encrypted'] as Buffer;
    // The object identifier of the curve, which every unencrypted form contains.
    expect(encrypted.includes(Buffer.from('06082a8648ce3d030107', 'hex'))).toBe(false);
  });
});

test('with the setting "raw" a callback is verified by the library alone', async () => {
  const gateway = await openTestGateway({ signatures: { encoding: 'raw' } });
  try {
    const callback = await nextCallback(gateway, await initiate(gateway));
    const [key] = await readKeys(gateway);
    const verify = createVerifier(key!.key, 'ecdsa-p256-sha256');
    const options = { keyLookup: async () => ({ verify }), tolerance: 5 };
    expect(await httpbis.verifyMessage(options, messageOf(gateway, callback))).toBe(true);
    expect(signatureOf(callback)).toHaveLength(64);
  } finally {
    await gateway.stop();
  }
});

function signatureOf({ headers }: ReceivedCallback): Buffer {
  return Buffer.from(String(headers['signature']).replace(/^sig-pp=:(.*):$/, '$1'), 'base64');
}

/** With files and the command line, as somebody does who trusts no library. */
async function opensslVerifies(pem: string, base: string, signature: Buffer): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-openssl-'));
  try {
    await writeFile(join(folder, 'key.pem'), pem);
    await writeFile(join(folder, 'base'), base);
    await writeFile(join(folder, 'signature'), signature);
    const args = ['dgst', '-sha256', '-verify', 'key.pem', '-signature', 'signature', 'base'];
    const run = promisify(execFile)('openssl', args, { cwd: folder });
    return await run.then(
      ({ stdout }) => stdout.includes('Verified OK'),
      () => false,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('rotation', () => {
  test('under load, no callback fails for a client that reads the keys again when it meets an unknown one', async () => {
    // The worker sees a new key at once; the process that the client asks remembers the old list for a second, and is
    // asked all the time, so that its memory is as stale as it can be.
    const load = { isDone: false };
    const gateway = await openTestGateway({ simulator: { outcomeDelayMs: 50 } });
    const other = await openGateway(
      { ...gateway.config, simulator: null, directoryRememberMs: 1_000 },
      { role: 'api', logTo: 2 },
    );
    try {
      const { url: otherUrl } = await other.start();
      const known = new Map<string, string>();
      let reads = 0;
      const findKey = async (id: string) => {
        if (!known.has(id)) {
          reads += 1;
          for (const one of await readKeys(gateway, otherUrl)) known.set(one.id, one.key);
        }
        return known.get(id);
      };
      const failed: string[] = [];
      const ids = [1, 2, 3, 4].map((no) => `HTTP_EC_P256_KEY:${no}`);
      const usedKeys = new Set<string>();
      let verified = 0;
      const rotating = { isDone: false };
      const client = (async () => {
        while (!load.isDone || verified < gateway.receiver.received.length) {
          const callback = gateway.receiver.received[verified];
          if (callback === undefined) {
            await new Promise((resolve) => setTimeout(resolve, 5));
            continue;
          }
          verified += 1;
          usedKeys.add(/keyid="([^"]+)"/.exec(String(callback.headers['signature-input']))?.[1] ?? '');
          const isGood = await isVerified(gateway, callback, findKey).catch(() => false);
          if (isGood !== true) failed.push(String(callback.headers['signature-input']));
        }
      })();
      const others = (async () => {
        while (!load.isDone) {
          await readKeys(gateway, otherUrl);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      })();
      const rotations = (async () => {
        for (const [index, id] of ids.entries()) {
          await eventually(() => usedKeys.has(id)).toBe(true);
          // Longer than anybody remembers, as a host's least lead is.
          if (index < 3) await rotateSigningKey(gateway.engine, { by: 'test', leadMs: 2_500 });
        }
      })().finally(() => (rotating.isDone = true));
      const deposits: string[] = [];
      while (!rotating.isDone) {
        deposits.push(...(await Promise.all(Array.from({ length: 10 }, () => initiate(gateway)))));
      }
      await rotations;
      await eventually(() => gateway.receiver.received.length).toBeGreaterThanOrEqual(deposits.length);
      load.isDone = true;
      await Promise.all([client, others]);
      expect(failed).toEqual([]);
      expect(verified).toBeGreaterThan(50);
      expect([...usedKeys].toSorted()).toEqual(ids);
      // Published before use: the client never asked more often than there were keys.
      expect(reads).toBeLessThanOrEqual(4);
    } finally {
      load.isDone = true;
      await other.stop();
      await gateway.stop();
    }
  });

  test('rotation happens by itself when the key is old enough, once, and the old key stays for as long as it must', async () => {
    const gateway = await openTestGateway({ role: 'api' });
    const { engine } = gateway;
    const clock = gateway.gateway.movableClock!;
    const DAY_MS = 86_400_000;
    const settings = { keyDays: 90, keyLeadSeconds: 86_400 };
    const ids = async () => (await readKeys(gateway)).map(({ id }) => id.replace('HTTP_EC_P256_KEY:', ''));
    try {
      expect(await ids()).toEqual(['1']);
      await rotateWhenDue(engine, settings);
      expect(await ids()).toEqual(['1']);
      await clock.move(90 * DAY_MS);
      await Promise.all(Array.from({ length: 5 }, () => rotateWhenDue(engine, settings)));
      expect(await ids()).toEqual(['1', '2']);
      await clock.move(DAY_MS);
      expect(await ids()).toEqual(['2', '1']);
      await clock.move(14 * DAY_MS);
      expect(await ids()).toEqual(['2', '1']);
      await clock.move(DAY_MS);
      expect(await ids()).toEqual(['2']);
    } finally {
      await gateway.stop();
    }
  });

  test('a stolen key is published no more; the one that signs cannot be taken away', async () => {
    const gateway = await openTestGateway({ role: 'api' });
    const { engine } = gateway;
    const withdraw = (no: number) =>
      withdrawSigningKey(engine, { by: 'test', keyId: `HTTP_EC_P256_KEY:${no}` });
    try {
      expect(await readKeys(gateway)).toHaveLength(1);
      expect(await withdraw(1)).toBe('IN_USE');
      await rotateSigningKey(engine, { by: 'test', leadMs: 0 });
      expect(await withdraw(1)).toBe('WITHDRAWN');
      expect((await readKeys(gateway)).map(({ id }) => id)).toEqual(['HTTP_EC_P256_KEY:2']);
      expect(await withdraw(1)).toBe('UNKNOWN');
      expect(await withdraw(9)).toBe('UNKNOWN');
    } finally {
      await gateway.stop();
    }
  });
});
