// Split payments of the current generation: how the request is read, how it is answered.
import { Type, type Static } from 'typebox';
import type { FailureReason, RejectionCode } from '../../domain/failure.ts';
import { findDuplicateName } from '../../domain/metadata.ts';
import { parseAmount, type Amount } from '../../domain/money.ts';
import type { PaymentDetails } from '../../domain/payment.ts';
import { findFault, invalidFault, type Fault } from '../fault.ts';
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
import { failureReasonSchema } from './failure.ts';
import { clientReferenceIdSchema, identifierSchema } from './identifier.ts';
import { listMetadataFaults, metadataRequestSchema, parseMetadata, repeatedNameFault } from './metadata.ts';
import { partySchema, providerIn, unknownProviderFault } from './party.ts';
import { renderTimestamp, timestampSchema } from './timestamp.ts';

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
    status: Type.Enum(['ACCEPTED', 'DUPLICATE_IGNORED', 'REJECTED'], { type: 'string' }),
    created: Type.Optional(timestampSchema('When it was accepted; for DUPLICATE_IGNORED, the first one.')),
    nextStep: Type.Optional(nextStepSchema),
    failureReason: Type.Optional(failureReasonSchema(REJECTION_CODES)),
  },
  {
    title: 'SplitPaymentInitiation',
    description: 'Check `status`: a request answered 200 can still be rejected.',
  },
);

type Details = Omit<PaymentDetails, 'customerMessage' | 'authorizationUrl'> & {
  readonly customerMessage?: string;
};

export type SplitShare = {
  readonly writtenId: string;
  readonly amount: Amount;
  readonly amountText: string;
  readonly currency: string;
  readonly provider: string;
  readonly details: Details;
};

/** A split payment as a merchant asks for it. */
export type SplitPaymentRequest = SplitShare & { readonly parts: readonly SplitShare[] };

type SplitPaymentBody = Static<typeof splitPaymentRequestSchema>;

/** Answers FAULT with the one fault to report, whatever `body` is; never throws for it. */
export function parseSplitPaymentRequest(
  body: unknown,
  surroundings: DepositSurroundings,
):
  | { readonly type: 'PARSED'; readonly request: SplitPaymentRequest }
  | { readonly type: 'FAULT'; readonly fault: Fault } {
  const fault = findFault(splitPaymentRequestSchema, body, listFurtherFaults(body, surroundings));
  if (fault !== null) return { type: 'FAULT', fault };
  const { splitPaymentId, amount, currency, payer, splits, metadata, ...texts } = body as SplitPaymentBody;
  const repeated = [metadata, ...splits.map((split) => split.metadata)]
    .map((entries) => findDuplicateName(parseMetadata(entries ?? [])))
    .find((name) => name !== null);
  if (repeated !== undefined && repeated !== null)
    return { type: 'FAULT', fault: repeatedNameFault(repeated) };
  const whole = readShare({ writtenId: splitPaymentId, amount, currency, party: payer, metadata, texts });
  const parts = splits.map((split) => {
    const { payoutId: writtenId, recipient: party, customerMessage } = split;
    const partTexts = customerMessage === undefined ? {} : { customerMessage };
    return readShare({
      writtenId,
      amount: split.amount,
      currency,
      party,
      metadata: split.metadata,
      texts: partTexts,
    });
  });
  return { type: 'PARSED', request: { ...whole, parts } };
}

function readShare(share: {
  readonly writtenId: string;
  readonly amount: string;
  readonly currency: string;
  readonly party: SplitPaymentBody['payer'];
  readonly metadata: SplitPaymentBody['metadata'];
  readonly texts: Omit<Details, 'phoneNumber' | 'metadata'>;
}): SplitShare {
  const { writtenId, amount: amountText, currency, party, metadata, texts } = share;
  const { phoneNumber, provider } = party.accountDetails;
  const details = {
    phoneNumber,
    ...texts,
    ...(metadata !== undefined && { metadata: parseMetadata(metadata) }),
  };
  // The schema has seen to it that the text is an amount.
  return { writtenId, amount: parseAmount(amountText) ?? 0n, amountText, currency, provider, details };
}

export type SplitPaymentInitiation =
  | { readonly type: 'ACCEPTED'; readonly createdAt: Date; readonly authType: AuthType }
  | { readonly type: 'DUPLICATE_IGNORED'; readonly createdAt: Date }
  | { readonly type: 'REJECTED'; readonly failureReason: FailureReason };

export function renderSplitPaymentInitiation(
  splitPaymentId: string,
  initiation: SplitPaymentInitiation,
): Static<typeof splitPaymentInitiationSchema> {
  const { type: status } = initiation;
  switch (initiation.type) {
    case 'ACCEPTED': {
      const nextStep = nextStepOnAcceptance(initiation.authType);
      return { splitPaymentId, status, created: renderTimestamp(initiation.createdAt), nextStep };
    }
    case 'DUPLICATE_IGNORED':
      return { splitPaymentId, status, created: renderTimestamp(initiation.createdAt) };
    case 'REJECTED':
      return { splitPaymentId, status, failureReason: initiation.failureReason };
  }
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
    return faults.map((fault) => ({ ...fault, parameter: `splits[${index}].${fault.parameter}` }));
  };
}
