// Rows of the specification's table "Deposit (API v2)" and of completions 1.5.
import * as fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import type { Payment, PaymentState } from '../../../src/domain/payments/payment.ts';
import type { AuthType } from '../../../src/wire/v2/payments/authorisation.ts';
import { depositIdSchema } from '../../../src/wire/v2/payments/deposit.ts';
import {
  depositLookupSchema,
  depositRecordSchema,
  renderDeposit,
} from '../../../src/wire/v2/payments/deposit-record.ts';
import { renderLookup } from '../../../src/wire/v2/lookup.ts';
import { parsePath, pathSchema } from '../../../src/wire/v2/path.ts';
import { DEPOSIT_ID, depositPayment } from './deposit-body.ts';

const STATES = ['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED', 'FAILED'] as const;
const redirect = {
  provider: 'WAVE_SEN',
  details: {
    phoneNumber: '221773456789',
    customerMessage: 'Order 123456',
    successfulUrl: 'https://merchant.example/ok',
    failedUrl: 'https://merchant.example/no',
  },
};
const returned = { successfulUrl: redirect.details.successfulUrl, failedUrl: redirect.details.failedUrl };
const authorizationUrl = 'https://pay.provider.example/c/1';

function renderPromptDeposit(fields: Partial<Payment> = {}) {
  return renderDeposit(depositPayment(fields), 'PROVIDER_AUTH');
}

