// Starting a deposit in API v1: the request and its answer.
import { Type, type Static } from 'typebox';
import { findFault, invalidFault, missingFault, type Fault, type Parsed } from '../../fault.ts';
import { valueAt } from '../../json.ts';
import { preAuthorisationCodeSchema, type AuthType } from '../../v2/payments/authorisation.ts';
import { depositIdSchema } from '../../v2/payments/deposit.ts';
import { INITIATION_NOTE } from '../../v2/initiation.ts';
import { initiationFields, renderInitiation, type Initiation } from '../initiation.ts';
import {
  furtherRequestFields,
  moneyRequestFields,
  partyRequestFields,
  readPaymentRequest,
  type PaymentRequest,
} from './payment-request.ts';
import { correspondentIn, unknownCorrespondentFault } from '../toolkit/provider.ts';
import { listTimestampFaults } from '../timestamp.ts';

const REJECTION_CODES = [
  'DEPOSITS_NOT_ALLOWED',
  'INVALID_CORRESPONDENT',
  'INVALID_COUNTRY',
  'INVALID_PAYER_FORMAT',
  'INVALID_CURRENCY',
  'INVALID_AMOUNT',
  'AMOUNT_TOO_SMALL',
  'AMOUNT_TOO_LARGE',
  'CORRESPONDENT_TEMPORARILY_UNAVAILABLE',
];

/** Errors are reported in the order of these fields. */
export const depositRequestSchema = Type.Object(
  {
    depositId: depositIdSchema,
    ...moneyRequestFields,
    ...partyRequestFields('payer', 'Who pays.'),
    ...furtherRequestFields,
    preAuthorisationCode: Type.Optional(preAuthorisationCodeSchema),
  },
  {
    additionalProperties: false,
    title: 'DepositRequest',
    description: 'Collects money from a mobile wallet.',
  },
);

export const depositInitiationSchema = Type.Object(
  { depositId: depositIdSchema, ...initiationFields('deposit', REJECTION_CODES) },
  { title: 'DepositInitiation', description: INITIATION_NOTE },
);

/** What parsing a request needs besides its body. */
export type DepositSurroundings = {
  /** How the provider authorises payments; null for an unknown code. */
  readonly authTypeOf: (provider: string) => AuthType | null;
};

/** Returns FAULT with the one error to report for any `body`; never throws. */
export function parseDepositRequest(
  body: unknown,
  surroundings: DepositSurroundings,
): Parsed<PaymentRequest> {
  const fault = findFault(depositRequestSchema, body, listFurtherFaults(body, surroundings));
  if (fault !== null) return { type: 'FAULT', fault };
  const { depositId, payer, ...rest } = body as Static<typeof depositRequestSchema>;
  return readPaymentRequest({ ...rest, writtenId: depositId, party: payer });
}

/** `depositId` is the identifier as written in this request. */
export function renderDepositInitiation(depositId: string, initiation: Initiation) {
  return { depositId, ...renderInitiation(initiation, 'DEPOSIT') };
}

/** Errors that the schema cannot express. */
function listFurtherFaults(body: unknown, { authTypeOf }: DepositSurroundings): readonly Fault[] {
  const correspondent = correspondentIn(body);
  if (correspondent === null) return listTimestampFaults(body);
  return [...listAuthorisationFaults(body, authTypeOf(correspondent)), ...listTimestampFaults(body)];
}

function listAuthorisationFaults(body: unknown, authType: AuthType | null): readonly Fault[] {
  switch (authType) {
    case null:
      return [unknownCorrespondentFault()];
    case 'PROVIDER_AUTH':
      return [];
    case 'PREAUTH':
      return valueAt(body, 'preAuthorisationCode') === undefined
        ? [missingFault('preAuthorisationCode')]
        : [];
    case 'REDIRECT_AUTH':
      // API v1 has no fields for redirect and return addresses.
      return [invalidFault('correspondent', 'its deposits need API v2, /v2/deposits')];
  }
}
