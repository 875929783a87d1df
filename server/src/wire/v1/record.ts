// What the records of all kinds have in common in API v1: status checks and callbacks.
import { Type, type Static } from 'typebox';
import { earlierCode, failureReason } from '../../domain/failure.ts';
import { isFinal } from '../../domain/payments/lifecycle.ts';
import { metadataToRecord } from '../../domain/metadata.ts';
import type { Payment, PaymentState } from '../../domain/payments/payment.ts';
import { countrySchema, currencySchema } from '../v2/amount.ts';
import { metadataRecordSchema } from '../v2/metadata.ts';
import { renderTimestamp, timestampSchema } from '../v2/timestamp.ts';
import { statementDescriptionSchema } from './customer-message.ts';
import { failureReasonSchema } from './failure.ts';
import { correspondentSchema, operatorOf } from './toolkit/provider.ts';
import { customerTimestampSchema, renderCustomerTimestamp } from './timestamp.ts';
import { translateMessage } from './words.ts';

/** The fields besides identifier, status, amounts and party; `noun` is the kind's name in a sentence. */
export function recordFields(noun: string, failureCodes: readonly string[]) {
  return {
    currency: currencySchema,
    country: countrySchema,
    correspondent: correspondentSchema,
    statementDescription: statementDescriptionSchema,
    customerTimestamp: customerTimestampSchema,
    created: timestampSchema(`When the ${noun} was accepted.`),
    correspondentIds: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: Type.String(),
          description:
            'The identifier the operator gave, once it has given one, under <OPERATOR>_INIT; when the payment has ' +
            'ended also under <OPERATOR>_FINAL.',
          examples: [{ MTN_INIT: '12356789', MTN_FINAL: '12356789' }],
        },
      ),
    ),
    failureReason: Type.Optional(failureReasonSchema(failureCodes)),
    suspiciousActivityReport: Type.Optional(
      Type.Array(
        Type.Object({
          activityType: Type.String({
            description:
              'AMOUNT_DISCREPANCY: the operator moved another amount or currency than was asked for.',
            examples: ['AMOUNT_DISCREPANCY'],
          }),
          comment: Type.String({
            description: 'For people.',
            examples: ['The operator reported another amount than was asked for.'],
          }),
        }),
      ),
    ),
    metadata: Type.Optional(metadataRecordSchema),
  };
}

type RecordPart = Static<ReturnType<typeof Type.Object<ReturnType<typeof recordFields>>>>;

export function renderRecord(payment: Payment): RecordPart {
  const { metadata, customerMessage } = payment.details;
  return {
    currency: payment.currency,
    country: payment.country,
    correspondent: payment.provider,
    statementDescription: customerMessage,
    customerTimestamp: renderCustomerTimestamp(payment),
    created: renderTimestamp(payment.createdAt),
    ...renderCorrespondentIds(payment),
    ...renderFailure(payment),
    ...renderSuspicion(payment),
    ...(metadata !== undefined && { metadata: metadataToRecord(metadata) }),
  };
}

/** A payment at the operator is SUBMITTED, whether or not its answer was clear. */
export function renderStatus(
  state: PaymentState,
): Exclude<PaymentState, 'PROCESSING' | 'IN_RECONCILIATION'> | 'SUBMITTED' {
  return state === 'PROCESSING' || state === 'IN_RECONCILIATION' ? 'SUBMITTED' : state;
}

/** The best known time of receipt: when the operator reported the end. */
export function renderCompletedAt({ state, finalAt }: Payment): string | null {
  return state === 'COMPLETED' && finalAt !== undefined ? renderTimestamp(finalAt) : null;
}

/** Operators give one identifier; API v1 clients look for it under either name. */
function renderCorrespondentIds({ provider, providerTransactionId: id, state }: Payment) {
  if (id === undefined) return {};
  const operator = operatorOf(provider);
  return {
    correspondentIds: { [`${operator}_INIT`]: id, ...(isFinal(state) && { [`${operator}_FINAL`]: id }) },
  };
}

function renderFailure({ state, kind, failureCode = 'UNSPECIFIED_FAILURE' }: Payment) {
  if (state !== 'FAILED') return {};
  const { failureMessage } = failureReason(failureCode);
  const told = translateMessage(failureMessage);
  return { failureReason: { failureCode: earlierCode(failureCode, { kind }), failureMessage: told } };
}

function renderSuspicion({ details: { discrepancy } }: Payment) {
  if (discrepancy !== 'AMOUNT_DIFFERS' && discrepancy !== 'CURRENCY_DIFFERS') return {};
  const what = discrepancy === 'AMOUNT_DIFFERS' ? 'amount' : 'currency';
  const comment = `The operator reported another ${what} than was asked for.`;
  return { suspiciousActivityReport: [{ activityType: 'AMOUNT_DISCREPANCY', comment }] };
}
