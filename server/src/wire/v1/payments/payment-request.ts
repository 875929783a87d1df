// What deposit and payout requests have in common in API v1: an amount and a wallet.
import { Type, type Static } from 'typebox';
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import { parseAmount } from '../../../domain/money.ts';
import { invalidFault, type Fault, type Parsed } from '../../fault.ts';
import { amountSchema, countryCodeSchema, currencySchema } from '../../v2/amount.ts';
import type { PaymentRequest as CurrentRequest } from '../../v2/payments/payment-request.ts';
import { statementDescriptionSchema } from '../customer-message.ts';
import { metadataRequestSchema, parseMetadata } from '../metadata.ts';
import { partySchema, type Party } from '../party.ts';
import { correspondentSchema } from '../toolkit/provider.ts';
import { customerTimestampSchema } from '../timestamp.ts';

/** A payment request; the country is compared with the provider's. */
export type PaymentRequest = CurrentRequest & { readonly askedCountry?: string };

/** Errors are reported in the order of these fields. */
export const moneyRequestFields = {
  amount: amountSchema,
  currency: currencySchema,
  country: Type.Optional(
    countryCodeSchema(
      'The country of the correspondent. It is only compared: another one is INVALID_COUNTRY.',
    ),
  ),
  correspondent: correspondentSchema,
};

export function partyRequestFields<Role extends 'payer' | 'recipient'>(role: Role, description: string) {
  return { [role]: partySchema(description) } as Readonly<Record<Role, ReturnType<typeof partySchema>>>;
}

export const furtherRequestFields = {
  customerTimestamp: customerTimestampSchema,
  statementDescription: statementDescriptionSchema,
  metadata: Type.Optional(metadataRequestSchema),
};

type Fields = typeof moneyRequestFields & typeof furtherRequestFields;

/** Parses the common parts of a body that fits its schema. */
export function readPaymentRequest(
  body: Static<ReturnType<typeof Type.Object<Fields>>> & {
    readonly writtenId: string;
    readonly party: Party;
    readonly preAuthorisationCode?: string | undefined;
  },
): Parsed<PaymentRequest> {
  const { writtenId, amount: amountText, currency, country, correspondent, preAuthorisationCode } = body;
  const amount = parseAmount(amountText);
  if (amount === null) return { type: 'FAULT', fault: invalidFault('amount', 'it is not an amount') };
  const metadata = body.metadata === undefined ? undefined : parseMetadata(body.metadata);
  if (isFault(metadata)) return { type: 'FAULT', fault: metadata };
  const request: PaymentRequest = {
    paymentId: canonicalIdentifier(writtenId),
    writtenId,
    amount,
    amountText,
    currency,
    provider: correspondent,
    ...(country !== undefined && { askedCountry: country }),
    details: {
      phoneNumber: body.party.address.value,
      customerMessage: body.statementDescription,
      customerTimestamp: body.customerTimestamp,
      ...(preAuthorisationCode !== undefined && { preAuthorisationCode }),
      ...(metadata !== undefined && { metadata }),
    },
  };
  return { type: 'PARSED', request };
}

export function isFault(metadata: ReturnType<typeof parseMetadata> | undefined): metadata is Fault {
  return metadata !== undefined && 'code' in metadata;
}
