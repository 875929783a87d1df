// Requests that send money, each of which completes in the sandbox when nothing is changed.
import { randomUUID } from 'node:crypto';

export type Body = Record<string, any>;

export function wallet(provider: string, phoneNumber: string) {
  return { type: 'MMO', accountDetails: { phoneNumber, provider } };
}

const RWANDAN = { amount: '100', currency: 'RWF' };

export function payoutRequest(changes: Body = {}): Body {
  return {
    payoutId: randomUUID(),
    ...RWANDAN,
    recipient: wallet('MTN_MOMO_RWA', '250783456789'),
    ...changes,
  };
}

/** Without an amount: all that remains of the deposit. */
export function refundRequest(depositId: string, changes: Body = {}): Body {
  return { refundId: randomUUID(), depositId, ...changes };
}

/** With every field a remittance can have. */
export function remittanceRequest(changes: Body = {}): Body {
  return {
    remittanceId: randomUUID(),
    ...RWANDAN,
    recipient: remittanceRecipient('MTN_MOMO_RWA', '250783456789'),
    sender: {
      transactionDetails: {
        transactionReference: 'TX-1',
        originalAmount: '12.50',
        originalCurrency: 'EUR',
        buyFxRate: '0.00061',
        senderFees: '0',
        purposeOfFunds: 'FAMILY_SUPPORT',
        sourceOfFunds: 'SALARY',
      },
      senderDetails: {
        firstName: 'Aline',
        lastName: 'Uwase',
        nationality: 'RWA',
        phoneNumber: '32470123456',
        address: { addressLine: 'Rue Neuve 1', postalCode: '1000', city: 'Brussels', country: 'BEL' },
        identification: { type: 'PASSPORT', number: 'PC123456' },
        gender: 'FEMALE',
        dateOfBirth: '1988-02-29',
        placeOfBirth: 'RWA',
        occupation: 'Nurse',
        relationshipRecipient: 'SISTER',
      },
    },
    ...changes,
  };
}

export function remittanceRecipient(provider: string, phoneNumber: string) {
  return {
    ...wallet(provider, phoneNumber),
    recipientDetails: { firstName: 'Eric', lastName: 'Uwase' },
  };
}

/** A copy of `body` with another value at the dotted `path`; undefined takes the field out. */
export function withField(body: Body, path: string, value: unknown): Body {
  const [name = '', ...rest] = path.split('.');
  const { [name]: inner, ...others } = body;
  if (rest.length > 0) return { ...body, [name]: withField(inner as Body, rest.join('.'), value) };
  return value === undefined ? others : { ...others, [name]: value };
}

/** What stands at the dotted `path`. */
export function fieldOf(body: Body, path: string): unknown {
  return path.split('.').reduce<any>((inner, name) => inner?.[name], body);
}
