import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMerchant, setCallbackUrl } from '../../src/core/merchants/administer-merchants.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import type { TestGateway } from '../gateway.ts';
import { openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let developer: TestPerson;
const log = (rest = '') => `api/merchants/${gateway.merchantId}/audit${rest}`;

beforeAll(async () => {
  gateway = await openTestConsole();
  developer = await signedIn(gateway, 'DEVELOPER');
});
afterAll(() => gateway.stop());

const setUrl = (merchantId: string, by: string, url: string) =>
  setCallbackUrl(gateway.engine, { by, merchantId, url, kinds: ['DEPOSIT', 'PAYOUT'] });

test('the newest acts come first, with who acted and on what', async () => {
  await setUrl(gateway.merchantId, 'somebody', 'http://127.0.0.1:1/a');
  const { body } = await developer.call('GET', log());
  expect(body.rows[0]).toMatchObject({
    act: 'CALLBACK_URL_SET',
    actor: 'somebody',
    subject: gateway.merchantId,
    detail: expect.arrayContaining([{ name: 'kinds', value: 'DEPOSIT, PAYOUT' }]),
  });
});

test('pages go on where they ended, and no entry is shown twice or left out', async () => {
  for (let count = 0; count < 6; count += 1)
    await setUrl(gateway.merchantId, `by ${count}`, 'http://x.example');
  const whole = await developer.call('GET', log());
  const paged: string[] = [];
  let next: string | null = '';
  while (next !== null) {
    const { body } = await developer.call('GET', log(`?limit=3${next === '' ? '' : `&cursor=${next}`}`));
    paged.push(...body.rows.map(({ entryId }: { entryId: string }) => entryId));
    next = body.next;
  }
  expect(paged).toEqual(whole.body.rows.map(({ entryId }: { entryId: string }) => entryId));
  expect(paged.length).toBeGreaterThan(6);
  expect((await developer.call('GET', log('?cursor=bm9uc2Vuc2U'))).status).toBe(400);
});

test('actions at another merchant are not in the audit log of a merchant', async () => {
  const order = { by: 'test', companyName: 'Other', operations: OPERATIONS, walletPerProvider: false };
  const other = await createMerchant(gateway.engine, order);
  await setUrl(other, 'a stranger', 'http://x.example');
  const { body } = await developer.call('GET', log());
  expect(JSON.stringify(body)).not.toContain('a stranger');
});
