// The request for a statement, and the answer to it.
import { Type, type Static } from 'typebox';
import type { FailureReason } from '../../../domain/failure.ts';
import type { StatementRange, StatementWallet } from '../../../domain/wallet-statement.ts';
import { findFault, type Parsed } from '../../fault.ts';
import { countryCodeSchema, currencyCodeSchema } from '../amount.ts';
import { dateSchema, listDateFaults, parseDate, parseEnd } from '../date.ts';
import { isWebAddress, URL_LENGTH_MAX, webAddressCause } from '../payments/authorisation.ts';
import { failureReasonSchema } from '../failure.ts';
import { identifierSchema } from '../identifier.ts';
import { INITIATION_NOTE } from '../initiation.ts';
import { renderTimestamp, timestampSchema } from '../timestamp.ts';

export const statementIdSchema = identifierSchema('The identifier of the statement, which we made.');

export const walletFields = {
  country: countryCodeSchema('The country of the wallet: ISO 3166-1 alpha-3.'),
  currency: currencyCodeSchema('The currency of the wallet: ISO 4217.'),
};

export const statementRequestSchema = Type.Object(
  {
    wallet: Type.Object(
      {
        ...walletFields,
        provider: Type.Optional(
          Type.String({
            maxLength: 64,
            description:
              'Only where your account keeps a wallet for each provider; as in the wallet balances, empty otherwise.',
            examples: [''],
          }),
        ),
      },
      { additionalProperties: false, description: 'One of your wallets, named as in the wallet balances.' },
    ),
    callbackUrl: Type.String({
      maxLength: URL_LENGTH_MAX,
      description:
        'Where the callback is sent when the file is ready. An https URL; the sandbox takes http too.',
      examples: ['https://merchant.example/statements'],
    }),
    startDate: dateSchema('The time of the opening balance: movements from here on are listed.'),
    endDate: dateSchema(
      'The time of the closing balance: movements before it are listed. At most 31 days later. A date without a time ' +
        'means the whole day.',
      '2026-01-09T00:00:00Z',
    ),
    compressed: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the file is compressed with gzip.' }),
    ),
  },
  { additionalProperties: false, title: 'StatementRequest' },
);

export type StatementRequest = StatementRange & {
  readonly wallet: StatementWallet;
  readonly callbackUrl: string;
  readonly isCompressed: boolean;
};

export function parseStatementRequest(body: unknown): Parsed<StatementRequest> {
  const fault = findFault(statementRequestSchema, body, listDateFaults(body, ['startDate', 'endDate']));
  if (fault !== null) return { type: 'FAULT', fault };
  const request = body as Static<typeof statementRequestSchema>;
  const { country, currency, provider = '' } = request.wallet;
  return {
    type: 'PARSED',
    request: {
      wallet: { country, currency, provider },
      callbackUrl: request.callbackUrl,
      startsAt: parseDate(request.startDate) ?? new Date(NaN),
      endsAt: parseEnd(request.endDate) ?? new Date(NaN),
      isCompressed: request.compressed ?? false,
    },
  };
}

/** Why a callbackUrl cannot be used; null if it can. */
export function callbackUrlCause(
  url: string,
  surroundings: { readonly httpUrlsAllowed: boolean },
): string | null {
  return isWebAddress(url, surroundings) ? null : webAddressCause(surroundings);
}

export const statementInitiationSchema = Type.Object(
  {
    statementId: Type.Optional(statementIdSchema),
    status: Type.Enum(['ACCEPTED', 'REJECTED'], {
      type: 'string',
      description: 'ACCEPTED: the statement will be created. REJECTED: it will not.',
    }),
    created: Type.Optional(timestampSchema('When the statement was requested. Absent when REJECTED.')),
    failureReason: Type.Optional(
      failureReasonSchema([
        'INVALID_CALLBACK_URL',
        'INVALID_DATE_RANGE',
        'WALLET_NOT_FOUND',
        'TOO_MANY_STATEMENTS',
      ]),
    ),
  },
  { title: 'StatementInitiation', description: INITIATION_NOTE },
);

export type StatementInitiation =
  | { readonly type: 'ACCEPTED'; readonly statementId: string; readonly createdAt: Date }
  | { readonly type: 'REJECTED'; readonly reason: FailureReason };

export function renderStatementInitiation(
  initiation: StatementInitiation,
): Static<typeof statementInitiationSchema> {
  if (initiation.type === 'REJECTED') return { status: 'REJECTED', failureReason: initiation.reason };
  const { statementId, createdAt } = initiation;
  return { statementId, status: 'ACCEPTED', created: renderTimestamp(createdAt) };
}
