// Split payments of API v2: the request and its answer.
import { Type, type Static } from 'typebox';
import type { RejectionCode } from '../../../domain/failure.ts';
import { findFault, type Fault, type Parsed } from '../../fault.ts';
import { valueAt } from '../../json.ts';
import { amountSchema, amountTextSchema, currencySchema } from '../amount.ts';
import {
  collectionFields,
  collectionInitiationFields,
  listCollectionFaults,
  renderCollectionInitiation,
  type CollectionInitiation,
  type CollectionSurroundings,
} from './collection.ts';
import { customerMessageSchema } from '../customer-message.ts';
import { identifierSchema } from '../identifier.ts';
import { INITIATION_NOTE } from '../initiation.ts';
import { listMetadataFaults, metadataRequestSchema } from '../metadata.ts';
import { partySchema, providerIn, unknownProviderFault } from '../party.ts';
import { readPaymentRequest, type PaymentRequest } from './payment-request.ts';

/** The same maximum as for bulk payouts. */
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

export const sharePayoutIdSchema = identifierSchema(
  'The identifier of the payout this share becomes. You choose it.',
);

/** The example is less than the payment's amount, and its wallet not the payer's. */
export const shareFields = {
  amount: amountTextSchema('The amount of the share, in the form of an amount.', ['10']),
  recipient: partySchema('Who gets this share.', '260763456700'),
};

const splitSchema = Type.Object(
  {
    payoutId: sharePayoutIdSchema,
    ...shareFields,
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
    ...collectionFields,
  },
  {
    additionalProperties: false,
    title: 'SplitPaymentRequest',
    description: 'Collects money from a mobile wallet and pays shares of it to others.',
  },
);

export const splitPaymentInitiationSchema = Type.Object(
  { splitPaymentId: splitPaymentIdSchema, ...collectionInitiationFields('split payment', REJECTION_CODES) },
  { title: 'SplitPaymentInitiation', description: INITIATION_NOTE },
);

/** A split payment request: a deposit, and the payouts into which it is split. */
export type SplitPaymentRequest = PaymentRequest & { readonly parts: readonly PaymentRequest[] };

/** Returns FAULT with the one error to report for any `body`; never throws. */
export function parseSplitPaymentRequest(
  body: unknown,
  surroundings: CollectionSurroundings,
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

/** The outcome of a request to start a split payment. `splitPaymentId` is the identifier as written in this request. */
export type SplitPaymentInitiation = CollectionInitiation & { readonly splitPaymentId: string };

export function renderSplitPaymentInitiation(
  initiation: SplitPaymentInitiation,
): Static<typeof splitPaymentInitiationSchema> {
  return { splitPaymentId: initiation.splitPaymentId, ...renderCollectionInitiation(initiation) };
}

/** Errors that the schema cannot express. */
function listFurtherFaults(body: unknown, surroundings: CollectionSurroundings): readonly Fault[] {
  const splits = valueAt(body, 'splits');
  const shares: readonly unknown[] = Array.isArray(splits) ? splits.slice(0, SPLITS_MAX) : [];
  return [
    ...listCollectionFaults(body, surroundings),
    ...shares.flatMap((share, index) =>
      faultsOfShare(share, surroundings).map((fault) => faultIn(index, fault)),
    ),
  ];
}

function faultsOfShare(share: unknown, { authTypeOf }: CollectionSurroundings): readonly Fault[] {
  const provider = providerIn(share, 'recipient');
  const isUnknown = provider !== null && authTypeOf(provider) === null;
  return [
    ...(isUnknown ? [unknownProviderFault('recipient')] : []),
    ...listMetadataFaults(valueAt(share, 'metadata')),
  ];
}

/** An error of one split, named by its position in the request. */
function faultIn(index: number, fault: Fault): Fault {
  return { ...fault, parameter: `splits[${index}].${fault.parameter}` };
}