describe('the deposit record', () => {
  it('the deposit record holds the fields of the specification and leaves absent ones out', () => {
    expect(renderPromptDeposit()).toStrictEqual({
      depositId: DEPOSIT_ID.toUpperCase(),
      status: 'PROCESSING',
      amount: '15.50',
      currency: 'ZMW',
      country: 'ZMB',
      payer: { type: 'MMO', accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' } },
      customerMessage: 'Order 123456',
      created: '2026-01-02T03:04:05.000Z',
    });
  });

  it('depositId: echoed as written', () => {
    expect(renderPromptDeposit().depositId).toBe(DEPOSIT_ID.toUpperCase());
  });

  it.each(STATES)('status: %s', (state) => {
    expect(renderPromptDeposit({ state }).status).toBe(state);
  });

  it('amount: as the merchant wrote it', () => {
    expect(renderPromptDeposit({ amount: 100_000n, amountText: '10.00' }).amount).toBe('10.00');
  });

  it('clientReferenceId: the merchant reference, may be empty', () => {
    const { details } = depositPayment();
    for (const clientReferenceId of ['INV-1', '']) {
      expect(renderPromptDeposit({ details: { ...details, clientReferenceId } })).toMatchObject({
        clientReferenceId,
      });
    }
  });

  it('created: RFC 3339 in UTC, always with milliseconds', () => {
    expect(renderPromptDeposit({ createdAt: new Date(1_767_323_045_006) }).created).toBe(
      '2026-01-02T03:04:05.006Z',
    );
  });

  it('providerTransactionId: present if the provider supplies it', () => {
    expect(renderPromptDeposit({ providerTransactionId: 'MP123' })).toMatchObject({
      providerTransactionId: 'MP123',
    });
    expect(renderPromptDeposit()).not.toHaveProperty('providerTransactionId');
  });

  it('failureReason: present when FAILED, with the message of its code', () => {
    expect(
      renderPromptDeposit({ state: 'FAILED', failureCode: 'INSUFFICIENT_BALANCE' }).failureReason,
    ).toStrictEqual({
      failureCode: 'INSUFFICIENT_BALANCE',
      failureMessage: "The customer's wallet does not hold enough funds.",
    });
  });

  it('failureReason: FAILED without a code still has a reason', () => {
    expect(renderPromptDeposit({ state: 'FAILED' }).failureReason?.failureCode).toBe('UNSPECIFIED_FAILURE');
  });

  it.each(STATES.slice(0, -1))('failureReason: absent when %s', (state) => {
    expect(renderPromptDeposit({ state, failureCode: 'OTHER_ERROR' })).not.toHaveProperty('failureReason');
  });

  it('metadata: one object of names and values', () => {
    const metadata = [
      { name: 'orderId', value: '1', isPii: false },
      { name: 'email', value: 'a@b.example', isPii: true },
    ];
    const { details } = depositPayment();
    expect(renderPromptDeposit({ details: { ...details, metadata } }).metadata).toStrictEqual({
      orderId: '1',
      email: 'a@b.example',
    });
    expect(renderPromptDeposit({ details: { ...details, metadata: [] } }).metadata).toStrictEqual({});
  });

  it('the code the customer typed is not returned', () => {
    const { details } = depositPayment();
    const deposit = depositPayment({ details: { ...details, preAuthorisationCode: '3514' } });
    expect(JSON.stringify(renderDeposit(deposit, 'PREAUTH'))).not.toContain('3514');
  });
});

describe('nextStep, authorizationUrl, successfulUrl, failedUrl: redirect flow', () => {
  it.each(['ACCEPTED', 'PROCESSING'] as const)('%s without an address: GET_AUTH_URL', (state) => {
    const record = renderDeposit(depositPayment({ ...redirect, state }), 'REDIRECT_AUTH');
    expect(record).toMatchObject({ nextStep: 'GET_AUTH_URL', ...returned });
    expect(record).not.toHaveProperty('authorizationUrl');
  });

  it('PROCESSING with an address: REDIRECT_TO_AUTH_URL', () => {
    const details = { ...redirect.details, authorizationUrl };
    expect(renderDeposit(depositPayment({ ...redirect, details }), 'REDIRECT_AUTH')).toMatchObject({
      nextStep: 'REDIRECT_TO_AUTH_URL',
      authorizationUrl,
      ...returned,
    });
  });

  it.each(['IN_RECONCILIATION', 'COMPLETED', 'FAILED'] as const)(
    '%s: FINAL_STATUS, and no one is sent to the address any more',
    (state) => {
      const details = { ...redirect.details, authorizationUrl };
      const record = renderDeposit(depositPayment({ ...redirect, state, details }), 'REDIRECT_AUTH');
      expect(record).toMatchObject({ nextStep: 'FINAL_STATUS', ...returned });
      expect(record).not.toHaveProperty('authorizationUrl');
    },
  );

  it.each(['PROVIDER_AUTH', 'PREAUTH', null] as const)('none of them with %s', (authType) => {
    const record = renderDeposit(depositPayment(redirect), authType);
    for (const field of ['nextStep', 'authorizationUrl', 'successfulUrl', 'failedUrl']) {
      expect(record).not.toHaveProperty(field);
    }
  });
});

describe('the status check', () => {
  it('FOUND carries the record in data', () => {
    const deposit = depositPayment();
    const data = renderDeposit(deposit, 'PROVIDER_AUTH');
    expect(renderLookup(data)).toStrictEqual({ status: 'FOUND', data });
  });

  it('NOT_FOUND has no data', () => {
    expect(renderLookup(null)).toStrictEqual({ status: 'NOT_FOUND' });
  });

  it('the status check describes itself without alternatives, which would make Fastify validate what it answers', () => {
    expect(JSON.stringify(depositLookupSchema)).not.toMatch(/"(anyOf|oneOf|allOf|if)":/);
  });

  const path = pathSchema('depositId', depositIdSchema);

  it('the status check reads the identifier of the path as written', () => {
    const depositId = DEPOSIT_ID.toUpperCase();
    expect(parsePath(path, { depositId })).toStrictEqual({ type: 'PARSED', request: depositId });
  });

  it.each(['', 'x', `${DEPOSIT_ID}0`])(
    'a malformed identifier in the path, %j, is INVALID_PARAMETER',
    (depositId) => {
      expect(parsePath(path, { depositId })).toMatchObject({
        type: 'FAULT',
        fault: { code: 'INVALID_PARAMETER', parameter: 'depositId' },
      });
    },
  );
});

describe('whatever the deposit', () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 });
  const details = fc.record(
    {
      phoneNumber: text,
      customerMessage: fc.constantFrom('Order 123456', 'abcd'),
      clientReferenceId: text,
      preAuthorisationCode: text,
      successfulUrl: fc.webUrl(),
      failedUrl: fc.webUrl(),
      authorizationUrl: fc.webUrl(),
      metadata: fc.array(fc.record({ name: text, value: text, isPii: fc.boolean() }), { maxLength: 10 }),
    },
    { requiredKeys: ['phoneNumber', 'customerMessage'] },
  );
  const deposits: fc.Arbitrary<Payment> = fc
    .record(
      {
        state: fc.constantFrom<PaymentState>(...STATES, 'ENQUEUED'),
        details,
        createdAt: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }),
        providerTransactionId: text,
        failureCode: fc.constantFrom('OTHER_ERROR' as const, 'PAYER_NOT_FOUND' as const),
      },
      { requiredKeys: ['state', 'details', 'createdAt'] },
    )
    .map((fields) => depositPayment(fields as Partial<Payment>));
  const authTypes = fc.constantFrom<AuthType | null>('PROVIDER_AUTH', 'PREAUTH', 'REDIRECT_AUTH', null);
  const record = Compile(depositRecordSchema);
  const lookup = Compile(depositLookupSchema);

  it('no field is null or undefined, and the record fits its published schema', () => {
    fc.assert(
      fc.property(deposits, authTypes, (deposit, authType) => {
        const told = renderDeposit(deposit, authType);
        expect(holdsNothing(told)).toBe(false);
        expect(record.Errors(told)).toStrictEqual([]);
        expect(lookup.Check(renderLookup(told))).toBe(true);
      }),
    );
  });
});

/** Whether null or undefined is anywhere inside. */
function holdsNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.values(value).some(holdsNothing);
}
