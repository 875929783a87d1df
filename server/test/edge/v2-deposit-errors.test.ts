// Requests about deposits that cannot be read, lead nowhere, or meet a fault of ours.
// Rows of api.md "Errors" (400, 500); of completions.md "Where two readers …", 3.1 and section 9 (body size).
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURES } from '../../src/domain/failure.ts';
import { call, depositRequest, openTestGateway, type Answer, type TestGateway } from '../gateway.ts';
import { openAccount, openToken, type Account } from './accounts.ts';
import { told } from './answers.ts';
import { withoutTable } from './missing-table.ts';

let gateway: TestGateway;
let account: Account;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
  account = await openAccount(gateway);
});
afterAll(() => gateway.stop());

function send(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return call(account, 'POST', '/v2/deposits', body, headers);
}

function sendWith(apiToken: string, body: unknown = depositRequest()): Promise<Answer> {
  return call({ url: gateway.url, apiToken }, 'POST', '/v2/deposits', body);
}

describe('400 INVALID_INPUT: body cannot be parsed', () => {
  test.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['half an object', '{"depositId":'],
    ['something after the object', '{}{}'],
    ['a comment', '{/**/}'],
    ['form data', 'depositId=x'],
    ['JSON that is null', 'null'],
    ['JSON that is a string', '"deposit"'],
    ['JSON that is a number', '1'],
    ['an array of requests', [depositRequest()]],
  ])('%s', async (_, body) => {
    expect(told(await send(body))).toBe('400 REJECTED INVALID_INPUT');
  });

  test('bytes that are not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"depositId":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const { apiToken } = account;
    const headers = { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' };
    const response = await fetch(`${gateway.url}/v2/deposits`, { method: 'POST', headers, body });
    const answer = { status: response.status, body: (await response.json()) as Answer['body'] };
    expect(told(answer)).toBe('400 REJECTED INVALID_INPUT');
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'garbage', '/', ';'])(
    'a wrong Content-Type on a body: "%s"',
    async (contentType) => {
      const request = depositRequest();
      const answer = await send(request, { 'content-type': contentType });
      expect(told(answer)).toBe('400 REJECTED INVALID_INPUT');
      expect(answer.body['depositId']).toBe(request['depositId']);
    },
  );

  test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset=UTF-8'])(
    'a right Content-Type is taken: "%s"',
    async (contentType) => {
      expect(told(await send(depositRequest(), { 'content-type': contentType }))).toBe('200 ACCEPTED');
    },
  );
});

describe('<id> in 400, 401, 403 and 500 bodies of initiations', () => {
  const readers = { 400: 'account', 401: 'noOne', 403: 'reader' } as const;

  async function refuse(status: keyof typeof readers, body: unknown): Promise<Answer['body']> {
    const reader = await openToken(gateway, account.merchantId, { scopes: ['deposits:read'] });
    const tokens = { account: account.apiToken, noOne: 'secret', reader: reader.apiToken };
    const answer = await sendWith(tokens[readers[status]], body);
    expect(answer.status).toBe(status);
    return answer.body;
  }

  describe.each([400, 401, 403] as const)('%i', (status) => {
    test.each(['F4401BD2-1568-4140-BF2D-EB77D2B2B639', 'x', '', 'x'.repeat(36)])(
      'a string of at most 36 characters is echoed: "%s"',
      async (depositId) => {
        expect(await refuse(status, { depositId, surplus: 1 })).toMatchObject({
          depositId,
          status: 'REJECTED',
        });
      },
    );

    test.each([
      ['longer than 36 characters', { depositId: 'x'.repeat(37) }],
      ['not a string', { depositId: 12 }],
      ['not there', { surplus: 1 }],
      ['in a body that does not parse', '{"depositId":"x"'],
      ['in an array', [{ depositId: 'x' }]],
      ['only inherited', '{"__proto__":{"depositId":"x"}}'],
    ])('%s: left out', async (_, body) => {
      expect(Object.keys(await refuse(status, body)).toSorted()).toEqual(['failureReason', 'status']);
    });
  });
});

describe('500 UNKNOWN_ERROR: outcome unknown', () => {
  const failureReason = {
    failureCode: 'UNKNOWN_ERROR',
    failureMessage: 'The outcome of this request is unknown. Check the status before sending it again.',
  };

  test('an initiation: the identifier and failureReason, no status; sent again it is accepted', async () => {
    const request = depositRequest();
    await withoutTable(gateway, 'payment_keys', async () => {
      const { depositId } = request;
      expect(await send(request)).toEqual({ status: 500, body: { depositId, failureReason } });
    });
    expect(told(await send(request))).toBe('200 ACCEPTED');
  });

  test('a status check: failureReason only', async () => {
    await withoutTable(gateway, 'payments', async () => {
      const answer = await call(account, 'GET', `/v2/deposits/${randomUUID()}`);
      const failureMessage = 'The request could not be answered. Nothing was changed. Retry later.';
      expect(answer).toEqual({ status: 500, body: { failureReason: { ...failureReason, failureMessage } } });
    });
  });
});

