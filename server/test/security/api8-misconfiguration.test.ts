// OWASP API8:2023, Security Misconfiguration: what every answer must and must not carry, pages against clickjacking and
// foreign scripts, no way in for other sites. What production refuses to start with: edge/production.test.ts.
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestConsole } from '../console/people.ts';
import { select, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestConsole({ role: 'api' });
});
afterAll(() => gateway.stop());

const PAGES = ['/dashboard', '/dashboard/m/x/team', '/docs/', '/pay/x', '/checkout/x'];
const OTHERS = [
  '/health',
  '/metrics',
  '/nothing',
  '/v2/deposits/x',
  '/deposits/x',
  '/console/api/me',
  '/console/x',
];

const EVIL = 'https://evil.example';

type Asked = { readonly method?: string; readonly headers?: Readonly<Record<string, string>> };

const ask = (path: string, init: Asked = {}) =>
  fetch(gateway.url + path, { redirect: 'manual', ...init, headers: { origin: EVIL, ...init.headers } });

describe('every answer', () => {
  test.each([...PAGES, ...OTHERS])(
    '%s: is taken for what it says it is, and for no other site',
    async (path) => {
      const { headers } = await ask(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect([headers.get('server'), headers.get('x-powered-by'), headers.get('set-cookie')]).toEqual([
        null,
        null,
        null,
      ]);
    },
  );

  test.each(['/v2/payouts', '/console/api/me', '/console/auth/sign-in/email', '/pay/x'])(
    '%s: another site that asks beforehand is not let in',
    async (path) => {
      const headers = {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      };
      const answer = await ask(path, { method: 'OPTIONS', headers });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    },
  );
});

describe('a page', () => {
  test.each(PAGES)('%s: is framed by no one and loads nothing that is not allowed', async (path) => {
    const { headers } = await ask(path, { headers: { accept: 'text/html' } });
    expect(headers.get('content-type')).toContain('text/html');
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy.split('; ')).toContain(part);
    const scripts = policy.split('; ').find((part) => part.startsWith('script-src')) ?? '';
    expect(scripts).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });
});

test('an error of ours says nothing about how we are built', async () => {
  await select(gateway, 'alter table api_tokens rename to api_tokens_away');
  try {
    const headers = { authorization: `Bearer ${gateway.apiToken}` };
    const answer = await ask('/v2/wallet-balances', { headers });
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).toContain('UNKNOWN_ERROR');
    expect(text).not.toMatch(/api_tokens|relation|select|\.ts|at /);
  } finally {
    await select(gateway, 'alter table api_tokens_away rename to api_tokens');
  }
});

test('TRACE, which would repeat cookies and tokens, is not answered', async () => {
  const { hostname, port } = new URL(gateway.url);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { cookie: 'secret=1' };
    httpRequest({ hostname, port, method: 'TRACE', path: '/v2/payouts', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect([404, 405]).toContain(status);
});
