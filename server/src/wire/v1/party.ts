// The other party of a payment in API v1: a phone number, with a separate provider field.
import { Type, type Static } from 'typebox';

export type Party = Static<ReturnType<typeof partySchema>>;

export function partySchema(description: string) {
  return Type.Object(
    {
      type: Type.Literal('MSISDN', {
        description: 'The kind of account: a phone number.',
        examples: ['MSISDN'],
      }),
      address: Type.Object(
        {
          // Any string: an invalid phone number is a rejection, not a request error.
          value: Type.String({
            description:
              'The number of the wallet: digits only, with country code, without "+", separators or a leading zero.',
            examples: ['260763456789'],
          }),
        },
        { additionalProperties: false, description: 'The wallet.' },
      ),
    },
    { additionalProperties: false, description },
  );
}

export function renderParty(phoneNumber: string): Party {
  return { type: 'MSISDN', address: { value: phoneNumber } };
}
