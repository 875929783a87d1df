// Requests of API v1, each of which completes in the sandbox when nothing is changed, and how payments
// are read in it.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { call, waitUntil, type Answer, type TestGateway } from './gateway.ts';
import type { Noun } from './payments.ts';
import type { Body } from './requests.ts';

type Caller = Pick<TestGateway, 'url' | 'apiToken'>;

const RWANDAN = {
  amount: '100',
  currency: 'RWF',
  correspondent: 'MTN_MOMO_RWA',
  customerTimestamp: '2020-02-21T17:32:28Z',
  statementDescription: 'Order 123456',
};

export function msisdn(value: string) {
  return { type: 'MSISDN', address: { value } };
}

export function earlierDeposit(changes: Body = {}): Body {
  return { depositId: randomUUID(), ...RWANDAN, payer: msisdn('250783456789'), ...changes };
}

export function earlierPayout(changes: Body = {}): Body {
  return { payoutId: randomUUID(), ...RWANDAN, recipient: msisdn('250783456789'), ...changes };
}

/** Without an amount: all that remains of the deposit. */
export function earlierRefund(depositId: string, changes: Body = {}): Body {
  return { refundId: randomUUID(), depositId, ...changes };
}

export function sendEarlier(caller: Caller, noun: Noun, request: unknown): Promise<Answer> {
  return call(caller, 'POST', `/${noun}s`, request);
}

/** Starts a payment that must be accepted. Answers its identifier. */
export async function startEarlier(caller: Caller, noun: Noun, request: Body): Promise<string> {
  const { body } = await sendEarlier(caller, noun, request);
  expect(['ACCEPTED', 'ENQUEUED'], JSON.stringify(body)).toContain(body['status']);
  return request[`${noun}Id`];
}

/** The one record of a status check. */
export async function readEarlier(caller: Caller, noun: Noun, id: string): Promise<Body> {
  const { body } = await call(caller, 'GET', `/${noun}s/${id}`);
  expect(body).toHaveLength(1);
  return body[0];
}

export async function waitForEarlier(caller: Caller, noun: Noun, id: string, status: string): Promise<Body> {
  let record: Body = {};
  await waitUntil(async () => {
    record = await readEarlier(caller, noun, id);
    return record['status'] === status;
  }).catch(() => undefined);
  expect(record).toMatchObject({ [`${noun}Id`]: id, status });
  return record;
}

export async function completeEarlier(caller: Caller, noun: Noun, request: Body): Promise<string> {
  const id = await startEarlier(caller, noun, request);
  await waitForEarlier(caller, noun, id, 'COMPLETED');
  return id;
}
