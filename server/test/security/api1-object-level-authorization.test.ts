// OWASP API1:2023, Broken Object Level Authorization: what belongs to another merchant does not exist, in every call
// that names something. People and the console: console/permissions.test.ts.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PAYMENT_KINDS } from '../../src/domain/payments/payment.ts';
import { checkoutRequest } from '../checkouts.ts';
import { openAccount, type Account } from '../edge/accounts.ts';
import { listOperations, type Operation, type Schema } from '../edge/description.ts';
import { call, depositRequest, openTestGateway, select, type Answer, type TestGateway } from '../gateway.ts';
import { payoutRequest, refundRequest, remittanceRequest } from '../requests.ts';
import { ask, statementRequest } from '../statement-files.ts';

let gateway: TestGateway;
let stranger: Account;
/** What the merchant of the test has, by the name of its identifier. */
const owned = new Map<string, string>();

beforeAll(async () => {
  // Nothing moves while we look: there is no worker.
  gateway = await openTestGateway({ role: 'api' });
  stranger = await openAccount(gateway, { operations: PAYMENT_KINDS });
  await own('deposits', 'depositId', depositRequest());
  await own('payouts', 'payoutId', payoutRequest());
  await own('remittances', 'remittanceId', remittanceRequest());
  await own('checkouts', 'checkoutId', checkoutRequest());
  owned.set('statementId', await ask(gateway, statementRequest({ callbackUrl: gateway.receiver.url })));
});
afterAll(() => gateway.stop());

async function own(path: string, name: string, request: Record<string, unknown>): Promise<void> {
  const { body } = await call(gateway, 'POST', `/v2/${path}`, request);
  expect([path, body['status']]).toEqual([path, 'ACCEPTED']);
  owned.set(name, String(request[name]));
}

const identifierOf = ({ path }: Operation) => /\{(\w+Id)\}/.exec(path)?.[1];

const ABOUT_ONE_THING = ['v2', 'v1'].flatMap((apiVersion) => {
  const url = new URL(`../../../openapi/${apiVersion}.json`, import.meta.url);
  return listOperations(JSON.parse(readFileSync(url, 'utf8')) as Schema).filter(identifierOf);
});

function askAbout(caller: Account | TestGateway, operation: Operation, id: string): Promise<Answer> {
  const { method, path } = operation;
  return call(caller, method, path.replace(/\{\w+\}/, id), method === 'GET' ? undefined : '');
}

/** The answer with whatever repeats the identifier taken out. */
const wordsOf = (answer: Answer, id: string) => JSON.stringify(answer).replaceAll(id, '<id>');

/** What is in the database about the things of the merchant. */
async function state(): Promise<unknown> {
  const payments = await select(
    gateway,
    'select payment_id, state, next_action, next_action_at from payments where merchant_id = $1 order by 1',
    [gateway.merchantId],
  );
  const checkouts = await select(gateway, 'select checkout_id, status from checkouts');
  const callbacks = await select(gateway, 'select count(*)::int as count from callbacks');
  return { payments, checkouts, callbacks };
}

describe('a call about one thing', () => {
  test('a call about one thing is one of at least nineteen', () => {
    expect(ABOUT_ONE_THING.length).toBeGreaterThanOrEqual(19);
  });

  test.each(
    ABOUT_ONE_THING.map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
  )(
    '%s: of another merchant it is answered as if there were none, after the same questions to the database',
    async (_, operation) => {
      // Identifiers of one kind are tried for all: a refund's call may not find a deposit either.
      const foreign = owned.get(identifierOf(operation) ?? '') ?? owned.get('depositId') ?? '';
      const unknown = randomUUID();
      const before = await state();
      await askAbout(stranger, operation, randomUUID());
      const ofUnknown = await observed(() => askAbout(stranger, operation, unknown));
      const ofForeign = await observed(() => askAbout(stranger, operation, foreign));
      expect(wordsOf(ofForeign.answer, foreign)).toBe(wordsOf(ofUnknown.answer, unknown));
      expect(ofForeign.statements).toEqual(ofUnknown.statements);
      expect(ofUnknown.statements.length).toBeGreaterThan(0);
      expect(await state()).toEqual(before);
    },
  );

  test.each(ABOUT_ONE_THING.filter(({ method, path }) => method === 'GET' && path.startsWith('/v2/')))(
    'a call about one thing that the owner makes finds it: $path',
    async (operation) => {
      const id = owned.get(identifierOf(operation) ?? '');
      if (id === undefined) return expect(['refundId', 'splitPaymentId']).toContain(identifierOf(operation));
      expect((await askAbout(gateway, operation, id)).body['status']).toBe('FOUND');
    },
  );
});

/** Looked at from time to time: the clock of the sandbox, payments that wait, and what all merchants share. */
const OF_EVERYBODY =
  /clock_shift|waiting as|table groups|from (migration_locks|provider_availability)$|from recoveries/;

/** The different statements that were sent to the database meanwhile, in their order. */
async function observed(asking: () => Promise<Answer>) {
  const query = vi.spyOn(gateway.engine.store.database, 'query');
  try {
    const answer = await asking();
    const statements = new Set(query.mock.calls.map(([text]) => String(text as unknown)));
    return { answer, statements: [...statements].filter((text) => !OF_EVERYBODY.test(text)) };
  } finally {
    query.mockRestore();
  }
}

const told = (answer: Answer | undefined, { refundId, depositId }: Record<string, any>) =>
  JSON.stringify(answer).replaceAll(refundId, '<refund>').replaceAll(depositId, '<deposit>');

test("another merchant's deposit cannot be refunded, and is refused as one that does not exist", async () => {
  const foreign = refundRequest(owned.get('depositId') ?? '');
  const unknown = refundRequest(randomUUID());
  const [ofForeign, ofUnknown] = [foreign, unknown].map((request) =>
    call(stranger, 'POST', '/v2/refunds', request),
  );
  expect(told(await ofForeign, foreign)).toBe(told(await ofUnknown, unknown));
  expect((await ofForeign)?.body['status']).toBe('REJECTED');
});

test('the same identifier is free for every merchant, and no one learns that another one uses it', async () => {
  const request = depositRequest({ depositId: owned.get('depositId') });
  expect((await call(stranger, 'POST', '/v2/deposits', request)).body['status']).toBe('ACCEPTED');
  const rows = await select(gateway, 'select merchant_id from payments where payment_id = $1', [
    request['depositId'],
  ]);
  expect(rows.map((row) => String(row['merchant_id'])).toSorted()).toEqual(
    [gateway.merchantId, stranger.merchantId].toSorted(),
  );
});
