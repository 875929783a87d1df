// What deposits and split payments have in common: both ask a payer for money, who agrees in one of three ways.
import { Type, type Static } from 'typebox';
import type { PaymentFailureCode, RejectionCode } from '../../../domain/failure.ts';
import type { Fault } from '../../fault.ts';
import { valueAt } from '../../json.ts';
import {
  failedUrlSchema,
  listAuthorisationFaults,
  nextStepOnAcceptance,
  nextStepSchema,
  preAuthorisationCodeSchema,
  successfulUrlSchema,
  type AuthType,
} from './authorisation.ts';
import { customerMessageSchema } from '../customer-message.ts';
import { clientReferenceIdSchema } from '../identifier.ts';
import { initiationFields, renderInitiation, type Initiation } from '../initiation.ts';
import { listMetadataFaults, metadataRequestSchema } from '../metadata.ts';
import { providerIn, unknownProviderFault } from '../party.ts';

/** Why a payer's money did not come. */
export const COLLECTION_FAILURE_CODES: readonly PaymentFailureCode[] = [
  'PAYMENT_NOT_APPROVED',
  'INSUFFICIENT_BALANCE',
  'PAYMENT_IN_PROGRESS',
  'PAYER_NOT_FOUND',
  'PAYER_LIMIT_REACHED',
  'UNSPECIFIED_FAILURE',
  'OTHER_ERROR',
];

/** What a request may say besides whom to ask for how much. */
export const collectionFields = {
  customerMessage: Type.Optional(customerMessageSchema),
  clientReferenceId: Type.Optional(clientReferenceIdSchema),
  preAuthorisationCode: Type.Optional(preAuthorisationCodeSchema),
  successfulUrl: Type.Optional(successfulUrlSchema),
  failedUrl: Type.Optional(failedUrlSchema),
  metadata: Type.Optional(metadataRequestSchema),
};

/** What reading a request needs to know beyond its body. */
export type CollectionSurroundings = {
  /** How the provider has payments authorised; null for a code no one has. */
  readonly authTypeOf: (provider: string) => AuthType | null;
  /** Whether successfulUrl and failedUrl may be http: in the sandbox only. */
  readonly httpUrlsAllowed: boolean;
};

/** The faults of the payer and of `collectionFields` that a schema cannot express. */
export function listCollectionFaults(body: unknown, surroundings: CollectionSurroundings): readonly Fault[] {
  const provider = providerIn(body, 'payer');
  const authType = provider === null ? null : surroundings.authTypeOf(provider);
  return [
    ...(provider !== null && authType === null ? [unknownProviderFault('payer')] : []),
    ...listAuthorisationFaults(body, authType, surroundings),
    ...listMetadataFaults(valueAt(body, 'metadata')),
  ];
}

/** The fields of the answer besides the identifier; `noun` is what the kind is called in a sentence. */
export function collectionInitiationFields(noun: string, rejectionCodes: readonly RejectionCode[]) {
  return { ...initiationFields(noun, rejectionCodes), nextStep: Type.Optional(nextStepSchema) };
}

/** The outcome of a request; one that was accepted is told what to do next. */
export type CollectionInitiation =
  | (Initiation & { readonly type: 'ACCEPTED'; readonly authType: AuthType })
  | (Initiation & { readonly type: 'DUPLICATE_IGNORED' | 'REJECTED' });

type CollectionAnswer = Static<ReturnType<typeof Type.Object<ReturnType<typeof collectionInitiationFields>>>>;

/** The answer without the identifier, which each kind calls by its own name. */
export function renderCollectionInitiation(initiation: CollectionInitiation): CollectionAnswer {
  const answer = renderInitiation(initiation);
  if (initiation.type !== 'ACCEPTED') return answer;
  return { ...answer, nextStep: nextStepOnAcceptance(initiation.authType) };
}
