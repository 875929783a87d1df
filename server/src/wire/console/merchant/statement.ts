// Statements in the console: days in the merchant's time zone, and no callback.
import { Type } from 'typebox';
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
      /** Days in the merchant's time zone, both included. */
      from: daySchema,
      to: daySchema,
      isCompressed: Type.Boolean(),
    }),
    answer: strict({ statementId: Type.String() }),
  },
  fetchStatement: {
    path: strict({ ...merchantPath.properties, statementId: Type.String({ format: 'uuid' }) }),
    /** A path of this gateway, valid for one minute. */
    answer: strict({ path: Type.String(), expiresAt: timeSchema }),
  },
});