/** A word of ours: the specification has none for it. */
const CODE_OF_404 = Object.entries(FAILURES).find(([, { httpStatus }]) => httpStatus === 404)![0];

const DEPOSIT = '/v2/deposits/f4401bd2-1568-4140-bf2d-eb77d2b2b639';

const messageOf = ({ body }: Answer) => body['failureReason'].failureMessage;

test('messages say what to send instead: a route, a UUID v4, a number without a plus sign', async () => {
  expect(messageOf(await call(account, 'GET', '/v2?token=1'))).toBe("Not found: no route for GET '/v2'.");
  expect(messageOf(await call(account, 'PUT', '/v2/deposits', {}))).toBe('Method PUT is not allowed here.');
  expect(messageOf(await send(depositRequest({ depositId: 'x' })))).toBe(
    "The parameter 'depositId' is not valid: it must be a UUID v4.",
  );
  const accountDetails = { provider: 'MTN_MOMO_RWA', phoneNumber: '+250783456789' };
  expect(messageOf(await send(depositRequest({ payer: { type: 'MMO', accountDetails } })))).toMatch(
    /^The phone number is not a valid number of 'RWA'\. Use digits only, .* without a plus sign/,
  );
});

describe('404, 405 and 413: { failureReason }', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/v2'],
    ['POST', '/v2/deposit'],
    ['POST', '/v3/deposits'],
    ['POST', '/V2/deposits'],
    ['GET', `${DEPOSIT}/callbacks`],
    ['GET', '/v2/deposits/%zz'],
  ])('404: %s %s', async (method, path) => {
    const { status, body } = await call(account, method, path, method === 'POST' ? {} : undefined);
    expect(status).toBe(404);
    expect(body).toEqual({ failureReason: { failureCode: CODE_OF_404, failureMessage: expect.any(String) } });
  });

  test('a path that does not exist is 404 without a token too', async () => {
    const noOne = { url: gateway.url, apiToken: 'secret' };
    expect((await call(noOne, 'GET', '/v2/deposit')).status).toBe(404);
  });

  test.each([
    ['DELETE', '/v2/deposits', 'POST, GET, HEAD'],
    ['QUERY', '/v2/deposits', null],
    ['POST', DEPOSIT, 'GET, HEAD'],
    ['PATCH', DEPOSIT, 'GET, HEAD'],
  ])('405 METHOD_NOT_ALLOWED: %s %s', async (method, path, allowed) => {
    const { status, headers, body } = await exchange(method, path);
    expect(status).toBe(405);
    const failureReason = {
      failureCode: 'METHOD_NOT_ALLOWED',
      failureMessage: expect.stringContaining(method),
    };
    expect(JSON.parse(body)).toEqual({ failureReason });
    if (allowed !== null) expect(headers['allow']).toBe(allowed);
  });

  test('resend-callback is POST: GET on the same path is not served', async () => {
    const { status } = await call(account, 'GET', `/v2/deposits/resend-callback/${randomUUID()}`);
    expect(status).toBe(405);
  });

  test.each([
    ['with its length told', { 'content-length': '1048577' }],
    ['in chunks', {}],
  ])('413 REQUEST_TOO_LARGE: a body of more than 1 MB, %s', async (_, headers: Record<string, string>) => {
    const answer = await exchange('POST', '/v2/deposits', Buffer.alloc(1_048_577, 32), headers);
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toEqual({
      failureReason: {
        failureCode: 'REQUEST_TOO_LARGE',
        failureMessage: expect.stringContaining("'1048576'"),
      },
    });
  });

  test('a body of exactly 1 MB is read', async () => {
    const text = JSON.stringify(depositRequest());
    expect(told(await send(text.padEnd(1_048_576)))).toBe('200 ACCEPTED');
  });
});

/** A request without a client's help: any method, any body, and the answer read even when the body is refused. */
async function exchange(method: string, path: string, body?: Buffer, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined;
    headers: Record<string, unknown>;
    body: string;
  }>();
  const outgoing = httpRequest(`${gateway.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${account.apiToken}`, ...headers },
  });
  outgoing.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () =>
      resolve({
        status: response.statusCode,
        headers: response.headers,
        body: Buffer.concat(chunks).toString(),
      }),
    );
  });
  // A server that has answered may close while we still write.
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}
