// The other party of a payment: the payer of a deposit, the recipient of a payout.
import { Type, type Static } from 'typebox';
import { invalidFault, type Fault } from '../fault.ts';
import { valueAt } from '../json.ts';

export type PartyRole = 'payer' | 'recipient';
export type Party = Static<ReturnType<typeof partySchema>>;

export const partyFields = fieldsOf('260763456789');

/** `exampleNumber` where an example needs another wallet than the usual one. */
export function partySchema(description: string, exampleNumber?: string) {
  const fields = exampleNumber === undefined ? partyFields : fieldsOf(exampleNumber);
  return Type.Object(fields, { additionalProperties: false, description });
}

function fieldsOf(exampleNumber: string) {
  return {
    type: Type.Literal('MMO', { description: 'The kind of account: mobile money.', examples: ['MMO'] }),
    accountDetails: Type.Object(
      {
        // Any string: an invalid phone number is a rejection (INVALID_PHONE_NUMBER), not a request error.
        phoneNumber: Type.String({
          description:
            'The number of the wallet: digits only, with country code, without "+", separators or a leading zero.',
          examples: [exampleNumber],
        }),
        provider: Type.String({
          description: 'The code of the mobile-money provider, as the active configuration lists it.',
          examples: ['MTN_MOMO_ZMB'],
        }),
      },
      { additionalProperties: false, description: 'The wallet.' },
    ),
  };
}

/** The provider in a body, whatever else is wrong with it; null if there is none. */
export function providerIn(body: unknown, role: PartyRole): string | null {
  const provider = valueAt(body, role, 'accountDetails', 'provider');
  return typeof provider === 'string' ? provider : null;
}

/** What parsing needs to know about providers. */
export type ProviderSurroundings = { readonly isProvider: (code: string) => boolean };

/** The error of an unknown provider code. `body` may be anything. */
export function listProviderFaults(
  body: unknown,
  role: PartyRole,
  { isProvider }: ProviderSurroundings,
): readonly Fault[] {
  const provider = providerIn(body, role);
  return provider === null || isProvider(provider) ? [] : [unknownProviderFault(role)];
}

export function unknownProviderFault(role: PartyRole): Fault {
  return invalidFault(`${role}.accountDetails.provider`, 'there is no provider with this code');
}

export function renderParty(party: { readonly phoneNumber: string; readonly provider: string }): Party {
  return { type: 'MMO', accountDetails: { phoneNumber: party.phoneNumber, provider: party.provider } };
}
