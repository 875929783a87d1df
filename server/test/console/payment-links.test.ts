// Payment links: made by a merchant's people, paid by payers, each visit a checkout of its own.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { MERCHANT_ROLES, permissionsOf } from '../../src/domain/merchants/roles.ts';
import { readCheckout } from '../checkouts.ts';
import { select, type TestGateway } from '../gateway.ts';
import { openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let finance: TestPerson;

beforeAll(async () => {
  gateway = await openTestConsole();
  finance = await signedIn(gateway, 'FINANCE');
});
afterAll(() => gateway.stop());

const LINK = { amount: '2500', currency: 'RWF', description: 'School fees, term 2', expiresAfterDays: 30 };
const at = (rest = '') => `api/merchants/${gateway.merchantId}/payment-links${rest}`;

async function created(changes: Partial<Record<keyof typeof LINK, unknown>> = {}): Promise<any> {
  const { status, body } = await finance.call('POST', at(), { ...LINK, ...changes });
  expect(status).toBe(200);
  return body;
}

async function open(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
}

function send(url: string, visit: string): Promise<Response> {
  const body = new URLSearchParams({ visit });
  return fetch(url, { method: 'POST', body, redirect: 'manual' });
}

/** Where a payer who looks at the page and presses its button is sent. */
async function visited(url: string): Promise<string | null> {
  const { text } = await open(url);
  const visit = /name="visit" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return (await send(url, visit)).headers.get('location');
}

async function countCheckouts(): Promise<number> {
  return Number((await select(gateway, 'select count(*) as count from checkouts'))[0]?.['count']);
}

describe('people', () => {
  test('a link is created, listed and deactivated, and the audit log says so', async () => {
    const link = await created();
    expect(link).toMatchObject({ amount: '2500', currency: 'RWF', status: 'ACTIVE' });
    expect(link.url).toMatch(/\/link\/[0-9a-f]{4}[0-9A-Za-z]{14}$/);
    const { body } = await finance.call('GET', at());
    expect(body.rows[0]).toEqual(link);
    expect((await finance.call('POST', at(`/${link.linkId}/deactivate`))).status).toBe(200);
    expect((await finance.call('POST', at(`/${link.linkId}/deactivate`))).status).toBe(404);
    expect((await finance.call('GET', at())).body.rows[0].status).toBe('DEACTIVATED');
    const entries = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 20 });
    expect(entries.filter(({ subject }) => subject === link.linkId).map(({ act }) => act)).toEqual([
      'PAYMENT_LINK_DEACTIVATED',
      'PAYMENT_LINK_CREATED',
    ]);
  });

  test('links are read page by page without gaps', async () => {
    const made = [await created(), await created(), await created()].map(({ linkId }) => linkId).toReversed();
    const first = (await finance.call('GET', at('?limit=2'))).body;
    const second = (await finance.call('GET', at(`?limit=2&cursor=${first.next}`))).body;
    expect([...first.rows, ...second.rows].slice(0, 3).map((row: any) => row.linkId)).toEqual(made);
  });

  test.each([
    [{ amount: '1' }, 'AMOUNT_OUT_OF_BOUNDS'],
    [{ amount: '0' }, 'AMOUNT_OUT_OF_BOUNDS'],
    [{ currency: 'EUR' }, 'CURRENCY_UNKNOWN'],
    [{ description: ' ' }, 'INVALID_PARAMETER'],
    [{ expiresAfterDays: 0 }, 'INVALID_PARAMETER'],
  ])('%j is refused with a code', async (changes, code) => {
    const { status, body } = await finance.call('POST', at(), { ...LINK, ...changes });
    expect([status, body.failureReason.reason?.code]).toEqual([400, code]);
  });

  test.each(MERCHANT_ROLES)('%s creates and deactivates links only with the right to', async (role) => {
    const link = await created();
    const person = await signedIn(gateway, role);
    const expected = permissionsOf(role).includes('payment-links:write') ? 200 : 403;
    expect((await person.call('POST', at(), LINK)).status).toBe(expected);
    expect((await person.call('POST', at(`/${link.linkId}/deactivate`))).status).toBe(expected);
    expect((await person.call('GET', at())).status).toBe(200);
  });
});

describe('payers', () => {
  test('looking at a link starts nothing; two visits are two checkouts, and the page says so', async () => {
    const { url, linkId } = await created();
    const before = await countCheckouts();
    const { status, text } = await open(url);
    expect(status).toBe(200);
    expect(text).toContain('Each time you continue from this page, a new payment starts.');
    expect(text).toContain('School fees, term 2');
    expect(text).toContain('Test mode. No real money moves.');
    expect(await countCheckouts()).toBe(before);
    const places = [await visited(url), await visited(url)];
    expect(new Set(places).size).toBe(2);
    expect(await countCheckouts()).toBe(before + 2);
    const [row] = await select(gateway, 'select checkout_id from checkouts order by created_at desc limit 1');
    expect(await readCheckout(gateway, row?.['checkout_id'])).toMatchObject({
      status: 'WAITING_PAYMENT',
      clientReferenceId: linkId,
      amounts: [{ currency: 'RWF', amount: '2500' }],
    });
  });

  test('a form that is sent many times at once opens one checkout', async () => {
    const { url } = await created();
    const before = await countCheckouts();
    const visit = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(url, visit)));
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
    expect(answers.every((answer) => answer.status === 303)).toBe(true);
    expect(await countCheckouts()).toBe(before + 1);
  });

  test('the same form at two links opens a checkout at each', async () => {
    const links = [await created(), await created()];
    const visit = randomUUID();
    const places = await Promise.all(
      links.map(async ({ url }) => (await send(url, visit)).headers.get('location')),
    );
    expect(new Set(places).size).toBe(2);
  });

  test.each(['deactivated', 'expired'])(
    'a link that is %s opens nothing, however it is asked',
    async (how) => {
      const { url, linkId } = await created({ expiresAfterDays: 1 });
      if (how === 'deactivated') await finance.call('POST', at(`/${linkId}/deactivate`));
      else
        await select(gateway, 'update payment_links set expires_at = created_at where link_id = $1', [
          linkId,
        ]);
      const before = await countCheckouts();
      expect((await open(url)).text).toContain('This payment link is no longer active');
      const answer = await send(url, randomUUID());
      expect(await answer.text()).toContain('This payment link is no longer active');
      expect(await countCheckouts()).toBe(before);
    },
  );

  test('a form that is not ours leads back to the page, and an unknown link is not found', async () => {
    const { url } = await created();
    const answer = await send(url, 'checkout');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, new URL(url).pathname]);
    expect((await open(`${gateway.url}/link/0001AAAAAAAAAAAAAA`)).status).toBe(404);
  });

  test('more visits than a link may have are asked to wait', async () => {
    const { url, linkId } = await created();
    expect((await send(url, randomUUID())).status).toBe(303);
    const { pageLimiter } = gateway.engine;
    while (pageLimiter.waitMsOf(`link/${linkId}`) === 0);
    // Several: another visit is free again every 200 ms.
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(url, randomUUID())));
    expect(answers.map(({ status }) => status)).toContain(429);
    // Others have their own.
    expect((await send((await created()).url, randomUUID())).status).toBe(303);
  });

  test.each([
    ['fr', 'un nouveau paiement commence'],
    ['pt', 'começa um novo pagamento'],
    ['sw', 'malipo mapya yanaanza'],
  ])('in %s too', async (language, text) => {
    const { url } = await created();
    expect((await open(`${url}?lang=${language}`)).text).toContain(text);
  });
});
