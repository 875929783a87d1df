// Bodies and payments for the tests of this folder.
import type { Payment } from '../../../src/domain/payments/payment.ts';
import type { Fault } from '../../../src/wire/fault.ts';
import type { AuthType } from '../../../src/wire/v2/payments/authorisation.ts';
import type { CollectionSurroundings } from '../../../src/wire/v2/payments/collection.ts';
import { parseDepositRequest } from '../../../src/wire/v2/payments/deposit.ts';
import type { PaymentRequest } from '../../../src/wire/v2/payments/payment-request.ts';

export const DEPOSIT_ID = 'f4401bd2-1568-4140-bf2d-eb77d2b2b639';

const authTypes = new Map<string, AuthType>([
  ['MTN_MOMO_ZMB', 'PROVIDER_AUTH'],
  ['ORANGE_BFA', 'PREAUTH'],
  ['WAVE_SEN', 'REDIRECT_AUTH'],
]);

export const PROVIDERS = [...authTypes.keys()];

export const PRODUCTION: CollectionSurroundings = {
  authTypeOf: (provider) => authTypes.get(provider) ?? null,
  httpUrlsAllowed: false,
};
export const SANDBOX: CollectionSurroundings = { ...PRODUCTION, httpUrlsAllowed: true };

/** A body with every required field, and `fields` on top; a field set to undefined is taken out. */
export function depositBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  const body = {
    depositId: DEPOSIT_ID,
    amount: '15',
    currency: 'ZMW',
    payer: payer({}),
    ...fields,
  };
  return JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
}

export function payer(accountDetails: Record<string, unknown>): Record<string, unknown> {
  return {
    type: 'MMO',
    accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB', ...accountDetails },
  };
}

export function accepted(body: unknown, surroundings = PRODUCTION): PaymentRequest {
  const parsed = parseDepositRequest(body, surroundings);
  if (parsed.type === 'FAULT')
    throw new Error(`Refused: ${parsed.fault.code} ${parsed.fault.parameter}: ${parsed.fault.cause}`);
  return parsed.request;
}

export function refused(body: unknown, surroundings = PRODUCTION): Fault {
  const parsed = parseDepositRequest(body, surroundings);
  if (parsed.type === 'PARSED') throw new Error('Accepted a body that should be refused');
  return parsed.fault;
}

/** The fault in the short form that tables of tests compare: "INVALID_PARAMETER amount". */
export function faultOf(body: unknown, surroundings = PRODUCTION): string {
  const { code, parameter } = refused(body, surroundings);
  return `${code} ${parameter}`;
}

export function depositPayment(fields: Partial<Payment> = {}): Payment {
  return {
    merchantId: 'merchant-1',
    kind: 'DEPOSIT',
    paymentId: DEPOSIT_ID,
    paymentNo: 'number-1',
    writtenId: DEPOSIT_ID.toUpperCase(),
    apiVersion: 'v2',
    state: 'PROCESSING',
    amount: 155_000n,
    amountText: '15.50',
    fee: 0n,
    currency: 'ZMW',
    country: 'ZMB',
    provider: 'MTN_MOMO_ZMB',
    details: { phoneNumber: '260763456789', customerMessage: 'Order 123456' },
    createdAt: new Date('2026-01-02T03:04:05.000Z'),
    nextAction: null,
    nextActionAt: null,
    enquiryCount: 0,
    eventCount: 1,
    ...fields,
  };
}
