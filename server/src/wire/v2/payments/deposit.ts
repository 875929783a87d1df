// Starting a deposit in API v2: the request and its answer. Pure translation: it decides nothing about a payment.
import { Type, type Static } from 'typebox';
import type { RejectionCode } from '../../../domain/failure.ts';
import { findFault, type Parsed } from '../../fault.ts';
import { amountSchema, currencySchema } from '../amount.ts';
import {
  collectionFields,
  collectionInitiationFields,
  listCollectionFaults,
  renderCollectionInitiation,
  type CollectionInitiation,
  type CollectionSurroundings,
} from './collection.ts';
import { paymentIdSchema } from '../identifier.ts';
import { INITIATION_NOTE } from '../initiation.ts';
import { partySchema } from '../party.ts';
import { readPaymentRequest, type PaymentRequest } from './payment-request.ts';

const REJECTION_CODES: readonly RejectionCode[] = [
  'INVALID_PROVIDER',
  'INVALID_PHONE_NUMBER',
  'INVALID_CURRENCY',
  'INVALID_AMOUNT',
  'AMOUNT_OUT_OF_BOUNDS',
  'PROVIDER_TEMPORARILY_UNAVAILABLE',
];

export const depositIdSchema = paymentIdSchema('deposit');

/** Errors are reported in the order of these fields. */
export const depositRequestSchema = Type.Object(
  {
    depositId: depositIdSchema,
    amount: amountSchema,
    currency: currencySchema,
    payer: partySchema('Who pays.'),
    ...collectionFields,
  },
  {
    additionalProperties: false,
    title: 'DepositRequest',
    description: 'Collects money from a mobile wallet.',
  },
);

export const depositInitiationSchema = Type.Object(
  { depositId: depositIdSchema, ...collectionInitiationFields('deposit', REJECTION_CODES) },
  { title: 'DepositInitiation', description: INITIATION_NOTE },
);

/** Returns FAULT with the one error to report for any `body`; never throws. */
export function parseDepositRequest(
  body: unknown,
  surroundings: CollectionSurroundings,
): Parsed<PaymentRequest> {
  const fault = findFault(depositRequestSchema, body, listCollectionFaults(body, surroundings));
  if (fault !== null) return { type: 'FAULT', fault };
  const { depositId, amount, currency, payer, metadata, ...details } = body as Static<
    typeof depositRequestSchema
  >;
  return readPaymentRequest({ writtenId: depositId, amount, currency, party: payer, metadata, details });
}

/** The outcome of a request to start a deposit. `depositId` is the identifier as written in this request. */
export type DepositInitiation = CollectionInitiation & { readonly depositId: string };

export function renderDepositInitiation(
  initiation: DepositInitiation,
): Static<typeof depositInitiationSchema> {
  return { depositId: initiation.depositId, ...renderCollectionInitiation(initiation) };
}
