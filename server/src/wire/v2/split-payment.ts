// Split payments of the current generation: how the request is read, how it is answered.
import { Type, type Static } from 'typebox';
import type { RejectionCode } from '../../domain/failure.ts';
import { findFault, invalidFault, type Fault, type Parsed } from '../fault.ts';
import { valueAt } from '../json.ts';
import { amountSchema, currencySchema } from './amount.ts';
import {
  failedUrlSchema,
  listAuthorisationFaults,
  nextStepOnAcceptance,
  nextStepSchema,
  preAuthorisationCodeSchema,
  successfulUrlSchema,
  type AuthType,
} from './authorisation.ts';
import { customerMessageSchema } from './customer-message.ts';
import type { DepositSurroundings } from './deposit.ts';
import { clientReferenceIdSchema, identifierSchema } from './identifier.ts';
import { INITIATION_NOTE, initiationFields, renderInitiation, type Initiation } from './initiation.ts';
import { listMetadataFaults, metadataRequestSchema } from './metadata.ts';
import { partySchema, providerIn, unknownProviderFault } from './party.ts';
import { readPaymentRequest, type PaymentRequest } from './payment-request.ts';

/** As many as a bulk of payouts. */
const SPLITS_MAX = 20;

const REJECTION_CODES: readonly RejectionCode[] = [
  'PAYOUT_EXCEEDS_DEPOSIT',
  'DUPLICATE_IDENTIFIER',
  'INVALID_PROVIDER',
  'INVALID_PHONE_NUMBER',
  'INVALID_CURRENCY',
  'INVALID_AMOUNT',
  'AMOUNT_OUT_OF_BOUNDS',
  'PROVIDER_TEMPORARILY_UNAVAILABLE',
];

export const splitPaymentIdSchema = identifierSchema(
  'The identifier of the split payment and of the deposit that collects it. You choose it; store it before you send.',
);

const splitSchema = Type.Object(
  {
    payoutId: identifierSchema('The identifier of the payout this share becomes. You choose it.'),
    amount: amountSchema,
    recipient: partySchema('Who gets this share.'),
    customerMessage: Type.Optional(customerMessageSchema),
    metadata: Type.Optional(metadataRequestSchema),
  },
  { additionalProperties: false, description: 'One share, paid out once the money is there.' },
);

export const splitPaymentRequestSchema = Type.Object(
  {
    splitPaymentId: splitPaymentIdSchema,
    amount: amountSchema,
    currency: currencySchema,
    payer: partySchema('Who pays.'),
    splits: Type.Array(splitSchema, {
      minItems: 1,
      maxItems: SPLITS_MAX,
      description:
        'The shares. With their fees they come to no more than the amount; the rest stays in your wallet.',
    }),
    customerMessage: Type.Optional(customerMessageSchema),
    clientReferenceId: Type.Optional(clientReferenceIdSchema),
    preAuthorisationCode: Type.Optional(preAuthorisationCodeSchema),
    successfulUrl: Type.Optional(successfulUrlSchema),
    failedUrl: Type.Optional(failedUrlSchema),
    metadata: Type.Optional(metadataRequestSchema),
  },
  {
    additionalProperties: false,
    title: 'SplitPaymentRequest',
    description: 'Collects money from a mobile wallet and shares it out to several others.',
  },
);

export const splitPaymentInitiationSchema = Type.Object(
  {
    splitPaymentId: splitPaymentIdSchema,
    ...initiationFields('split payment', REJECTION_CODES),
    nextStep: Type.Optional(nextStepSchema),
  },
  { title: 'SplitPaymentInitiation', description: INITIATION_NOTE },
);

/** A split payment as a merchant asks for it: a deposit, and the payouts it is shared out by. */
export type SplitPaymentRequest = PaymentRequest & { readonly parts: readonly PaymentRequest[] };

/** Answers FAULT with the one fault to report, whatever `body` is; never throws for it. */
export function parseSplitPaymentRequest(
  body: unknown,
  surroundings: DepositSurroundings,
): Parsed<SplitPaymentRequest> {
  const fault = findFault(splitPaymentRequestSchema, body, listFurtherFaults(body, surroundings));
  if (fault !== null) return { type: 'FAULT', fault };
  const { splitPaymentId, amount, currency, payer, splits, metadata, ...details } = body as Static<
    typeof splitPaymentRequestSchema
  >;
  const whole = readPaymentRequest({
    writtenId: splitPaymentId,
    amount,
    currency,
    party: payer,
    metadata,
    details,
  });
  if (whole.type === 'FAULT') return whole;
  const parts: PaymentRequest[] = [];
  for (const [index, split] of splits.entries()) {
    const { payoutId: writtenId, recipient: party, amount: share, metadata: entries, ...texts } = split;
    const part = readPaymentRequest({
      writtenId,
      amount: share,
      currency,
      party,
      metadata: entries,
      details: texts,
    });
    if (part.type === 'FAULT') return { type: 'FAULT', fault: faultIn(index, part.fault) };
    parts.push(part.request);
  }
  return { type: 'PARSED', request: { ...whole.request, parts } };
}

/** What became of a request to start a split payment. `splitPaymentId` is this request's, as written. */
export type SplitPaymentInitiation = { readonly splitPaymentId: string } & (
  | (Initiation & { readonly type: 'ACCEPTED'; readonly authType: AuthType })
  | (Initiation & { readonly type: 'DUPLICATE_IGNORED' | 'REJECTED' })
);

export function renderSplitPaymentInitiation(
  initiation: SplitPaymentInitiation,
): Static<typeof splitPaymentInitiationSchema> {
  const { splitPaymentId } = initiation;
  const answer = { splitPaymentId, ...renderInitiation(initiation) };
  if (initiation.type !== 'ACCEPTED') return answer;
  return { ...answer, nextStep: nextStepOnAcceptance(initiation.authType) };
}

/** The faults that a schema cannot express. */
function listFurtherFaults(body: unknown, surroundings: DepositSurroundings): readonly Fault[] {
  const provider = providerIn(body, 'payer');
  const authType = provider === null ? null : surroundings.authTypeOf(provider);
  const splits = valueAt(body, 'splits');
  return [
    ...(provider !== null && authType === null ? [unknownProviderFault('payer')] : []),
    ...(Array.isArray(splits) ? splits.slice(0, SPLITS_MAX).flatMap(faultsOfSplit(surroundings)) : []),
    ...listAuthorisationFaults(body, authType, surroundings),
    ...listMetadataFaults(valueAt(body, 'metadata')),
  ];
}

function faultsOfSplit({ authTypeOf }: DepositSurroundings) {
  return (split: unknown, index: number): readonly Fault[] => {
    const provider = providerIn(split, 'recipient');
    const isUnknown = provider !== null && authTypeOf(provider) === null;
    const faults = [
      ...(isUnknown
        ? [invalidFault('recipient.accountDetails.provider', 'there is no provider with this code')]
        : []),
      ...listMetadataFaults(valueAt(split, 'metadata')),
    ];
    return faults.map((fault) => faultIn(index, fault));
  };
}

/** A fault of one split, named by its place in the request. */
function faultIn(index: number, fault: Fault): Fault {
  return { ...fault, parameter: `splits[${index}].${fault.parameter}` };
}
