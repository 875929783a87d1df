// What the records of all kinds have in common, in status checks and callbacks.
import { Type } from 'typebox';
import { failureReason, type FailureCode } from '../../domain/failure.ts';
import { metadataToRecord } from '../../domain/metadata.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { amountSchema, countrySchema, currencySchema } from './amount.ts';
import { failureReasonSchema } from './failure.ts';
import { metadataRecordSchema } from './metadata.ts';
import { renderTimestamp, timestampSchema } from './timestamp.ts';

export const RECORD_NOTE = 'Fields without a value are left out; none is ever null.';

export const moneyFields = { amount: amountSchema, currency: currencySchema, country: countrySchema };

/** `noun` is the kind's name in a sentence. */
export function outcomeFields(noun: string, failureCodes: readonly FailureCode[]) {
  return {
    created: timestampSchema(`When the ${noun} was accepted.`),
    providerTransactionId: Type.Optional(
      Type.String({ description: "The provider's own identifier, if it gave one.", examples: ['12356789'] }),
    ),
    failureReason: Type.Optional(failureReasonSchema(failureCodes)),
    metadata: Type.Optional(metadataRecordSchema),
  };
}

/** A record without identifier, status and party, which differ by kind. */
export function renderRecord(payment: Payment) {
  const { customerMessage, clientReferenceId, metadata } = payment.details;
  const { providerTransactionId } = payment;
  return {
    amount: payment.amountText,
    currency: payment.currency,
    country: payment.country,
    customerMessage,
    ...(clientReferenceId !== undefined && { clientReferenceId }),
    created: renderTimestamp(payment.createdAt),
    ...(providerTransactionId !== undefined && { providerTransactionId }),
    ...(payment.state === 'FAILED' && {
      failureReason: failureReason(payment.failureCode ?? 'UNSPECIFIED_FAILURE'),
    }),
    ...(metadata !== undefined && { metadata: metadataToRecord(metadata) }),
  };
}
