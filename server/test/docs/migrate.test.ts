// The migration guide: the page is the one made from its table, and every row of the table is executed in both
// API versions. When the table has changed: npx vitest run server/test/docs --update
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { translateRequest } from '../../src/wire/v1/translate-request.ts';
import { completeEarlier, earlierDeposit, earlierPayout, sendEarlier, waitForEarlier } from '../v1.ts';
import { depositRequest, openTestGateway, type TestGateway } from '../gateway.ts';
import { askHost } from '../host-request.ts';
import { readPayment, send, setAvailability, waitForPayment } from '../payments.ts';
import { payoutRequest, type Body } from '../requests.ts';
import { renderMigratePage } from './migrate-page.ts';
import { ANSWER_ROWS, REMARKS, REQUEST_ROWS, type Exchange } from './migration-table.ts';

const PATH = '../../../docs/guides/migrate.md';

let gateway: TestGateway;
let depositId: string;
const unknown = randomUUID();
beforeAll(async () => {
  gateway = await openTestGateway({
    v1Hosts: new Set(ANSWER_ROWS.flatMap(({ before: { host } }) => host ?? [])),
  });
  depositId = await completeEarlier(gateway, 'deposit', earlierDeposit());
});
afterAll(() => gateway.stop());

test('the page is the one that is made from the table', async () => {
  await expect(renderMigratePage()).toMatchFileSnapshot(PATH);
});

test('the table has every number of the Versioning section', () => {
  const numbers = new Set([...ANSWER_ROWS.map(({ rule }) => Number.parseInt(rule)), 3]);
  const all = [...numbers, ...Object.keys(REMARKS).map(Number)];
  expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
});

const without = (body: Body, names: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
/** The request of API v2 that says the same. */
const current = (changes: Body = {}) => depositRequest({ customerMessage: 'Order 123456', ...changes });

async function storyOf(id: string) {
  const {
    depositId: _id,
    created: _created,
    providerTransactionId: _transaction,
    ...story
  } = await readPayment(gateway, 'deposit', id);
  return story;
}

describe('Versioning 3: migrating a financial request', () => {
  test.each(REQUEST_ROWS)('$earlier becomes $current', async ({ before, after }) => {
    const earlierRequest = earlierDeposit(before);
    const currentRequest = current({ depositId: randomUUID(), ...after });
    const translated = translateRequest('deposit', earlierRequest);
    const { depositId: id } = earlierRequest;
    expect(translated).toMatchObject({
      type: 'PARSED',
      request: { body: { ...currentRequest, depositId: id } },
    });

    expect((await sendEarlier(gateway, 'deposit', earlierRequest)).body).toMatchObject({
      status: 'ACCEPTED',
    });
    expect((await send(gateway, 'deposit', currentRequest)).body).toMatchObject({ status: 'ACCEPTED' });
    await waitForEarlier(gateway, 'deposit', id, 'COMPLETED');
    await waitForPayment(gateway, 'deposit', currentRequest['depositId'], 'COMPLETED');
    expect(await storyOf(id)).toEqual(await storyOf(currentRequest['depositId']));
  });

  test.each(REQUEST_ROWS)(
    'neither API version takes the words of the other for $earlier',
    async ({ before, after }) => {
      const wrongInEarlier = { ...without(earlierDeposit(), Object.keys(before)), ...after };
      const wrongInCurrent = { ...without(current(), Object.keys(after)), ...before };
      expect((await sendEarlier(gateway, 'deposit', wrongInEarlier)).status).toBe(400);
      expect((await send(gateway, 'deposit', wrongInCurrent)).status).toBe(400);
    },
  );
});

describe.each(ANSWER_ROWS)('Versioning $rule: $what', (row) => {
  test('what is shown is what is answered, and both answers say the same', async () => {
    if (row.while !== undefined) await setAvailability(gateway, 'payout', row.while);
    try {
      const before = await execute(row.before);
      const after = await execute(row.after);
      const [told, toldNow] = row.same?.(before.body, after.body) ?? [];
      expect(told).toEqual(toldNow);
    } finally {
      await setAvailability(gateway, 'payout', 'OPERATIONAL');
    }
  });
});

test('Versioning 12: no answer names a date at which API v1 ends', () => {
  expect(readFileSync(new URL('../../../openapi/v1.json', import.meta.url), 'utf8')).not.toContain(
    '"deprecated"',
  );
});

/** Requests that complete, by the path that takes them. */
const WHOLE: Readonly<Record<string, () => Body>> = {
  '/deposits': earlierDeposit,
  '/payouts': earlierPayout,
  '/v2/deposits': depositRequest,
  '/v2/payouts': payoutRequest,
};

async function execute({ ask: asked, body, anonymous = false, host, status = 200, answer }: Exchange) {
  const [method = '', path = ''] = filled(asked).split(' ');
  const whole = WHOLE[path];
  const sent = whole === undefined ? body : { ...whole(), ...body };
  const answered = await askHost(gateway, method, path, {
    ...(sent !== undefined && { body: JSON.parse(filled(JSON.stringify(sent))) }),
    ...(host !== undefined && { host }),
    anonymous,
  });
  expect(answered.status).toBe(status);
  expect(answered.body).toEqual(fitting(JSON.parse(filled(JSON.stringify(answer)))));
  return answered;
}

/** Fits whatever has at least what is shown. */
function fitting(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map(fitting);
  if (typeof shown !== 'object' || shown === null) return shown;
  if ('holds' in shown) return expect.arrayContaining([fitting(shown.holds)]);
  const fields = Object.entries(shown).map(([name, value]) => [name, fitting(value)]);
  return expect.objectContaining(Object.fromEntries(fields));
}

function filled(text: string): string {
  return text.replaceAll('{deposit}', depositId).replaceAll('{unknown}', unknown);
}
