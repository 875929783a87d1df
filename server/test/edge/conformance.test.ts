// Small points of conformance that hold for many routes. Issue C, the sentence that begins with "Also".
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { Payers } from '../../src/sandbox/fakes/payers/payers.ts';
import { createMetrics } from '../../src/edge/metrics.ts';
import { createLook } from '../../src/edge/pages/look/look.ts';
import { createServer } from '../../src/edge/server.ts';
import { earlierDeposit, earlierRefund, msisdn, sendEarlier } from '../v1.ts';
import {
  call,
  depositRequest,
  eventually,
  initiate,
  openTestGateway,
  payer,
  readDeposit,
  waitForStatus,
  type TestGateway,
} from '../gateway.ts';
import { readPayment, startCompleted } from '../payments.ts';
import { refundRequest, remittanceRequest, withField, type Body } from '../requests.ts';
import { withoutTable } from './missing-table.ts';

const OUTCOME_DELAY_MS = 300;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ simulator: { outcomeDelayMs: OUTCOME_DELAY_MS } });
});
afterAll(() => gateway.stop());

describe('C4: the page of a redirecting operator in the sandbox', () => {
  const wave = {
    amount: '500',
    currency: 'XOF',
    payer: payer('WAVE_SEN', '221773456789'),
    successfulUrl: 'https://shop.example/ok',
    failedUrl: 'https://shop.example/failed',
  };

  async function start() {
    const depositId = await initiate(gateway, wave);
    let url: string | undefined;
    await eventually(async () => {
      url ??= (await readDeposit(gateway, depositId))['authorizationUrl'];
      return url;
    }).toBeDefined();
    return { depositId, url: String(url) };
  }

  test('opened after the end it returns to the address of the merchant', async () => {
    const { depositId, url } = await start();
    await waitForStatus(gateway, depositId, 'COMPLETED');
    const answer = await fetch(url, { redirect: 'manual' });
    expect({ status: answer.status, location: answer.headers.get('location') }).toEqual({
      status: 303,
      location: wave.successfulUrl,
    });
  });

  test('opening it holds the payment for 15 minutes of real time', () => {
    let nowMs = 0;
    const payers = new Payers(() => nowMs);
    payers.openPage('SIM1');
    nowMs = 15 * 60_000 - 1;
    expect(payers.isHeld('SIM1')).toBe(true);
    nowMs += 1;
    expect(payers.isHeld('SIM1')).toBe(false);
  });
});

describe('C also: a query parameter that is not ours is ignored', () => {
  test.each([
    '/v2/active-conf?_=1',
    '/v2/availability?country=RWA&_=1',
    '/v2/wallet-balances?_=1',
    `/v2/deposits/${randomUUID()}?_=1`,
    '/active-conf?_=1',
    '/availability?_=1',
    '/v1/wallet-balances?_=1',
  ])('%s is answered 200', async (path) => {
    expect((await call(gateway, 'GET', path)).status).toBe(200);
  });
});

describe('C also: a 500 advises what helps', () => {
  test.each([`/v2/deposits/${randomUUID()}`, `/deposits/${randomUUID()}`])(
    '%s does not advise to check the status',
    async (path) => {
      await withoutTable(gateway, 'api_tokens', async () => {
        const { status, body } = await call(gateway, 'GET', path);
        const message = body['failureReason']?.failureMessage ?? body['errorMessage'];
        expect({ status, message }).toEqual({
          status: 500,
          message: 'The request could not be answered. Nothing was changed. Retry later.',
        });
      });
    },
  );
});

describe('C also: 431 has the body of its version', () => {
  test.each([
    ['/v2/deposits/x', ['failureReason']],
    ['/deposits/x', ['errorId', 'errorCode', 'errorMessage']],
  ])('%s', async (path, names) => {
    const head = `GET ${path} HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}`;
    const { status, body } = await askRaw(`${head}\r\n\r\n`);
    expect(status).toBe(431);
    expect(Object.keys(body)).toEqual(names);
  });
});

describe('C also: 413, 415, 429, 431 and 503 are documented', () => {
  test.each(['v1', 'v2'])('%s', (version) => {
    const document = JSON.parse(readFileSync(`openapi/${version}.json`, 'utf8')) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Body>>>>;
    };
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(15);
    for (const { requestBody, responses } of operations) {
      const ofBody = requestBody === undefined ? [] : ['413', '415'];
      // What is counted is a token, and those who guess one.
      const ofToken = responses['401'] === undefined ? [] : ['429'];
      const statuses = [...ofBody, ...ofToken, '431', '503'];
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(statuses));
    }
  });
});

