// Badges for countries and providers, and the addresses under which answers name them.
import { get as httpGet, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGateway } from '../../src/commands/serve/compose.ts';
import { findCountry, listProviders } from '../../src/domain/operators/catalogue.ts';
import { call, openTestGateway, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

const load = (path: string) => fetch(`${gateway.url}${path}`);

async function draw(path: string): Promise<string> {
  const answer = await load(path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
  return answer.text();
}

describe('the drawings', () => {
  test('there is one for every address in the active configuration, and it needs no token', async () => {
    const { body } = await call(gateway, 'GET', '/v2/active-conf');
    const addresses: string[] = body['countries'].flatMap(({ flag, providers }: any) => [
      flag,
      ...providers.map(({ logo }: any) => logo),
    ]);
    expect(addresses).toHaveLength(20 + 42);
    for (const address of addresses) {
      expect(address.startsWith(`${gateway.url}/artwork/`)).toBe(true);
      await draw(address.slice(gateway.url.length));
    }
  });

  test('a flag shows the code of its country and is called by its name', async () => {
    const svg = await draw('/artwork/flags/CIV.svg');
    expect(svg).toContain('>CIV</text>');
    expect(svg).toContain('aria-label="Ivory Coast"');
  });

  test.each([
    ['MTN_MOMO_RWA', 'MTN', 'RWA'],
    ['MPESA_LSO', 'MP', 'LSO'],
    ['ORANGE_SEN', 'OR', 'SEN'],
    ['AIRTELTIGO_GHA', 'AT', 'GHA'],
  ])('the badge of %s shows %s and its country', async (code, initials, country) => {
    const svg = await draw(`/artwork/providers/${code}.svg`);
    expect(svg).toContain(`>${initials}</text>`);
    expect(svg).toContain(`>${country}</text>`);
  });

  test('all are well-formed, alike for everybody, and load nothing', async () => {
    const names = listProviders().flatMap(({ code, country }) => [
      `providers/${code}.svg`,
      `flags/${findCountry(country)!.alpha3}.svg`,
    ]);
    for (const name of new Set(names)) {
      const svg = await draw(`/artwork/${name}`);
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/);
      expect(svg).not.toMatch(/href|<script|<image|url\(/);
      expect(await draw(`/artwork/${name}`)).toBe(svg);
    }
  });

  test('the drawings may be kept for a month and shown anywhere, but never run', async () => {
    const { headers } = await load('/artwork/flags/RWA.svg');
    expect(headers.get('cache-control')).toBe('public, max-age=2592000');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test.each([
    'flags/FRA.svg',
    'flags/rwa.svg',
    'flags/RWA.png',
    'flags/RWA',
    'flags/.svg',
    'flags/constructor.svg',
    'providers/NO_ONE_RWA.svg',
    'providers/__proto__.svg',
    'providers/..%2Fflags%2FRWA.svg',
  ])('there is none at %s', async (name) => {
    const answer = await load(`/artwork/${name}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ failureReason: { failureCode: 'ROUTE_NOT_FOUND' } });
    expect(answer.headers.get('cache-control')).toBeNull();
  });
});

describe('the address of a drawing', () => {
  test('the address of a drawing is under the host that the request was sent to', async () => {
    expect(await flagAt(gateway.url)).toBe(`${gateway.url}/artwork/flags/RWA.svg`);
    expect(await flagAt(gateway.url, 'pay.example:8443')).toBe(
      'http://pay.example:8443/artwork/flags/RWA.svg',
    );
  });

  test('the address of a drawing is under MALIPO_PUBLIC_URL where that is set, whatever the request says', async () => {
    const config = { ...gateway.config, publicUrl: 'https://pay.example.com/gateway' };
    const other = await openGateway(config, { role: 'api', logTo: 2 });
    try {
      const { url } = await other.start();
      for (const host of [undefined, 'evil.example']) {
        expect(await flagAt(url, host)).toBe('https://pay.example.com/gateway/artwork/flags/RWA.svg');
      }
    } finally {
      await other.stop();
    }
  });
});

/** The flag of Rwanda, for a request that names `host`. fetch does not let a client choose that. */
async function flagAt(url: string, host = new URL(url).host): Promise<string> {
  const headers = { host, authorization: `Bearer ${gateway.apiToken}` };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet(`${url}/v2/active-conf?country=RWA`, { headers, agent: false }, resolve).on('error', reject);
  });
  const { countries } = JSON.parse(await text(answer));
  return countries[0].flag;
}
