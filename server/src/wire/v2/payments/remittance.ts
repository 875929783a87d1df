// Starting a remittance in API v2: the request and its answer.
import { Type, type Static } from 'typebox';
import type { ProcessTime } from '../../../domain/clock.ts';
import { findFault, type Fault, type Parsed } from '../../fault.ts';
import { valueAt } from '../../json.ts';
import { amountSchema, currencySchema } from '../amount.ts';
import { customerMessageSchema } from '../customer-message.ts';
import { paymentIdSchema } from '../identifier.ts';
import { INITIATION_NOTE, initiationFields, renderInitiation, type Initiation } from '../initiation.ts';
import { listMetadataFaults, metadataRequestSchema } from '../metadata.ts';
import { OUTGOING_REJECTION_CODES } from './outgoing.ts';
import { listProviderFaults, partyFields, type ProviderSurroundings } from '../party.ts';
import { readPaymentRequest, type PaymentRequest } from './payment-request.ts';
import { listSenderFaults, senderSchema, shortTextSchema } from './sender.ts';

export const remittanceIdSchema = paymentIdSchema('remittance');

export const remittanceRecipientSchema = Type.Object(
  {
    ...partyFields,
    recipientDetails: Type.Object(
      {
        firstName: shortTextSchema('The first name of the recipient.', 'Chanda'),
        lastName: shortTextSchema('The last name of the recipient.', 'Mwila'),
      },
      { additionalProperties: false, description: 'Who the recipient is.' },
    ),
  },
  { additionalProperties: false, description: 'Who receives the money.' },
);

/** Errors are reported in the order of these fields. */
export const remittanceRequestSchema = Type.Object(
  {
    remittanceId: remittanceIdSchema,
    recipient: remittanceRecipientSchema,
    sender: senderSchema,
    amount: amountSchema,
    currency: currencySchema,
    customerMessage: Type.Optional(customerMessageSchema),
    metadata: Type.Optional(metadataRequestSchema),
  },
  {
    additionalProperties: false,
    title: 'RemittanceRequest',
    description: "Sends another person's money from your wallet to a mobile wallet.",
  },
);

export const remittanceInitiationSchema = Type.Object(
  {
    remittanceId: remittanceIdSchema,
    ...initiationFields('remittance', OUTGOING_REJECTION_CODES, { operation: 'REMITTANCE' }),
  },
  { title: 'RemittanceInitiation', description: INITIATION_NOTE },
);

/** What parsing a request needs besides its body. */
export type RemittanceSurroundings = ProviderSurroundings & { readonly now: ProcessTime };

/** Returns FAULT with the one error to report for any `body`; never throws. */
export function parseRemittanceRequest(
  body: unknown,
  surroundings: RemittanceSurroundings,
): Parsed<PaymentRequest> {
  const fault = findFault(remittanceRequestSchema, body, listFurtherFaults(body, surroundings));
  if (fault !== null) return { type: 'FAULT', fault };
  const { remittanceId, amount, currency, recipient, metadata, ...texts } = body as Static<
    typeof remittanceRequestSchema
  >;
  const { recipientDetails, ...party } = recipient;
  const details = { ...texts, recipientDetails };
  return readPaymentRequest({ writtenId: remittanceId, amount, currency, party, metadata, details });
}

/** `remittanceId` is the identifier as written in this request. */
export function renderRemittanceInitiation(
  remittanceId: string,
  initiation: Initiation,
): Static<typeof remittanceInitiationSchema> {
  return { remittanceId, ...renderInitiation(initiation) };
}

/** Errors that the schema cannot express. */
function listFurtherFaults(body: unknown, surroundings: RemittanceSurroundings): readonly Fault[] {
  return [
    ...listSenderFaults(body, surroundings.now),
    ...listProviderFaults(body, 'recipient', surroundings),
    ...listMetadataFaults(valueAt(body, 'metadata')),
  ];
}
