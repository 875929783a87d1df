// The books: accounts, their movements, the postings of a subject, the trial balance, and the float at operators.
import { Type } from 'typebox';
import { pageQuery } from '../page.ts';
import { merchantPath, orNull, strict, timeSchema, describeCalls, arrayOf, strictOrNull } from '../shape.ts';
import { codeSchema, signedAmountSchema, uuidSchema } from '../terms.ts';

const place = { country: Type.String(), currency: Type.String(), provider: orNull(Type.String()) };

const accountNameSchema = {
  accountId: Type.String(),
  type: Type.String(),
  /** Both null for accounts of the platform. */
  merchantId: orNull(Type.String()),
  merchant: orNull(Type.String()),
  ...place,
};

const accountSchema = strict({
  ...accountNameSchema,
  /** Credits minus debits. */
  balance: signedAmountSchema,
  held: orNull(Type.String()),
});

const movementSchema = strict({
  merchantId: Type.String(),
  /** The subject: a kind of payment, or TOP_UP, SETTLEMENT, ADJUSTMENT. */
  kind: Type.String(),
  subjectId: Type.String(),
  legNo: Type.Integer(),
  template: Type.String(),
  state: Type.Enum(['PENDING', 'POSTED', 'VOIDED'], { type: 'string' }),
  amount: Type.String(),
  debit: strict(accountNameSchema),
  credit: strict(accountNameSchema),
  createdAt: timeSchema,
  settledAt: orNull(timeSchema),
});

export const ledgerCalls = describeCalls({
  listAccounts: {
    query: strict({ merchantId: Type.Optional(uuidSchema) }),
    answer: strict({ rows: Type.Array(accountSchema) }),
  },
  listAccountMovements: {
    path: strict({ accountId: uuidSchema }),
    query: strict(pageQuery),
    answer: strict({
      account: accountSchema,
      rows: Type.Array(movementSchema),
      next: orNull(Type.String()),
    }),
  },
  readTransfers: {
    path: strict({ ...merchantPath.properties, kind: codeSchema, subjectId: uuidSchema }),
    answer: strict({
      rows: Type.Array(movementSchema),
      /** Null if the subject is not a payment. */
      payment: strictOrNull({
        state: Type.String(),
        amount: Type.String(),
        fee: Type.String(),
        currency: Type.String(),
        country: Type.String(),
        provider: Type.String(),
        createdAt: timeSchema,
        finalAt: orNull(timeSchema),
      }),
    }),
  },
  readTrialBalance: {
    query: strict({ again: Type.Optional(Type.Literal('true')) }),
    answer: strict({
      asOf: timeSchema,
      rows: arrayOf({ type: Type.String(), ...place, balance: signedAmountSchema }),
      /** Each must be zero. */
      totals: arrayOf({ currency: Type.String(), total: signedAmountSchema }),
      /** Wallets that are not the sum of their transfers; must be zero. */
      unbalancedWallets: Type.Integer(),
      isSound: Type.Boolean(),
    }),
  },
  readFloats: {
    answer: strict({
      /** Null before the first measurement. */
      asOf: orNull(timeSchema),
      rows: arrayOf({
        provider: Type.String(),
        currency: Type.String(),
        /** The operator's figure; null if it does not report one. */
        operator: orNull(signedAmountSchema),
        books: orNull(signedAmountSchema),
        /** The operator's figure minus ours. */
        difference: orNull(signedAmountSchema),
        /** The part that payments in flight cannot explain. */
        unexplained: orNull(signedAmountSchema),
        min: orNull(signedAmountSchema),
        isBelowMin: Type.Boolean(),
      }),
    }),
  },
});
