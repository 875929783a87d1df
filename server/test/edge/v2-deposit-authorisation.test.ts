// The three ways in which a payer agrees to a deposit. Versioning rule 11 of api.md; completions.md 1.2.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { told } from './answers.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ simulator: { redirects: 'MANUAL' } });
});
afterAll(() => gateway.stop());

const callbacksOf = (depositId: string) =>
  gateway.receiver.received.map(({ body }) => body).filter((body) => body['depositId'] === depositId);

async function answerTo(changes: Record<string, unknown>) {
  return call(gateway, 'POST', '/v2/deposits', depositRequest(changes));
}

const REDIRECT_FIELDS = ['nextStep', 'authorizationUrl', 'successfulUrl', 'failedUrl'];

function redirectFieldsOf(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => REDIRECT_FIELDS.includes(name)));
}

/** What a browser does on the simulator's page. Answers where it is sent. */
async function decide(authorizationUrl: string, decision: 'APPROVE' | 'DECLINE'): Promise<string | null> {
  expect(await (await fetch(authorizationUrl)).text()).toContain('500 XOF');
  const body = new URLSearchParams({ decision });
  const answer = await fetch(authorizationUrl, { method: 'POST', body, redirect: 'manual' });
  return answer.headers.get('location');
}

describe('PIN prompt (PROVIDER_AUTH)', () => {
  test('nextStep FINAL_STATUS: just wait; the record has no field of the redirect flow', async () => {
    const { body } = await answerTo({ successfulUrl: 'https://shop.example/ok' });
    expect(body).toMatchObject({ status: 'ACCEPTED', nextStep: 'FINAL_STATUS' });
    const record = await waitForStatus(gateway, body['depositId'], 'COMPLETED');
    expect(redirectFieldsOf(record)).toEqual({});
  });
});

describe('one-time code (PREAUTH)', () => {
  const orange = { amount: '500', currency: 'XOF', payer: payer('ORANGE_BFA', '22674345678') };

  test('nextStep FINAL_STATUS: the code was made beforehand', async () => {
    const { body } = await answerTo({ ...orange, preAuthorisationCode: '3514' });
    expect(body).toMatchObject({ status: 'ACCEPTED', nextStep: 'FINAL_STATUS' });
    const record = await waitForStatus(gateway, body['depositId'], 'COMPLETED');
    expect(JSON.stringify(record)).not.toContain('3514');
    expect(redirectFieldsOf(record)).toEqual({});
  });

  test('without preAuthorisationCode: 400 MISSING_PARAMETER naming the field', async () => {
    expect(told(await answerTo(orange))).toBe('400 REJECTED MISSING_PARAMETER preAuthorisationCode');
  });
});

describe('redirection (REDIRECT_AUTH)', () => {
  const addresses = { successfulUrl: 'https://shop.example/ok', failedUrl: 'https://shop.example/failed' };
  const wave = { amount: '500', currency: 'XOF', payer: payer('WAVE_SEN', '221773456789'), ...addresses };

  /** Starts a deposit and waits for the address of the provider's page. */
  async function start(): Promise<{ depositId: string; authorizationUrl: string }> {
    const depositId = await initiate(gateway, wave);
    await eventually(async () => (await readDeposit(gateway, depositId))['nextStep']).toBe(
      'REDIRECT_TO_AUTH_URL',
    );
    const { authorizationUrl } = await readDeposit(gateway, depositId);
    return { depositId, authorizationUrl };
  }

  test('nextStep GET_AUTH_URL on acceptance: poll for the address', async () => {
    expect((await answerTo(wave)).body).toMatchObject({ status: 'ACCEPTED', nextStep: 'GET_AUTH_URL' });
  });

  test('nextStep GET_AUTH_URL in the status check until the provider has given an address', async () => {
    const api = await openTestGateway({ role: 'api' });
    try {
      const depositId = await initiate(api, wave);
      const record = await readDeposit(api, depositId);
      expect(redirectFieldsOf(record)).toEqual({ nextStep: 'GET_AUTH_URL', ...addresses });
    } finally {
      await api.stop();
    }
  });

  test('then authorizationUrl and REDIRECT_TO_AUTH_URL, announced by one callback with status PROCESSING', async () => {
    const { depositId, authorizationUrl } = await start();
    const record = await readDeposit(gateway, depositId);
    expect(record).toMatchObject({ status: 'PROCESSING' });
    expect(authorizationUrl).toMatch(/^http:\/\//);
    expect(redirectFieldsOf(record)).toEqual({
      nextStep: 'REDIRECT_TO_AUTH_URL',
      authorizationUrl,
      ...addresses,
    });
    await eventually(() => callbacksOf(depositId)).toEqual([record]);
  });

  test.each([
    ['APPROVE', 'COMPLETED', addresses.successfulUrl],
    ['DECLINE', 'FAILED', addresses.failedUrl],
  ] as const)(
    '%s on the page: %s, the customer lands on %s, and a second callback tells the end',
    async (decision, status, landing) => {
      const { depositId, authorizationUrl } = await start();
      await eventually(() => callbacksOf(depositId).length).toBe(1);
      expect(await decide(authorizationUrl, decision)).toBe(landing);
      const record = await waitForStatus(gateway, depositId, status);
      expect(redirectFieldsOf(record)).toEqual({ nextStep: 'FINAL_STATUS', ...addresses });
      await eventually(() => callbacksOf(depositId).map((body) => body['status'])).toEqual([
        'PROCESSING',
        status,
      ]);
      expect(callbacksOf(depositId)[1]).toEqual(record);
    },
  );

  test.each(['successfulUrl', 'failedUrl'])(
    'without %s: 400 MISSING_PARAMETER naming the field',
    async (field) => {
      const answer = await answerTo({ ...wave, [field]: undefined });
      expect(told(answer)).toBe(`400 REJECTED MISSING_PARAMETER ${field}`);
    },
  );
});
