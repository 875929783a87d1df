// Rows of the specification about actions on a payment: whom they are about, who may ask, in which form.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call, type Answer, type TestGateway } from '../gateway.ts';
import type { Noun } from '../payments.ts';
import { openAccount, openToken } from './accounts.ts';
import { told } from './answers.ts';

export type Action = 'resend-callback' | 'fail-enqueued';

export type ActingKind = {
  readonly noun: Noun;
  readonly gateway: () => TestGateway;
  /** Starts a payment of the gateway's own merchant and waits for its end. */
  readonly startFinal: () => Promise<string>;
};

export function actOn(
  caller: Pick<TestGateway, 'url' | 'apiToken'>,
  { noun, action, id }: { readonly noun: Noun; readonly action: Action; readonly id: string },
): Promise<Answer> {
  return call(caller, 'POST', `/v2/${noun}s/${action}/${id}`);
}

export function expectInvalidState(
  answer: Answer,
  { noun, id, state }: { readonly noun: Noun; readonly id: string; readonly state: string },
): void {
  expect(told(answer)).toBe('200 REJECTED INVALID_STATE');
  expect(answer.body[`${noun}Id`]).toBe(id);
  expect(answer.body['failureReason'].failureMessage).toMatch(
    new RegExp(`^${nameOf(noun)} with ID ${id} is ${state}`),
  );
}

export function describeTarget(action: Action, { noun, gateway, startFinal }: ActingKind): void {
  const act = (id: string, caller: { apiToken?: string } = {}) =>
    actOn({ ...gateway(), ...caller }, { noun, action, id });

  test('no such payment: REJECTED NOT_FOUND', async () => {
    const id = randomUUID();
    const answer = await act(id);
    expect(told(answer)).toBe('200 REJECTED NOT_FOUND');
    expect(answer.body[`${noun}Id`]).toBe(id);
    expect(answer.body['failureReason'].failureMessage).toMatch(
      new RegExp(`^${nameOf(noun)} with ID ${id} `),
    );
  });

  test('a payment of another account: REJECTED NOT_FOUND', async () => {
    const id = await startFinal();
    const other = await openAccount(gateway());
    expect(told(await act(id, other))).toBe('200 REJECTED NOT_FOUND');
  });

  test('a malformed identifier: 400 INVALID_PARAMETER', async () => {
    expect(told(await act('x'))).toBe(`400 REJECTED INVALID_PARAMETER ${noun}Id`);
  });

  test(`needs the scope ${noun}s:write, else 403; a bad token is 401`, async () => {
    const reader = await openToken(gateway(), gateway().merchantId, { scopes: [`${noun}s:read`] });
    expect(told(await act(randomUUID(), reader))).toBe('403 REJECTED AUTHORISATION_ERROR');
    const noOne = { apiToken: 'noOne' };
    expect(told(await act(randomUUID(), noOne))).toBe('401 REJECTED AUTHENTICATION_ERROR');
  });

  test('an identifier in other letters is the same, and is echoed as this request has it', async () => {
    const id = (await startFinal()).toUpperCase();
    const { body } = await act(id);
    expect(body[`${noun}Id`]).toBe(id);
    expect(body['failureReason']?.failureCode).not.toBe('NOT_FOUND');
  });

  test.each<[string, { readonly headers?: Record<string, string>; readonly body?: string }]>([
    ['no body and no Content-Type', {}],
    ['Content-Type: application/json and an empty body', { headers: { 'content-type': 'application/json' } }],
    ['an empty object', { headers: { 'content-type': 'application/json' }, body: '{}' }],
    ['a body that is not JSON', { body: 'x' }],
  ])('with %s it is answered 200', async (_, init) => {
    const { url, apiToken } = gateway();
    const answer = await fetch(`${url}/v2/${noun}s/${action}/${randomUUID()}`, {
      ...init,
      method: 'POST',
      headers: { ...init.headers, authorization: `Bearer ${apiToken}` },
    });
    expect(answer.status).toBe(200);
  });

  test('GET is not served', async () => {
    const answer = await call(gateway(), 'GET', `/v2/${noun}s/${action}/${randomUUID()}`);
    expect(answer.status).toBe(405);
  });
}

function nameOf(noun: Noun): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}
