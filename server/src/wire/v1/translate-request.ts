// Translates a v1 request to v2 and lists the changes, for developers who migrate. The service itself supports both
// versions. Pure: it does not check whether a provider exists.
import { type Static, type TObject } from 'typebox';
import { findFault, invalidFault, type Fault, type Parsed } from '../fault.ts';
import { valueAt, type JsonObject } from '../json.ts';
import { depositRequestSchema } from './payments/deposit.ts';
import { parseMetadata, type MetadataRequest } from './metadata.ts';
import type { Party } from './party.ts';
import { isFault } from './payments/payment-request.ts';
import { payoutRequestSchema } from './payments/payout.ts';
import { predictionRequestSchema } from './toolkit/prediction.ts';
import { refundRequestSchema } from './payments/refund.ts';
import { listTimestampFaults } from './timestamp.ts';

/** One row of the list of changes: a field and what happened to it. */
export type Change = { readonly earlier: string; readonly current: string };

export type Translation = { readonly body: JsonObject; readonly changes: readonly Change[] };

export const TRANSLATED_KINDS = ['deposit', 'payout', 'refund', 'prediction'] as const;
export type TranslatedKind = (typeof TRANSLATED_KINDS)[number];

/** Returns FAULT if it is not a v1 request of this kind. */
export function translateRequest(kind: TranslatedKind, body: unknown): Parsed<Translation> {
  switch (kind) {
    case 'deposit':
      return translate(depositRequestSchema, body, ({ depositId, payer, ...rest }) =>
        join({ depositId }, translatePayment(rest, { role: 'payer', party: payer })),
      );
    case 'payout':
      return translate(payoutRequestSchema, body, ({ payoutId, recipient, ...rest }) =>
        join({ payoutId }, translatePayment(rest, { role: 'recipient', party: recipient })),
      );
    case 'refund':
      return translate(refundRequestSchema, body, ({ metadata, ...same }) =>
        join(same, translateMetadata(metadata)),
      );
    case 'prediction':
      return translate(predictionRequestSchema, body, ({ msisdn }) => ({
        body: { phoneNumber: msisdn },
        changes: [{ earlier: 'msisdn', current: 'phoneNumber' }],
      }));
  }
}

function translate<Schema extends TObject>(
  schema: Schema,
  body: unknown,
  turn: (body: Static<Schema>) => Translation,
): Parsed<Translation> {
  const fault = findFault(schema, body, [...listTimestampFaults(body), ...listNameFaults(body)]);
  if (fault !== null) return { type: 'FAULT', fault };
  const { metadata } = body as { readonly metadata?: MetadataRequest };
  const parsed = metadata === undefined ? undefined : parseMetadata(metadata);
  if (isFault(parsed)) return { type: 'FAULT', fault: parsed };
  return { type: 'PARSED', request: turn(body as Static<Schema>) };
}

type PaymentBody = Omit<Static<typeof depositRequestSchema>, 'depositId' | 'payer'>;

function translatePayment(
  { amount, currency, country, correspondent, customerTimestamp, statementDescription, ...rest }: PaymentBody,
  { role, party }: { readonly role: 'payer' | 'recipient'; readonly party: Party },
): Translation {
  const { metadata, ...same } = rest;
  const accountDetails = { phoneNumber: party.address.value, provider: correspondent };
  const payment: Translation = {
    body: {
      amount,
      currency,
      [role]: { type: 'MMO', accountDetails },
      customerMessage: statementDescription,
      ...same,
    },
    changes: [
      { earlier: 'correspondent', current: `${role}.accountDetails.provider` },
      { earlier: `${role}.type MSISDN`, current: `${role}.type MMO` },
      { earlier: `${role}.address.value`, current: `${role}.accountDetails.phoneNumber` },
      { earlier: `customerTimestamp ${customerTimestamp}`, current: 'removed' },
      { earlier: 'statementDescription', current: 'customerMessage' },
      ...(country === undefined ? [] : [{ earlier: `country ${country}`, current: 'removed' }]),
    ],
  };
  return join(payment.body, translateMetadata(metadata), payment.changes);
}

function translateMetadata(metadata: MetadataRequest | undefined): Translation {
  if (metadata === undefined) return { body: {}, changes: [] };
  const entries = metadata.map(({ fieldName, fieldValue, isPII }) => ({
    [fieldName]: fieldValue,
    ...(isPII !== undefined && { isPII }),
  }));
  return {
    body: { metadata: entries },
    changes: metadata.map(({ fieldName }, index) => ({
      earlier: `metadata[${index}].fieldName, fieldValue`,
      current: `metadata[${index}].${fieldName}`,
    })),
  };
}

/** In API v2 the mark of personal data cannot be a metadata name. */
function listNameFaults(body: unknown): readonly Fault[] {
  const metadata = valueAt(body, 'metadata');
  if (!Array.isArray(metadata)) return [];
  const cause = 'API v2 has a meaning of its own for it';
  return metadata.flatMap((entry: unknown, index) =>
    valueAt(entry, 'fieldName') === 'isPII' ? [invalidFault(`metadata[${index}].fieldName`, cause)] : [],
  );
}

function join(same: JsonObject, { body, changes }: Translation, before: readonly Change[] = []): Translation {
  return { body: { ...same, ...body }, changes: [...before, ...changes] };
}
