// Payments of every kind at a running gateway: starting them, reading them, waiting for them.
import { expect } from 'vitest';
import { changeAvailability } from '../src/core/merchants/administer-merchants.ts';
import { topUpWallets } from '../src/core/ledger/administer-wallets.ts';
import { findProvider } from '../src/domain/operators/catalogue.ts';
import { parseAmount } from '../src/domain/money.ts';
import type { PaymentKind } from '../src/domain/payments/payment.ts';
import type { Availability } from '../src/store/operators/availability.ts';
import { call, depositRequest, payer, select, waitUntil, type Answer, type TestGateway } from './gateway.ts';
import type { Body } from './requests.ts';

export type Noun = Lowercase<PaymentKind>;

/** What `call` needs to act for a merchant. */
type Caller = Pick<TestGateway, 'url' | 'apiToken'>;

export function send(caller: Caller, noun: Noun, request: unknown): Promise<Answer> {
  return call(caller, 'POST', `/v2/${noun}s`, request);
}

/** Starts a payment that must be accepted. Answers its identifier. */
export async function start(caller: Caller, noun: Noun, request: Body): Promise<string> {
  expect((await send(caller, noun, request)).body).toMatchObject({ status: 'ACCEPTED' });
  return request[`${noun}Id`];
}

export async function readPayment(caller: Caller, noun: Noun, id: string): Promise<Body> {
  const { body } = await call(caller, 'GET', `/v2/${noun}s/${id}`);
  expect(body['status']).toBe('FOUND');
  return body['data'];
}

export async function waitForPayment(caller: Caller, noun: Noun, id: string, status: string): Promise<Body> {
  let record: Body = {};
  // Also for use before tests; that it never came to it is told below, with the status it has.
  await waitUntil(async () => {
    record = await readPayment(caller, noun, id);
    return record['status'] === status;
  }).catch(() => undefined);
  expect(record).toMatchObject({ [`${noun}Id`]: id, status });
  return record;
}

/** Waits until operators have answered. Only then may time move: what they never got ends in another way. */
export async function waitForOperators(
  gateway: Pick<TestGateway, 'engine'>,
  ids: readonly string[],
): Promise<void> {
  const answered = `select distinct payment_id from payment_events join payments using (payment_no)
    where payment_id = any($1) and event = 'OPERATOR_ANSWERED'`;
  await waitUntil(async () => (await select(gateway, answered, [ids])).length === ids.length);
}

export async function startCompleted(caller: Caller, noun: Noun, request: Body): Promise<string> {
  const id = await start(caller, noun, request);
  await waitForPayment(caller, noun, id, 'COMPLETED');
  return id;
}

/** The bodies of the callbacks about a payment so far. */
export function callbacksAbout({ receiver }: TestGateway, noun: Noun, id: string): readonly Body[] {
  return receiver.received
    .map(({ body }) => body)
    .filter((body) => body[`${noun}Id`] === id && !(noun === 'deposit' && 'refundId' in body));
}

/** The smallest amount a provider takes for an operation, in its first currency. */
export function smallest(provider: string, operation: PaymentKind): { amount: string; currency: string } {
  const { currency, operations } = findProvider(provider)!.currencies[0]!;
  return { amount: operations[operation]!.minAmountText, currency };
}

/** A deposit from any wallet, large enough to be refunded. */
export function depositFrom(provider: string, phoneNumber: string): Body {
  const { authType, currencies } = findProvider(provider)!;
  const { operations } = currencies[0]!;
  const { DEPOSIT: deposit, REFUND: refund } = operations;
  return depositRequest({
    ...smallest(provider, deposit!.minAmount > refund!.minAmount ? 'DEPOSIT' : 'REFUND'),
    payer: payer(provider, phoneNumber),
    ...(authType === 'PREAUTH' && { preAuthorisationCode: '1234' }),
    ...(authType === 'REDIRECT_AUTH' && {
      successfulUrl: 'https://shop.example/ok',
      failedUrl: 'https://shop.example/failed',
    }),
  });
}

const BY = 'test';

/** Says whether a provider can be used for payments of this kind. */
export async function setAvailability(
  { engine }: Pick<TestGateway, 'engine'>,
  noun: Noun,
  status: Availability,
): Promise<void> {
  const operation = noun.toUpperCase() as PaymentKind;
  await changeAvailability(engine, { by: BY, provider: 'MTN_MOMO_RWA', operation, status });
}

/** Puts Rwandan francs into a merchant's wallet. */
export async function topUp(
  { engine }: Pick<TestGateway, 'engine'>,
  merchantId: string,
  amount: string,
): Promise<void> {
  const order = { by: BY, merchantId, country: 'RWA', currency: 'RWF', amount: parseAmount(amount)! };
  await topUpWallets(engine, [order]);
}
