// The request for a statement, and the answer to it.
import { Type, type Static } from 'typebox';
import type { FailureReason } from '../../../domain/failure.ts';
import type { StatementRange, StatementWallet } from '../../../domain/wallet-statement.ts';
import { findFault, invalidFault, type Fault, type Parsed } from '../../fault.ts';
import { valueAt } from '../../json.ts';
import { countryCodeSchema, currencyCodeSchema } from '../amount.ts';
import { isWebAddress, URL_LENGTH_MAX, webAddressCause } from '../payments/authorisation.ts';
import { failureReasonSchema } from '../failure.ts';
import { identifierSchema } from '../identifier.ts';
import { INITIATION_NOTE } from '../initiation.ts';
import { renderTimestamp, timestampSchema } from '../timestamp.ts';

export const statementIdSchema = identifierSchema('The identifier of the statement, which we made.');

const DATE_PATTERN = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})?)?$';
const dateShape = new RegExp(DATE_PATTERN);

function dateSchema(description: string) {
  return Type.String({
    pattern: DATE_PATTERN,
    description: `${description} RFC 3339; without a zone it is UTC.`,
    examples: ['2026-01-02T00:00:00Z'],
  });
}

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
      description: 'Where you are told that it is made. An https URL; the sandbox takes http too.',
      examples: ['https://merchant.example/statements'],
    }),
    startDate: dateSchema('The time of the opening balance: movements from here on are listed.'),
    endDate: dateSchema(
      'The time of the closing balance: movements before it are listed. At most 31 days later. A date without a time ' +
        'means the whole day.',
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
  const fault = findFault(statementRequestSchema, body, listDateFaults(body));
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
      description: 'ACCEPTED: the statement will be made. REJECTED: there will be none.',
    }),
    created: Type.Optional(timestampSchema('When the statement was asked for. Absent when REJECTED.')),
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

/** Dates in the right format that do not exist. `body` may be anything. */
function listDateFaults(body: unknown): readonly Fault[] {
  return ['startDate', 'endDate'].flatMap((field) => {
    const text = valueAt(body, field);
    if (typeof text !== 'string' || !dateShape.test(text) || parseDate(text) !== null) return [];
    return [invalidFault(field, 'there is no such time')];
  });
}

const DAY_MS = 24 * 3_600_000;

/** A date alone means the whole day, so the first and the last day of a month give the whole month. */
function parseEnd(text: string): Date | null {
  const parsed = parseDate(text);
  return parsed === null || text.includes('T') ? parsed : new Date(parsed.getTime() + DAY_MS);
}

function parseDate(text: string): Date | null {
  const [day = '', time = '00:00Z'] = text.split('T');
  const midnight = new Date(`${day}T00:00Z`);
  // JavaScript reads the 31st of a shorter month as the start of the next month.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const parsed = new Date(`${day}T${time}${/(Z|[+-]\d{2}:\d{2})$/.test(time) ? '' : 'Z'}`);
  return Number.isNaN(parsed.getTime()) ? null : parsed;
}
