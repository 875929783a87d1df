// The same software started as production: nothing of the sandbox is left. Row "Environments" of completions.md.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGateway, type Gateway } from '../../src/commands/serve/compose.ts';
import { readConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/config-values.ts';
import { createTokenText } from '../../src/core/access/api-token.ts';
import { PHONE_SCRIPT } from '../../src/sandbox/phone/phone-script.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import {
  call,
  depositRequest,
  openTestGateway,
  payer,
  SIMULATOR_CLIENT,
  type Answer,
  type TestGateway,
} from '../gateway.ts';
import { openAccount, type Account } from './accounts.ts';
import { told } from './answers.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

const PRODUCTION = {
  MALIPO_ENVIRONMENT: 'production',
  DATABASE_URL: 'postgres://127.0.0.1/malipo',
  MALIPO_ENCRYPTION_KEYS: `1:${KEY}`,
  MALIPO_SEARCH_KEY: KEY,
  MALIPO_REFERENCE_KEY: KEY,
  MALIPO_PUBLIC_URL: 'https://pay.example',
  MALIPO_LINK_KEYS: KEY,
};

describe('the configuration of production', () => {
  test('the configuration of production has no simulator and no movable clock', () => {
    expect(readConfig(PRODUCTION)).toMatchObject({ simulator: null, clockIsMovable: false });
  });

  test('the configuration of production refuses a simulator', () => {
    const env = { ...PRODUCTION, MALIPO_SIMULATOR_URL: 'http://127.0.0.1:9000' };
    expect(() => readConfig(env)).toThrow(
      new ConfigError('Production has no simulator: unset MALIPO_SIMULATOR_URL.'),
    );
  });

  test('the configuration of production refuses a movable clock', () => {
    const env = { ...PRODUCTION, MALIPO_MOVABLE_CLOCK: 'on' };
    expect(() => readConfig(env)).toThrow(
      new ConfigError('Production has real time only: unset MALIPO_MOVABLE_CLOCK.'),
    );
  });
});

describe('B12: the public address of production', () => {
  test('production does not start without a public address, and the message names the setting', () => {
    const { MALIPO_PUBLIC_URL: _publicUrl, ...env } = PRODUCTION;
    for (const without of [env, { ...env, MALIPO_PUBLIC_URL: '' }]) {
      expect(() => readConfig(without)).toThrow(
        new ConfigError(
          'MALIPO_PUBLIC_URL is not set. It must hold the address where people reach this gateway, such as ' +
            'https://pay.example.com.',
        ),
      );
    }
    expect(readConfig({ ...env, MALIPO_ENVIRONMENT: 'sandbox' }).publicUrl).toBeNull();
  });

  test('browsers are told to come back by https only, on every answer, where the public address is https', async () => {
    const [secure, plain] = [await openTestGateway(AT_HTTPS), await openTestGateway(AT_HTTP)];
    const paths = ['/v2/deposits/x', '/health', '/nowhere', '/docs/', '/dashboard/', '/widget/none'];
    try {
      for (const path of paths) {
        expect([path, await transportSecurityOf(secure, path)]).toEqual([path, 'max-age=31536000']);
        expect([path, await transportSecurityOf(plain, path)]).toEqual([path, null]);
      }
    } finally {
      await Promise.all([secure.stop(), plain.stop()]);
    }
  });

  test('also what Node refuses before there is a request', async () => {
    const production = await openTestGateway(AT_HTTPS);
    const sandbox = await openTestGateway({ publicUrl: 'https://pay.example', role: 'api' });
    try {
      const header = 'strict-transport-security: max-age=31536000\r\n';
      expect(await answerToNonsense(production)).toContain(header);
      expect(await answerToNonsense(sandbox)).not.toContain(header);
    } finally {
      await Promise.all([production.stop(), sandbox.stop()]);
    }
  });

  test('a sandbox sends no such header: it may be on a developer machine', async () => {
    const sandbox = await openTestGateway({ publicUrl: 'https://pay.example', role: 'api' });
    try {
      expect(await transportSecurityOf(sandbox, '/health')).toBeNull();
    } finally {
      await sandbox.stop();
    }
  });
});

const AT_HTTPS = { environment: 'production', role: 'api', publicUrl: 'https://pay.example' } as const;
const AT_HTTP = { ...AT_HTTPS, publicUrl: 'http://pay.example' } as const;

async function transportSecurityOf({ url }: TestGateway, path: string): Promise<string | null> {
  const { headers } = await fetch(`${url}${path}`);
  return headers.get('strict-transport-security');
}

async function answerToNonsense({ url }: TestGateway): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end('this is not HTTP\r\n\r\n');
  return readText(socket);
}

describe('the database of production', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('the database of production is refused once it has had a movable clock', async () => {
    const config = readConfig({ ...PRODUCTION, DATABASE_URL: database.url, MALIPO_LOG_LEVEL: 'silent' });
    const before = await openGateway(config, { role: 'admin' });
    await before.stop();
    const sandbox = { ...config, environment: 'sandbox', clockIsMovable: true } as const;
    const mover = await openGateway(sandbox, { role: 'admin' });
    await mover.stop();
    await expect(openGateway(config, { role: 'admin' })).rejects.toThrow(/has a movable clock/);
  });
});

