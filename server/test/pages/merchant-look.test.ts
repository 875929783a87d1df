// A merchant's own colour and logo on its pages: served by us, small, and unable to do or to load anything. And the
// mark of a sandbox.
import { randomUUID } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changePageBrand } from '../../src/core/merchants/page-brand.ts';
import { parseMark } from '../../src/edge/pages/look/brand.ts';
import { openAccount, type Account } from '../edge/accounts.ts';
import { call, openTestGateway, type TestGateway } from '../gateway.ts';
import { load } from './forms.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ directoryRememberMs: 0 });
});
afterAll(() => gateway.stop());

/** A PNG as far as anyone looks at it who does not draw it. */
function png(width: number, height: number, filling = 0): Buffer {
  const bytes = Buffer.alloc(33 + filling);
  bytes.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

async function openPage(account: Pick<Account, 'url' | 'apiToken'>): Promise<string> {
  const { body } = await call(account, 'POST', '/v2/paymentpage', {
    depositId: randomUUID(),
    returnUrl: 'https://shop.example/back',
    country: 'RWA',
    amountDetails: { amount: '100', currency: 'RWF' },
    phoneNumber: '250783456789',
  });
  return String(body['redirectUrl']);
}

const logoIn = (text: string) => /<img class="logo" src="([^"]+)"/.exec(text)?.[1];

describe('a merchant with a colour and a logo', () => {
  let account: Account;
  let url: string;
  /** Bytes that do not get smaller. */
  const logo = Buffer.concat([png(200, 60), deflateSync(Buffer.from(randomUUID().repeat(150)))]);

  beforeAll(async () => {
    account = await openAccount(gateway, { companyName: 'Duka la Asha' });
    const { merchantId } = account;
    await changePageBrand(gateway.engine, { by: 'test', merchantId, colour: '#8a1538', logo });
    url = await openPage(account);
  });

  test('its pages have its colour, its logo and its name on top, and the host’s name below', async () => {
    const { text } = await load(url);
    expect(text).toMatch(/--band:#8a1538;--on-band:#ffffff;--action:#8a1538/);
    expect(text).toMatch(/<p><img class="logo" [^>]+><span>Duka la Asha<\/span><\/p>/);
    expect(text).toContain('Payments by Malipo');
  });

  test('the logo comes from the page’s own origin, cannot change, and can do nothing', async () => {
    const path = logoIn((await load(url)).text)!;
    const answer = await fetch(`${gateway.url}${path}`);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(logo);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('set-cookie')).toBeNull();
    const policy = (await fetch(url)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("img-src 'self';");
  });

  test('the logo is found under its own hash only, and below pages of its merchant only', async () => {
    const path = logoIn((await load(url)).text)!;
    expect((await load(`${gateway.url}${path.replace(/.$/, 'x')}`)).status).toBe(404);
    const other = new URL(await openPage(await openAccount(gateway)));
    const hash = path.slice(path.lastIndexOf('/') + 1);
    expect((await load(`${gateway.url}${other.pathname}/logo/${hash}`)).status).toBe(404);
  });

  test('what is set to nothing is the host’s again', async () => {
    const plain = await openAccount(gateway);
    const order = { by: 'test', merchantId: plain.merchantId };
    await changePageBrand(gateway.engine, { ...order, colour: '#8a1538', logo });
    await changePageBrand(gateway.engine, { ...order, colour: null, logo: null });
    const { text } = await load(await openPage(plain));
    expect(text).not.toContain('#8a1538');
    expect(logoIn(text)).toBeUndefined();
    expect(text).not.toContain('Payments by');
  });

  test('a first view with the largest logo has at most 14 KB', async () => {
    const { merchantId } = account;
    const heavy = Buffer.concat([png(200, 60), Buffer.alloc(5_967, 1)]);
    await changePageBrand(gateway.engine, { by: 'test', merchantId, logo: heavy });
    const { text } = await load(url);
    const assets = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    const loaded = await Promise.all(
      assets.map(async (path) => (await fetch(`${gateway.url}${path}`)).arrayBuffer()),
    );
    const weights = [Buffer.from(text), ...loaded.map((bytes) => Buffer.from(bytes))].map(
      (bytes) => gzipSync(bytes).length,
    );
    expect(heavy.length).toBe(6_000);
    expect(weights.reduce((sum, bytes) => sum + bytes, heavy.length)).toBeLessThanOrEqual(14 * 1024);
  });
});

test.each([
  ['a photograph', Buffer.from('\xff\xd8\xff', 'latin1'), /SVG or PNG/],
  ['an image that is too heavy', png(10, 10, 6_000), /6033 bytes/],
  ['an image that is too large', png(20_000, 10), /1024 pixels/],
])('%s is not taken as a logo', (_, bytes, problem) => {
  expect(parseMark(bytes)).toMatchObject({ type: 'PROBLEM', problem: expect.stringMatching(problem) });
});

test.each([
  ['en', 'Test mode. No real money moves.'],
  ['fr', 'Mode test. Sans argent réel.'],
  ['pt', 'Modo de teste. Sem dinheiro real.'],
  ['sw', 'Majaribio. Si pesa halisi.'],
])('a page of a sandbox says so in %s', async (language, mark) => {
  expect((await load(`${await openPage(gateway)}?lang=${language}`)).text).toContain(mark);
});

test('a page of production does not', async () => {
  const production = await openTestGateway({ environment: 'production' });
  try {
    const { text } = await load(`${production.url}/pay/none`);
    expect(text).toContain('This page does not exist');
    expect(text).not.toContain('Test mode');
  } finally {
    await production.stop();
  }
});
