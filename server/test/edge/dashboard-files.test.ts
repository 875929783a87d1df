import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerDashboard } from '../../src/edge/console/app.ts';
import { createLook } from '../../src/edge/pages/look/look.ts';

const look = createLook({ name: 'Pesa & Sons', colour: '#00594f', mark: null });
const directory = mkdtempSync(join(tmpdir(), 'dashboard-'));
const DEMO_LOGINS = {
  password: 'sandbox password',
  people: [{ email: 'owner@demo.example', name: 'Amina Owner', role: 'OWNER' }],
} as const;
/** A dashboard that no one is building. */
const BUILT = { directory, look, demoLogins: null, isBuilding: () => false };
const SCRIPT = 'console.log("hello");'.repeat(100);

let app: FastifyInstance;
beforeAll(() => {
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'assets/index-abc123.js'), SCRIPT);
  const page = '<html><head><meta name="style-nonce" content="__NONCE__" /></head><body></body></html>';
  writeFileSync(join(directory, 'index.html'), page);
  app = fastify();
  registerDashboard(app, { ...BUILT, environment: 'sandbox' });
});
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true });
});

test.each(['/dashboard', '/dashboard/', '/dashboard/m/1/team?x=1'])('%s is the application', async (url) => {
  const { statusCode, headers, body } = await app.inject({ url });
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(body).toContain('<title>Pesa &#38; Sons</title>');
  expect(body).toContain('<meta name="environment" content="sandbox" />');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
});

test('only our own scripts run, no one frames it, and each page has a nonce of its own for styles', async () => {
  const nonces = new Set<string>();
  for (const url of ['/dashboard', '/dashboard']) {
    const { headers, body } = await app.inject({ url });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
    expect(body).toContain(`content="${nonce}"`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(2);
});

test('a file whose name holds its hash is kept permanently, and compressed as the browser asks', async () => {
  const url = '/dashboard/assets/index-abc123.js';
  const plain = await app.inject({ url });
  expect([plain.body, plain.headers['content-encoding']]).toEqual([SCRIPT, undefined]);
  const small = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(SCRIPT);
  expect(small.rawPayload.length).toBeLessThan(SCRIPT.length / 10);
  expect(small.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
});

test('where it was not built, a page says how', async () => {
  const bare = fastify();
  const missing = { ...BUILT, directory: join(directory, 'nowhere') };
  registerDashboard(bare, { ...missing, environment: 'production' });
  const { statusCode, body } = await bare.inject({ url: '/dashboard/sign-in' });
  expect(statusCode).toBe(503);
  expect(body).toContain('Dashboard assets are missing');
  expect(body).toContain('npm run build:dashboard');
  await bare.close();
});

test('while it is being built its address says so and reloads, and then it is the dashboard', async () => {
  const later = join(directory, 'later');
  let isBuilding = true;
  const bare = fastify();
  registerDashboard(bare, {
    ...BUILT,
    directory: later,
    isBuilding: () => isBuilding,
    environment: 'sandbox',
  });
  const first = await bare.inject({ url: '/dashboard/sign-in' });
  expect([first.statusCode, first.headers['refresh']]).toEqual([503, '2']);
  expect(first.body).toContain('is being built');
  mkdirSync(join(later, 'assets'), { recursive: true });
  writeFileSync(join(later, 'index.html'), '<head></head>');
  expect((await bare.inject({ url: '/dashboard' })).statusCode).toBe(503);
  isBuilding = false;
  const then = await bare.inject({ url: '/dashboard/sign-in' });
  expect([then.statusCode, then.headers['refresh']]).toEqual([200, undefined]);
  expect(then.body).toContain('Pesa &#38; Sons');
  await bare.close();
});

test.each([
  ['sandbox', 1],
  ['production', 0],
] as const)('in %s the page names the demo logins %i times', async (environment, count) => {
  const bare = fastify();
  registerDashboard(bare, { ...BUILT, demoLogins: DEMO_LOGINS, environment });
  const { statusCode, body } = await bare.inject({ url: '/dashboard/sign-in' });
  expect(statusCode).toBe(200);
  expect(body.split('owner@demo.example')).toHaveLength(count + 1);
  expect(body.split('sandbox password')).toHaveLength(count + 1);
  await bare.close();
});
