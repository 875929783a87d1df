import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMerchant, createToken } from '../../src/core/merchants/administer-merchants.ts';
import { readAuditLog } from '../../src/core/audit.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import type { TestGateway } from '../gateway.ts';
import { approvalIn, decideAt } from './asked.ts';
import { confirmed, openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let developer: TestPerson;
const at = (rest: string) => `api/merchants/${gateway.merchantId}/${rest}`;

/** How a request with this token is answered. */
async function read(text: string): Promise<number> {
  const headers = { authorization: `Bearer ${text}` };
  return (await fetch(`${gateway.url}/v2/wallet-balances`, { headers })).status;
}

function pemOf(): string | Buffer {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return publicKey.export({ type: 'spki', format: 'pem' });
}

beforeAll(async () => {
  gateway = await openTestConsole({ directoryRememberMs: 0 });
  developer = await confirmed(await signedIn(gateway, 'DEVELOPER'));
});
afterAll(() => gateway.stop());

describe('a callback address', () => {
  test('a callback address is set for some kinds, shown with its health, and tried with a signed message', async () => {
    const { status, body } = await developer.call('GET', at('callbacks'));
    expect(status).toBe(200);
    expect(body.endpoints[0]).toMatchObject({ url: gateway.receiver.url, state: 'WORKING', waiting: 0 });

    const tried = await developer.call('POST', at('callbacks/DEPOSIT/test'));
    expect(tried.body).toMatchObject({ isAcknowledged: true, httpStatus: 200, error: null });
    expect(gateway.receiver.received.at(-1)?.body).toMatchObject({ test: true, kind: 'DEPOSIT' });
    expect(gateway.receiver.received.at(-1)?.headers['signature']).toBeDefined();

    const url = 'http://127.0.0.1:1/none';
    expect((await developer.call('PUT', at('callbacks'), { kinds: ['PAYOUT'], url })).status).toBe(200);
    const failed = await developer.call('POST', at('callbacks/PAYOUT/test'));
    expect(failed.body).toMatchObject({ isAcknowledged: false, httpStatus: null, error: 'ECONNREFUSED' });
  });

  test('a callback address that is not a URL, or is not switched off, is refused with what to do', async () => {
    const kinds = ['DEPOSIT'];
    expect((await developer.call('PUT', at('callbacks'), { kinds, url: 'ftp://x.example' })).status).toBe(
      400,
    );
    expect((await developer.call('POST', at('callbacks/DEPOSIT/enable'))).status).toBe(409);
  });
});

describe('a token', () => {
  test('a token is made with scopes, shown once, and no longer works when it is revoked', async () => {
    const order = { name: 'shop server', scopes: ['finances:read'], expiresAt: null };
    const made = await developer.call('POST', at('tokens'), order);
    expect(made.status).toBe(200);
    expect(await read(made.body.text)).toBe(200);
    const listed = await developer.call('GET', at('tokens'));
    expect(listed.body.tokens).toContainEqual(
      expect.objectContaining({ name: 'shop server', state: 'ACTIVE', scopes: ['finances:read'] }),
    );
    expect(JSON.stringify(listed.body)).not.toContain(made.body.text);
    expect((await developer.call('DELETE', at(`tokens/${made.body.tokenId}`))).status).toBe(200);
    expect(await read(made.body.text)).toBe(401);
    expect((await developer.call('DELETE', at(`tokens/${made.body.tokenId}`))).status).toBe(409);
  });

  test('of another merchant cannot be revoked', async () => {
    const other = await createMerchant(gateway.engine, {
      by: 'test',
      companyName: 'Other',
      operations: OPERATIONS,
      walletPerProvider: false,
    });
    const token = { by: 'test', merchantId: other, name: 'theirs', scopes: [], expiresAt: null };
    const { tokenId } = await createToken(gateway.engine, token);
    expect((await developer.call('DELETE', at(`tokens/${tokenId}`))).status).toBe(404);
  });

  test('with a scope no one has is not made', async () => {
    const order = { name: 'x', scopes: ['everything'], expiresAt: null };
    expect((await developer.call('POST', at('tokens'), order)).status).toBe(400);
  });
});

describe('a public key', () => {
  test('a public key must be there before signatures can be required', async () => {
    const merchantId = await createMerchant(gateway.engine, {
      by: 'test',
      companyName: 'Signing Shop',
      operations: OPERATIONS,
      walletPerProvider: false,
    });
    const owner = await confirmed(await signedIn(gateway, 'OWNER', merchantId));
    const path = `api/merchants/${merchantId}`;
    expect((await owner.call('PUT', `${path}/signed-requests-only`, { isRequired: true })).status).toBe(409);
    const key = { name: randomUUID(), algorithm: 'ecdsa-p256-sha256', pem: pemOf() };
    expect((await owner.call('POST', `${path}/keys`, key)).body.fingerprint).toMatch(/\w/);
    const approvalId = await approvalIn(gateway, owner, 'PUBLIC_KEY');
    const second = await confirmed(await signedIn(gateway, 'FINANCE', merchantId));
    expect((await decideAt(gateway, merchantId, second, approvalId, 'approve')).status).toBe(200);
    expect((await owner.call('POST', `${path}/keys`, key)).status).toBe(409);
    expect((await owner.call('PUT', `${path}/signed-requests-only`, { isRequired: true })).status).toBe(200);
    const { body } = await owner.call('GET', `${path}/keys`);
    expect(body).toMatchObject({ signedRequestsOnly: true, keys: [{ name: key.name }] });
    expect((await owner.call('DELETE', `${path}/keys/${key.name}`)).status).toBe(200);
    const acts = await readAuditLog(gateway.engine, { merchantId, countMax: 20 });
    expect(acts.map(({ act }) => act)).toEqual(
      expect.arrayContaining(['PUBLIC_KEY_ADDED', 'SIGNATURES_SET', 'PUBLIC_KEY_REMOVED']),
    );
    expect(acts.every(({ actor }) => ['test', owner.email, second.email].includes(actor))).toBe(true);
  });

  test('a public key that cannot be read is refused with the reason', async () => {
    const key = { name: 'broken', algorithm: 'ecdsa-p256-sha256', pem: 'x'.repeat(60) };
    const { status, body } = await developer.call('POST', at('keys'), key);
    expect([status, body.failureReason.failureCode]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('the look of pages', () => {
  const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');

  test('a colour and a logo are set, read again, and recorded', async () => {
    const look = { colour: '#8a1538', logo: { base64: SVG } };
    expect((await developer.call('PUT', at('page-brand'), look)).status).toBe(200);
    const { body } = await developer.call('GET', at('page-brand'));
    expect(body).toEqual({ colour: '#8a1538', logo: { type: 'image/svg+xml', base64: SVG } });
    const [latest] = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 1 });
    expect(latest).toMatchObject({ act: 'PAGE_BRAND_SET', actor: developer.email });
    expect((await developer.call('PUT', at('page-brand'), { colour: null, logo: null })).status).toBe(200);
    expect((await developer.call('GET', at('page-brand'))).body).toEqual({ colour: null, logo: null });
  });

  test.each([
    ['a colour by name', { colour: 'red', logo: null }],
    ['a logo of another kind', { colour: null, logo: { base64: 'R0lGODlh' } }],
    ['a logo that is too heavy', { colour: null, logo: { base64: 'A'.repeat(8_004) } }],
  ])('%s is refused', async (_, look) => {
    expect((await developer.call('PUT', at('page-brand'), look)).status).toBe(400);
  });

  test('the look of pages is changed by those who may change settings', async () => {
    const support = await confirmed(await signedIn(gateway, 'SUPPORT'));
    expect((await support.call('PUT', at('page-brand'), { colour: null, logo: null })).status).toBe(403);
  });
});
