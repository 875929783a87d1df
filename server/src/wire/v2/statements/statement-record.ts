// A statement in status checks and callbacks.
import { Type, type Static } from 'typebox';
import type { StatementRange, StatementStatus, StatementWallet } from '../../../domain/wallet-statement.ts';
import { failureReasonSchema } from '../failure.ts';
import { lookupSchema } from '../lookup.ts';
import { RECORD_NOTE } from '../record.ts';
import { statementIdSchema, walletFields } from './statement.ts';
import { renderTimestamp, timestampSchema } from '../timestamp.ts';

const NOT_MADE = {
  failureCode: 'UNKNOWN_ERROR',
  failureMessage: 'The statement could not be made. Ask for it again, or ask the operator of your gateway.',
};

const statementSchema = Type.Object(
  {
    statementId: statementIdSchema,
    status: Type.Enum(['PROCESSING', 'COMPLETED', 'FAILED'], {
      type: 'string',
      description:
        'PROCESSING: the file is being created. COMPLETED: it is ready. FAILED: create another one.',
    }),
    wallet: Type.Object({
      ...walletFields,
      provider: Type.String({ description: 'Empty when the wallet is not tied to one.', examples: [''] }),
    }),
    created: timestampSchema('When the statement was requested.'),
    startDate: timestampSchema('The time of the opening balance.', '2025-12-01T00:00:00.000Z'),
    endDate: timestampSchema(
      'The end you asked for. The closing balance says how far the statement goes.',
      '2026-01-01T00:00:00.000Z',
    ),
    fileSize: Type.Optional(Type.Integer({ description: 'In bytes.', examples: [48_213] })),
    downloadUrl: Type.Optional(
      Type.String({
        format: 'uri',
        description:
          'Where the file is. Anyone who has this address can fetch it, without a token. Every status check gives a ' +
          'new one.',
        examples: ['https://gateway.example/statements/8Vw0…'],
      }),
    ),
    downloadUrlExpiresAt: Type.Optional(
      timestampSchema(
        'When this downloadUrl expires: one day after it was created.',
        '2026-01-03T03:04:09.123Z',
      ),
    ),
    completedAt: Type.Optional(timestampSchema('When it was made.', '2026-01-02T03:04:09.123Z')),
    failedAt: Type.Optional(timestampSchema('When it failed.', '2026-01-02T03:04:09.123Z')),
    failureReason: Type.Optional(failureReasonSchema(['UNKNOWN_ERROR'], NOT_MADE.failureMessage)),
  },
  { title: 'Statement', description: RECORD_NOTE },
);

export const statementLookupSchema = lookupSchema(
  { noun: 'statement', title: 'StatementLookup' },
  statementSchema,
);

export type StatementFacts = {
  readonly statement: StatementRange & {
    readonly statementId: string;
    readonly status: StatementStatus;
    readonly wallet: StatementWallet;
    readonly createdAt: Date;
    readonly endedAt: Date | null;
    readonly file: { readonly fileBytes: number } | null;
  };
  readonly download: { readonly url: string; readonly expiresAt: Date } | null;
};

export function renderStatement(facts: StatementFacts): Static<typeof statementSchema> {
  const { statementId, status, wallet, createdAt, startsAt, endsAt } = facts.statement;
  const { country, currency, provider } = wallet;
  return {
    statementId,
    status,
    wallet: { country, currency, provider },
    created: renderTimestamp(createdAt),
    startDate: renderTimestamp(startsAt),
    endDate: renderTimestamp(endsAt),
    ...renderEnd(facts),
  };
}

function renderEnd({ statement, download }: StatementFacts): Partial<Static<typeof statementSchema>> {
  const { status, file, endedAt } = statement;
  if (endedAt === null) return {};
  if (status === 'FAILED') return { failedAt: renderTimestamp(endedAt), failureReason: NOT_MADE };
  return {
    fileSize: file?.fileBytes ?? 0,
    ...(download !== null && {
      downloadUrl: download.url,
      downloadUrlExpiresAt: renderTimestamp(download.expiresAt),
    }),
    completedAt: renderTimestamp(endedAt),
  };
}
