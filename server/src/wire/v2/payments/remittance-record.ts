// A remittance in API v2: status checks, lists and callbacks.
import { Type, type Static } from 'typebox';
import type { Payment } from '../../../domain/payments/payment.ts';
import { customerMessageSchema } from '../customer-message.ts';
import { lookupSchema } from '../lookup.ts';
import { pageSchema } from './list.ts';
import { OUTGOING_FAILURE_CODES, outgoingStatusSchema } from './outgoing.ts';
import { renderParty } from '../party.ts';
import { moneyFields, outcomeFields, RECORD_NOTE, renderRecord } from '../record.ts';
import { remittanceIdSchema, remittanceRecipientSchema } from './remittance.ts';
import { senderSchema, type Sender } from './sender.ts';

export const remittanceRecordSchema = Type.Object(
  {
    remittanceId: remittanceIdSchema,
    status: outgoingStatusSchema,
    ...moneyFields,
    recipient: remittanceRecipientSchema,
    sender: senderSchema,
    customerMessage: customerMessageSchema,
    ...outcomeFields('remittance', OUTGOING_FAILURE_CODES),
  },
  { title: 'Remittance', description: RECORD_NOTE },
);

export const remittanceLookupSchema = lookupSchema(
  { noun: 'remittance', title: 'RemittanceLookup' },
  remittanceRecordSchema,
);

/** Nearly all that is known of a sender is personal: without the right to see it, the whole block is left out. */
export const listedRemittanceSchema = Type.Object(
  { ...remittanceRecordSchema.properties, sender: Type.Optional(senderSchema) },
  { title: 'ListedRemittance', description: `${RECORD_NOTE} sender only with the scope personal-data:read.` },
);

export const remittancePageSchema = pageSchema(
  { group: 'remittances', title: 'RemittancePage' },
  listedRemittanceSchema,
);

export function renderRemittance(remittance: Payment): Static<typeof remittanceRecordSchema> {
  const { provider, details } = remittance;
  const { phoneNumber, recipientDetails = { firstName: '', lastName: '' } } = details;
  return {
    remittanceId: remittance.writtenId,
    status: remittance.state,
    recipient: { ...renderParty({ phoneNumber, provider }), recipientDetails },
    // The block was validated with the request, and is returned as it was sent.
    sender: details.sender as unknown as Sender,
    ...renderRecord(remittance),
  };
}
