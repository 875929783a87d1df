// Starting a deposit in the current generation: how the request is read, how it is answered.
// Pure translation: it decides nothing about a payment and reaches nothing.
import { Type, type Static } from 'typebox';
import type { FailureReason, RejectionCode } from '../../domain/failure.ts';
import { canonicalIdentifier } from '../../domain/identifier.ts';
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
import { failureReasonSchema } from './failure.ts';
import { clientReferenceIdSchema, identifierSchema } from './identifier.ts';
import { listMetadataFaults, metadataRequestSchema, parseMetadata, repeatedNameFault } from './metadata.ts';
import { partySchema, providerIn, unknownProviderFault } from './party.ts';
import { renderTimestamp, timestampSchema } from './timestamp.ts';

const REJECTION_CODES: readonly RejectionCode[] = [
  'INVALID_PROVIDER',
  'INVALID_PHONE_NUMBER',
  'INVALID_CURRENCY',
  'INVALID_AMOUNT',
  'AMOUNT_OUT_OF_BOUNDS',
  'PROVIDER_TEMPORARILY_UNAVAILABLE',
];

export const depositIdSchema = identifierSchema(
  'The identifier of the deposit. You choose it; store it before you send the request.',
);

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
    status: Type.Enum(['ACCEPTED', 'DUPLICATE_IGNORED', 'REJECTED'], {
      type: 'string',
      description:
        'ACCEPTED: the deposit will be processed. DUPLICATE_IGNORED: a deposit with this identifier was accepted ' +
        'before, and nothing was done now. REJECTED: nothing was done, and the identifier stays free.',
    }),
    created: Type.Optional(
      timestampSchema(
        'When the deposit was accepted; for DUPLICATE_IGNORED, the first one. Absent when REJECTED.',
      ),
    ),
    nextStep: Type.Optional(nextStepSchema),
    failureReason: Type.Optional(failureReasonSchema(REJECTION_CODES)),
  },
  {
    title: 'DepositInitiation',
    description: 'Check `status`: a request answered 200 can still be rejected.',
  },
);

/** A deposit as a merchant asks for it. Without a customerMessage the company's name has to serve. */
export type DepositRequest = {
  /** In lower case: the form under which identifiers are unique. */
  readonly paymentId: string;
  readonly writtenId: string;
  readonly amount: Amount;
  readonly amountText: string;
  readonly currency: string;
  readonly provider: string;
  readonly details: Omit<PaymentDetails, 'customerMessage' | 'authorizationUrl'> & {
    readonly customerMessage?: string;
  };
};

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
):
  | { readonly type: 'PARSED'; readonly request: DepositRequest }
  | { readonly type: 'FAULT'; readonly fault: Fault } {
  const fault = findFault(depositRequestSchema, body, listFurtherFaults(body, surroundings));
  if (fault !== null) return { type: 'FAULT', fault };
  const {
    depositId,
    amount: amountText,
    currency,
    payer,
    metadata: entries,
    ...texts
  } = body as Static<typeof depositRequestSchema>;
  const amount = parseAmount(amountText);
  if (amount === null) return { type: 'FAULT', fault: invalidFault('amount', 'it is not an amount') };
  const metadata = parseMetadata(entries ?? []);
  const repeatedName = findDuplicateName(metadata);
  if (repeatedName !== null) return { type: 'FAULT', fault: repeatedNameFault(repeatedName) };

  const { phoneNumber, provider } = payer.accountDetails;
  const details = { phoneNumber, ...texts, ...(entries !== undefined && { metadata }) };
  const paymentId = canonicalIdentifier(depositId);
  return {
    type: 'PARSED',
    request: { paymentId, writtenId: depositId, amount, amountText, currency, provider, details },
  };
}

/** What became of a request to start a deposit. `depositId` is this request's, as written. */
export type DepositInitiation =
  | {
      readonly type: 'ACCEPTED';
      readonly depositId: string;
      readonly createdAt: Date;
      readonly authType: AuthType;
    }
  /** `createdAt` is that of the first request. */
  | { readonly type: 'DUPLICATE_IGNORED'; readonly depositId: string; readonly createdAt: Date }
  | { readonly type: 'REJECTED'; readonly depositId: string; readonly failureReason: FailureReason };

export function renderDepositInitiation(
  initiation: DepositInitiation,
): Static<typeof depositInitiationSchema> {
  const { type: status, depositId } = initiation;
  switch (initiation.type) {
    case 'ACCEPTED': {
      const nextStep = nextStepOnAcceptance(initiation.authType);
      return { depositId, status, created: renderTimestamp(initiation.createdAt), nextStep };
    }
    case 'DUPLICATE_IGNORED':
      return { depositId, status, created: renderTimestamp(initiation.createdAt) };
    case 'REJECTED':
      return { depositId, status, failureReason: initiation.failureReason };
  }
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
