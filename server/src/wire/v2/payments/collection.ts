// What deposits and split payments have in common: both collect money from a payer, who approves in one of three ways.
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

/** Why a collection failed. */
export const COLLECTION_FAILURE_CODES: readonly PaymentFailureCode[] = [
  'PAYMENT_NOT_APPROVED',
  'INSUFFICIENT_BALANCE',
  'PAYMENT_IN_PROGRESS',
  'PAYER_NOT_FOUND',
  'PAYER_LIMIT_REACHED',
  'UNSPECIFIED_FAILURE',
  'OTHER_ERROR',
];

/** The optional fields of a request. */
export const collectionFields = {
  customerMessage: Type.Optional(customerMessageSchema),
  clientReferenceId: Type.Optional(clientReferenceIdSchema),
  preAuthorisationCode: Type.Optional(preAuthorisationCodeSchema),
  successfulUrl: Type.Optional(successfulUrlSchema),
  failedUrl: Type.Optional(failedUrlSchema),
  metadata: Type.Optional(metadataRequestSchema),
};

/** What parsing a request needs besides its body. */
export type CollectionSurroundings = {
  /** How the provider authorises payments; null for an unknown code. */
  readonly authTypeOf: (provider: string) => AuthType | null;
  /** Whether successfulUrl and failedUrl may be http: only in the sandbox. */
  readonly httpUrlsAllowed: boolean;
};

/** Errors of the payer and of `collectionFields` that the schema cannot express. */
export function listCollectionFaults(body: unknown, surroundings: CollectionSurroundings): readonly Fault[] {
  const provider = providerIn(body, 'payer');
  const authType = provider === null ? null : surroundings.authTypeOf(provider);
  return [
    ...(provider !== null && authType === null ? [unknownProviderFault('payer')] : []),
    ...listAuthorisationFaults(body, authType, surroundings),
    ...listMetadataFaults(valueAt(body, 'metadata')),
  ];
}

/** The fields of the answer besides the identifier; `noun` is the kind's name in a sentence. */
export function collectionInitiationFields(noun: string, rejectionCodes: readonly RejectionCode[]) {
  return { ...initiationFields(noun, rejectionCodes), nextStep: Type.Optional(nextStepSchema) };
}

/** The outcome of a request; an accepted one contains the next step. */
export type CollectionInitiation =
  | (Initiation & { readonly type: 'ACCEPTED'; readonly authType: AuthType })
  | (Initiation & { readonly type: 'DUPLICATE_IGNORED' | 'REJECTED' });

type CollectionAnswer = Static<ReturnType<typeof Type.Object<ReturnType<typeof collectionInitiationFields>>>>;

/** The answer without the identifier, whose name depends on the kind. */
export function renderCollectionInitiation(initiation: CollectionInitiation): CollectionAnswer {
  const answer = renderInitiation(initiation);
  if (initiation.type !== 'ACCEPTED') return answer;
  return { ...answer, nextStep: nextStepOnAcceptance(initiation.authType) };
}
