// Starting a deposit in the current generation: how the request is read, how it is answered.
// Pure translation: it decides nothing about a payment and reaches nothing.
import { Type, type Static } from 'typebox';
import type { RejectionCode } from '../../domain/failure.ts';
import { findFault, type Fault, type Parsed } from '../fault.ts';
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
import { clientReferenceIdSchema, paymentIdSchema } from './identifier.ts';
import { INITIATION_NOTE, initiationFields, renderInitiation, type Initiation } from './initiation.ts';
import { listMetadataFaults, metadataRequestSchema } from './metadata.ts';
import { partySchema, providerIn, unknownProviderFault } from './party.ts';
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

/** Faults are reported in the order of these fields. */
export const depositRequestSchema = Type.Object(
  {
    depositId: depositIdSchema,
    amount: amountSchema,
    currency: currencySchema,
    payer: partySchema('Who pays.'),
    customerMessage: Type.Optional(customerMessageSchema),
    clientReferenceId: Type.Optional(clientReferenceIdSchema),
    preAuthorisationCode: Type.Optional(preAuthorisationCodeSchema),
    successfulUrl: Type.Optional(successfulUrlSchema),
    failedUrl: Type.Optional(failedUrlSchema),
    metadata: Type.Optional(metadataRequestSchema),
  },
  {
    additionalProperties: false,
    title: 'DepositRequest',
    description: 'Collects money from a mobile wallet.',
  },
);

export const depositInitiationSchema = Type.Object(
  {
    depositId: depositIdSchema,
    ...initiationFields('deposit', REJECTION_CODES),
    nextStep: Type.Optional(nextStepSchema),
  },
  { title: 'DepositInitiation', description: INITIATION_NOTE },
);

/** What reading a request needs to know beyond its body. */
export type DepositSurroundings = {
  /** How the provider has payments authorised; null for a code nobody has. */
  readonly authTypeOf: (provider: string) => AuthType | null;
  /** Whether successfulUrl and failedUrl may be http: in the sandbox only. */
  readonly httpUrlsAllowed: boolean;
};

/** Answers FAULT with the one fault to report, whatever `body` is; never throws for it. */
export function parseDepositRequest(
  body: unknown,
  surroundings: DepositSurroundings,
): Parsed<PaymentRequest> {
  const fault = findFault(depositRequestSchema, body, listFurtherFaults(body, surroundings));
  if (fault !== null) return { type: 'FAULT', fault };
  const { depositId, amount, currency, payer, metadata, ...details } = body as Static<
    typeof depositRequestSchema
  >;
  return readPaymentRequest({ writtenId: depositId, amount, currency, party: payer, metadata, details });
}

/** What became of a request to start a deposit. `depositId` is this request's, as written. */
export type DepositInitiation = { readonly depositId: string } & (
  | (Initiation & { readonly type: 'ACCEPTED'; readonly authType: AuthType })
  | (Initiation & { readonly type: 'DUPLICATE_IGNORED' | 'REJECTED' })
);

export function renderDepositInitiation(
  initiation: DepositInitiation,
): Static<typeof depositInitiationSchema> {
  const { depositId } = initiation;
  const answer = { depositId, ...renderInitiation(initiation) };
  if (initiation.type !== 'ACCEPTED') return answer;
  return { ...answer, nextStep: nextStepOnAcceptance(initiation.authType) };
}

/** The faults that a schema cannot express. */
function listFurtherFaults(body: unknown, surroundings: DepositSurroundings): readonly Fault[] {
  const provider = providerIn(body, 'payer');
  const authType = provider === null ? null : surroundings.authTypeOf(provider);
  return [
    ...(provider !== null && authType === null ? [unknownProviderFault('payer')] : []),
    ...listAuthorisationFaults(body, authType, surroundings),
    ...listMetadataFaults(valueAt(body, 'metadata')),
  ];
}
