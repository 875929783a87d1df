// Sending the callback of a deposit again. Rows of api.md "Callback resending" and "Endpoints", rule 3.
import { describe, expect, test } from 'vitest';
import { depositRequest, eventually, payer } from '../gateway.ts';
import { callbacksAbout, start, startCompleted, waitForPayment } from '../payments.ts';
import { openAccount } from './accounts.ts';
import { actOn, describeTarget, expectInvalidState } from './action-rows.ts';
import { told } from './answers.ts';
import { withGateway } from './outgoing-rows.ts';

const gateway = withGateway();

const NOT_APPROVED = payer('MTN_MOMO_RWA', '250783456039');
const NEVER_ENDS = payer('MTN_MOMO_RWA', '250783456129');

const resend = (id: string, caller: { apiToken?: string } = {}) =>
  actOn({ ...gateway(), ...caller }, { noun: 'deposit', action: 'resend-callback', id });

describe('resend callback of a deposit', () => {
  test.each([
    ['COMPLETED', {}],
    ['FAILED', { payer: NOT_APPROVED }],
  ])('%s: ACCEPTED, and the same record is sent again', async (status, changes) => {
    const depositId = await start(gateway(), 'deposit', depositRequest(changes));
    const record = await waitForPayment(gateway(), 'deposit', depositId, status);
    await eventually(() => callbacksAbout(gateway(), 'deposit', depositId).length).toBe(1);
    expect(await resend(depositId)).toEqual({ status: 200, body: { depositId, status: 'ACCEPTED' } });
    await eventually(() => callbacksAbout(gateway(), 'deposit', depositId)).toEqual([record, record]);
  });

  test('PROCESSING: REJECTED INVALID_STATE', async () => {
    const depositId = await start(gateway(), 'deposit', depositRequest({ payer: NEVER_ENDS }));
    await waitForPayment(gateway(), 'deposit', depositId, 'PROCESSING');
    expectInvalidState(await resend(depositId), { noun: 'deposit', id: depositId, state: 'PROCESSING' });
  });

  test('without a configured callback URL: REJECTED INVALID_STATE, and the message says why', async () => {
    const account = await openAccount(gateway());
    const depositId = await startCompleted(account, 'deposit', depositRequest());
    const answer = await resend(depositId, account);
    expect(told(answer)).toBe('200 REJECTED INVALID_STATE');
    expect(answer.body['failureReason'].failureMessage).toContain('no callback address is configured');
  });

  describeTarget('resend-callback', {
    noun: 'deposit',
    gateway,
    startFinal: () => startCompleted(gateway(), 'deposit', depositRequest()),
  });
});
