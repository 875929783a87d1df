// Statements in the console: days in UTC, and no callback.
import { Type, type Static } from 'typebox';
import type { StatementStatus, StatementWallet } from '../../../domain/wallet-statement.ts';
import { daySchema } from '../days.ts';
import { pageOf, pageQuery } from '../page.ts';
import { merchantPath, orNull, strict, timeSchema, describeCalls } from '../shape.ts';
import { walletName } from './wallet.ts';

const statementSchema = strict({
  statementId: Type.String(),
  status: Type.Enum(['PROCESSING', 'COMPLETED', 'FAILED'], { type: 'string' }),
  wallet: strict({ country: Type.String(), currency: Type.String(), provider: Type.String() }),
  startsAt: timeSchema,
  /** As requested. */
  endsAt: timeSchema,
  /** The real end: movements after the request are not included. */
  coversUntil: timeSchema,
  createdAt: timeSchema,
  isCompressed: Type.Boolean(),
  /** Whether the file can be downloaded now: it is created again after its merchant has moved. */
  isReady: Type.Boolean(),
  fileBytes: orNull(Type.Integer()),
  rowCount: orNull(Type.Integer()),
});

export const statementCalls = describeCalls({
  listStatements: {
    path: merchantPath,
    query: strict(pageQuery),
    answer: pageOf(statementSchema),
  },
  askForStatement: {
    path: merchantPath,
    body: strict({
      wallet: strict(walletName),
      /** Days of UTC, both included. */
      from: daySchema,
      to: daySchema,
      isCompressed: Type.Boolean(),
    }),
    answer: strict({ statementId: Type.String() }),
  },
  fetchStatement: {
    path: strict({ ...merchantPath.properties, statementId: Type.String({ format: 'uuid' }) }),
    /** A path of this gateway, for a minute. */
    answer: strict({ path: Type.String(), expiresAt: timeSchema }),
  },
});

export function renderStatement(statement: {
  readonly statementId: string;
  readonly status: StatementStatus;
  readonly wallet: StatementWallet;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly coversUntil: Date;
  readonly createdAt: Date;
  readonly isCompressed: boolean;
  readonly dueAt: Date | null;
  readonly file: { readonly fileBytes: number; readonly rowCount: number } | null;
}): Static<typeof statementSchema> {
  const { statementId, status, wallet, isCompressed, dueAt, file } = statement;
  const { country, currency, provider } = wallet;
  return {
    statementId,
    status,
    wallet: { country, currency, provider },
    startsAt: statement.startsAt.toISOString(),
    endsAt: statement.endsAt.toISOString(),
    coversUntil: statement.coversUntil.toISOString(),
    createdAt: statement.createdAt.toISOString(),
    isCompressed,
    isReady: file !== null && dueAt === null,
    fileBytes: file?.fileBytes ?? null,
    rowCount: file?.rowCount ?? null,
  };
}