describe('C also: v1 messages use the words of v1', () => {
  test('a rejection speaks of a correspondent', async () => {
    const { body } = await sendEarlier(gateway, 'deposit', earlierDeposit({ currency: 'USD' }));
    expect(body['rejectionReason'].rejectionMessage).toBe(
      "The currency 'USD' is not supported by correspondent 'MTN_MOMO_RWA'.",
    );
  });

  test('a wrong number is an MSISDN', async () => {
    const { body } = await sendEarlier(gateway, 'deposit', earlierDeposit({ payer: msisdn('0783') }));
    expect(body['rejectionReason'].rejectionMessage).toMatch(
      /^The MSISDN is not a valid number of 'RWA'\. Use digits/,
    );
  });

  test('a name in quotes stays as it is', async () => {
    const metadata = [1, 2].map((value) => ({ fieldName: 'provider', fieldValue: String(value) }));
    const { body } = await sendEarlier(gateway, 'deposit', earlierDeposit({ metadata }));
    expect(body['errorMessage']).toContain("'provider'");
  });

  test('a status is told in its word', async () => {
    const depositId = await initiate(gateway, { payer: payer('MTN_MOMO_RWA', '250783456129') });
    await waitForStatus(gateway, depositId, 'PROCESSING');
    const { body } = await sendEarlier(gateway, 'refund', earlierRefund(depositId));
    expect(body['rejectionReason'].rejectionMessage).toContain('is SUBMITTED;');
  });
});

describe('C also: a refund without an amount repeats the text of the deposit', () => {
  test('10.50 stays 10.50', async () => {
    const request = depositRequest({
      amount: '10.50',
      currency: 'ZMW',
      payer: payer('MTN_MOMO_ZMB', '260763456789'),
    });
    const depositId = await startCompleted(gateway, 'deposit', request);
    const refundId = await startCompleted(gateway, 'refund', refundRequest(depositId));
    expect(await readPayment(gateway, 'refund', refundId)).toMatchObject({ amount: '10.50' });
  });
});

describe('C also: details of a remittance are plausible', () => {
  test.each([
    ['sender.transactionDetails.originalCurrency', 'ZZZ'],
    ['sender.transactionDetails.buyFxRate', '0.000'],
    ['sender.senderDetails.nationality', 'ZZZ'],
    ['sender.senderDetails.address.country', 'XXX'],
    ['sender.senderDetails.dateOfBirth', '2999-01-01'],
    ['sender.senderDetails.placeOfBirth', 'QQQ'],
  ])('%s is not %s', async (parameter, value) => {
    const request = withField(remittanceRequest(), parameter, value);
    const { status, body } = await call(gateway, 'POST', '/v2/remittances', request);
    expect({ status, message: body['failureReason']?.failureMessage }).toEqual({
      status: 400,
      message: expect.stringContaining(`'${parameter}'`),
    });
  });
});

describe('C also: the errorId of an answer is in the log at the default level', () => {
  test('also where the default is warnings, as in the sandbox', async () => {
    const lines: string[] = [];
    const server = await createServer(gateway.engine, {
      metrics: createMetrics(),
      logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
      isStopping: () => false,
      sandbox: null,
      look: createLook({ name: 'Test', colour: '#00594f', mark: null }),
      console: null,
    });
    const answer = await server.inject({ method: 'GET', url: '/deposits/x' });
    const { errorId } = answer.json<{ errorId: string }>();
    expect(lines.some((line) => line.includes(errorId))).toBe(true);
  });
});

describe('C also: documents do not reuse one example identifier', () => {
  test.each(['v1', 'v2'])('in %s.json an example belongs to one name', (version) => {
    const names = new Map<string, Set<string>>();
    collect(JSON.parse(readFileSync(`openapi/${version}.json`, 'utf8')), '', names);
    const shared = [...names.values()].filter((users) => users.size > 1);
    expect(names.size).toBeGreaterThan(2);
    // The identifier of an event is that of the payment in it.
    const expected = version === 'v2' ? ['depositId, id'] : [];
    expect(shared.map((users) => [...users].toSorted().join(', '))).toEqual(expected);
  });
});

test('C also: an identifier stands in one page of the documentation only', () => {
  const pages = ['README.md', ...globSync('docs/**/*.md')].filter((page) => !page.includes('node_modules'));
  const places = new Map<string, Set<string>>();
  for (const page of pages)
    for (const [id] of readFileSync(page, 'utf8').matchAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g))
      places.set(id, (places.get(id) ?? new Set()).add(page));
  expect(places.size).toBeGreaterThan(10);
  expect([...places].filter(([, used]) => used.size > 1).map(([id]) => id)).toEqual([]);
});

/** Which properties have which identifier as an example. */
function collect(value: unknown, name: string, names: Map<string, Set<string>>): void {
  if (typeof value !== 'object' || value === null) return;
  const own = 'in' in value && 'name' in value ? String(value.name) : name;
  for (const [key, inner] of Object.entries(value)) {
    const isExample = typeof inner === 'string' && (key === 'example' || Array.isArray(value));
    if (isExample && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(inner))
      names.set(inner, (names.get(inner) ?? new Set()).add(own));
    const isName = !Array.isArray(value) && !['example', 'examples', 'schema'].includes(key);
    collect(inner, isName ? key : own, names);
  }
}

/** Sends bytes as they are; answers the status and the JSON of the body. */
function askRaw(text: string): Promise<{ readonly status: number; readonly body: Body }> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const answer = Buffer.concat(chunks).toString();
      const [, status = '0'] = /^HTTP\/1.1 (\d+)/.exec(answer) ?? [];
      resolve({ status: Number(status), body: JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Body });
    });
  });
}