describe('a running production gateway', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openTestGateway({ environment: 'production' });
  });
  afterAll(() => gateway.stop());

  test('a running production gateway answers its own tokens', async () => {
    expect(gateway.apiToken).toMatch(/^mlp_production_/);
    expect(told(await call(gateway, 'GET', `/v2/deposits/${randomUUID()}`))).toBe('200 NOT_FOUND');
  });

  test('a token of the sandbox is 401, and the message says why', async () => {
    const { text } = createTokenText('sandbox', '0001');
    const answer = await call({ ...gateway, apiToken: text }, 'POST', '/v2/deposits', depositRequest());
    expect(told(answer)).toBe('401 REJECTED AUTHENTICATION_ERROR');
    expect(answer.body['failureReason'].failureMessage).toContain('sandbox environment');
  });

  test('no provider works without a connector: INVALID_PROVIDER, not a simulated success', async () => {
    const answer = await call(gateway, 'POST', '/v2/deposits', depositRequest());
    expect(told(answer)).toBe('200 REJECTED INVALID_PROVIDER');
  });

  test.each([
    ['GET', '/sandbox'],
    ['POST', '/sandbox'],
    ['GET', '/sandbox/phone'],
    ['GET', '/sandbox/phone/250783456789'],
    ['POST', '/sandbox/phone/250783456789/answer'],
    ['GET', PHONE_SCRIPT.path],
    ['GET', '/simulator'],
    ['GET', '/control/books'],
    ['POST', '/control/faults'],
    ['POST', '/control/settings'],
    ['POST', '/oauth/token'],
    ['POST', '/v1/transactions'],
    ['POST', '/clock'],
    ['POST', '/operators/simulator/notifications'],
    ['POST', `/operators/simulator/notifications/${'0'.repeat(32)}/${'0'.repeat(32)}`],
  ])('%s %s is 404', async (method, path) => {
    const { status, body } = await call(gateway, method, path, method === 'POST' ? {} : undefined);
    expect(status).toBe(404);
    // What begins with /v1 is told in the words of API v1.
    const words = path.startsWith('/v1/') ? ['errorId', 'errorCode', 'errorMessage'] : ['failureReason'];
    expect(Object.keys(body)).toEqual(words);
  });

  test('the address of a page of the simulator is one of no hosted page, and says so to a person', async () => {
    const answer = await fetch(`${gateway.url}/pay/SIM0000000000000000`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('text/html');
  });

  test.each(['successfulUrl', 'failedUrl'])('http is refused for %s, https is taken', async (field) => {
    const wave = {
      amount: '500',
      currency: 'XOF',
      payer: payer('WAVE_SEN', '221773456789'),
      successfulUrl: 'https://shop.example/ok',
      failedUrl: 'https://shop.example/failed',
    };
    const insecure = depositRequest({ ...wave, [field]: 'http://shop.example/' });
    const answer = await call(gateway, 'POST', '/v2/deposits', insecure);
    expect(told(answer)).toBe(`400 REJECTED INVALID_PARAMETER ${field}`);
    expect(answer.body['failureReason'].failureMessage).toContain('https');
    const secure = await call(gateway, 'POST', '/v2/deposits', depositRequest(wave));
    expect(secure.status).toBe(200);
  });
});

type Sender = Pick<Account, 'url' | 'apiToken'>;

function send(as: Sender, provider: string, phoneNumber: string, currency: string): Promise<Answer> {
  return call(as, 'POST', '/v2/deposits', depositRequest({ currency, payer: payer(provider, phoneNumber) }));
}

// No operator of the real world is connected yet, and a provider without a connector is rejected before its number is
// looked at. So this gateway is put together manually, past `readConfig`, with the simulator in an operator's place.
describe('odd test numbers', () => {
  let sandbox: TestGateway;
  let production: Gateway;
  let database: TestDatabase;
  let account: Account;
  beforeAll(async () => {
    sandbox = await openTestGateway({ role: 'api' });
    database = await createTestDatabase();
    production = await openGateway(
      {
        ...sandbox.config,
        environment: 'production',
        clockIsMovable: false,
        cell: { id: '0001', databaseUrl: database.url, urls: [] },
        simulator: { ...SIMULATOR_CLIENT, url: sandbox.simulator.url, timing: {} },
      },
      { role: 'api' },
    );
    const { url } = await production.start();
    account = await openAccount({ engine: production.engine, url });
  });
  afterAll(async () => {
    await production.stop();
    await database.drop();
    await sandbox.stop();
  });

  test.each([
    ['Benin, eight digits', 'MTN_MOMO_BEN', '22951345789', 'XOF'],
    ['Lesotho, nine digits that begin with 1', 'MPESA_LSO', '266123456789', 'LSL'],
    ['Mozambique, a number that begins with 1', 'VODACOM_MOZ', '258123456789', 'MZN'],
  ])(
    '%s: accepted in the sandbox, INVALID_PHONE_NUMBER in production',
    async (_, provider, number, currency) => {
      expect(told(await send(sandbox, provider, number, currency))).toBe('200 ACCEPTED');
      expect(told(await send(account, provider, number, currency))).toBe('200 REJECTED INVALID_PHONE_NUMBER');
    },
  );

  test.each([
    ['Benin', 'MTN_MOMO_BEN', '2290151345789', 'XOF'],
    ['Lesotho', 'MPESA_LSO', '26656345789', 'LSL'],
    ['Mozambique', 'VODACOM_MOZ', '258843456789', 'MZN'],
  ])("%s: a number of the country's plan is accepted in both", async (_, provider, number, currency) => {
    const answers: readonly Answer[] = [
      await send(sandbox, provider, number, currency),
      await send(account, provider, number, currency),
    ];
    expect(answers.map(told)).toEqual(['200 ACCEPTED', '200 ACCEPTED']);
  });
});
