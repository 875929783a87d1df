// Starting a payout in API v2: the request and its answer.
import { Type, type Static } from 'typebox';
import { findFault, type Fault, type Parsed } from '../../fault.ts';
import { valueAt } from '../../json.ts';
import { amountSchema, currencySchema } from '../amount.ts';
import { customerMessageSchema } from '../customer-message.ts';
import { clientReferenceIdSchema, paymentIdSchema } from '../identifier.ts';
import { INITIATION_NOTE, initiationFields, renderInitiation, type Initiation } from '../initiation.ts';
import { listMetadataFaults, metadataRequestSchema } from '../metadata.ts';
import { OUTGOING_REJECTION_CODES } from './outgoing.ts';
import { listProviderFaults, partySchema, type ProviderSurroundings } from '../party.ts';
import { readPaymentRequest, type PaymentRequest } from './payment-request.ts';

export const payoutIdSchema = paymentIdSchema('payout');

/** Errors are reported in the order of these fields. */
export const payoutRequestSchema = Type.Object(
  {
    payoutId: payoutIdSchema,
    amount: amountSchema,
    currency: currencySchema,
    recipient: partySchema('Who receives the money.'),
    customerMessage: Type.Optional(customerMessageSchema),
    clientReferenceId: Type.Optional(clientReferenceIdSchema),
    metadata: Type.Optional(metadataRequestSchema),
  },
  {
    additionalProperties: false,
    title: 'PayoutRequest',
    description: 'Sends money from your wallet to a mobile wallet.',
  },
);

export const payoutInitiationSchema = Type.Object(
  {
    payoutId: payoutIdSchema,
    ...initiationFields('payout', OUTGOING_REJECTION_CODES, { operation: 'PAYOUT' }),
  },
  { title: 'PayoutInitiation', description: INITIATION_NOTE },
);

/** Returns FAULT with the one error to report for any `body`; never throws. */
export function parsePayoutRequest(
  body: unknown,
  surroundings: ProviderSurroundings,
): Parsed<PaymentRequest> {
  const fault = findFault(payoutRequestSchema, body, listFurtherFaults(body, surroundings));
  if (fault !== null) return { type: 'FAULT', fault };
  const { payoutId, amount, currency, recipient, metadata, ...details } = body as Static<
    typeof payoutRequestSchema
  >;
  return readPaymentRequest({ writtenId: payoutId, amount, currency, party: recipient, metadata, details });
}

/** `payoutId` is the identifier as written in this request. */
export function renderPayoutInitiation(
  payoutId: string,
  initiation: Initiation,
): Static<typeof payoutInitiationSchema> {
  return { payoutId, ...renderInitiation(initiation) };
}

/** Errors that the schema cannot express. */
function listFurtherFaults(body: unknown, surroundings: ProviderSurroundings): readonly Fault[] {
  return [
    ...listProviderFaults(body, 'recipient', surroundings),
    ...listMetadataFaults(valueAt(body, 'metadata')),
  ];
}
