import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerDocs } from '../../src/edge/docs.ts';
import { createLook } from '../../src/edge/pages/look/look.ts';

const look = createLook({ name: 'Malipo', colour: '#00594f', mark: null });
const folder = mkdtempSync(join(tmpdir(), 'docs-'));
const directory = join(folder, 'site');
const SCRIPT = 'document.title = "dark";';
const FILES: Readonly<Record<string, string>> = {
  'index.html': `<script id="theme">${SCRIPT}</script><script src="/docs/assets/app.abc.js"></script>`,
  '404.html': 'nothing here',
  'guides/index.html': 'guides',
  'guides/sandbox.html': 'sandbox',
  'guides/sandbox.html.br': 'sandbox as br',
  'guides/sandbox.html.gz': 'sandbox as gz',
  'api/v2.html': 'viewer',
  'assets/app.abc.js': 'app',
  'openapi/v2.json': '{}',
  'files/server/a.sql.txt': 'select',
};

let app: FastifyInstance;
beforeAll(() => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  writeFileSync(join(folder, 'outside.txt'), 'secret');
  app = fastify();
  registerDocs(app, { directory, look, isBuilding: () => false });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ['/docs/', 200, FILES['index.html'], 'text/html; charset=utf-8'],
  ['/docs/guides/', 200, 'guides', 'text/html; charset=utf-8'],
  ['/docs/guides/sandbox', 200, 'sandbox', 'text/html; charset=utf-8'],
  ['/docs/guides/sandbox.html?x=1', 200, 'sandbox', 'text/html; charset=utf-8'],
  ['/docs/openapi/v2.json', 200, '{}', 'application/json'],
  ['/docs/files/server/a.sql.txt', 200, 'select', 'text/plain; charset=utf-8'],
  ['/docs/nowhere', 404, 'nothing here', 'text/html; charset=utf-8'],
  ['/docs/../outside.txt', 404, undefined, undefined],
  ['/docs/..%2foutside.txt', 404, 'nothing here', 'text/html; charset=utf-8'],
])('%s is answered %i', async (url, status, text, type) => {
  const { statusCode, body, headers } = await app.inject({ url });
  expect(statusCode).toBe(status);
  expect(body).not.toContain('secret');
  if (text !== undefined) expect([body, headers['content-type']]).toEqual([text, type]);
});

test('/docs leads to the front page', async () => {
  const { statusCode, headers } = await app.inject({ url: '/docs' });
  expect([statusCode, headers.location]).toEqual([301, '/docs/']);
});

test('a page may run our scripts and its own by their hashes, ask this gateway, and nothing else', async () => {
  const { headers } = await app.inject({ url: '/docs/' });
  const policy = String(headers['content-security-policy']);
  const hash = createHash('sha256').update(SCRIPT).digest('base64');
  expect(policy).toContain(`default-src 'none'; script-src 'self' 'sha256-${hash}'; style-src 'self'; `);
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
});

test('the viewer draws its own styles, and its scripts are ours alone all the same', async () => {
  const { headers } = await app.inject({ url: '/docs/api/v2' });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("connect-src 'self';");
});

/** The page of the sandbox, and how it was sent. */
async function ask(accepted: string): Promise<readonly unknown[]> {
  const headers = { 'accept-encoding': accepted };
  const answer = await app.inject({ url: '/docs/guides/sandbox', headers });
  return [answer.body, answer.headers['content-encoding']];
}

test('a page is sent in the form that was made when it was built, as the browser asks', async () => {
  expect(await ask('gzip, deflate, br')).toEqual(['sandbox as br', 'br']);
  expect(await ask('gzip')).toEqual(['sandbox as gz', 'gzip']);
  expect(await ask('deflate')).toEqual(['sandbox', undefined]);
});

test('a file whose name holds its hash is kept permanently; of others a browser asks whether they are the same', async () => {
  const asset = await app.inject({ url: '/docs/assets/app.abc.js' });
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const page = await app.inject({ url: '/docs/guides/' });
  expect(page.headers['cache-control']).toBe('no-cache');
  const again = { 'if-none-match': String(page.headers.etag) };
  expect(await app.inject({ url: '/docs/guides/', headers: again })).toMatchObject({
    statusCode: 304,
    body: '',
  });
  expect(await app.inject({ url: '/docs/', headers: again })).toMatchObject({ statusCode: 200 });
});

test('where it was not built, a page says how', async () => {
  const bare = fastify();
  registerDocs(bare, { directory: join(directory, 'nowhere'), look, isBuilding: () => false });
  const { statusCode, body } = await bare.inject({ url: '/docs/guides/sandbox' });
  expect(statusCode).toBe(503);
  expect(body).toContain('npm run build:docs');
  await bare.close();
});
