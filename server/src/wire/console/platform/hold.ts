// What is held: payments that wait, and money of wallets that must not leave yet.
import { Type } from 'typebox';
import { FUND_HOLDS, HOLDS } from '../../../domain/limits/freeze.ts';
import { arrayOf, describeCalls, orNull, strict, timeSchema } from '../shape.ts';
import { kindSchema, ownerSchema, uuidSchema } from '../terms.ts';

export const holdCalls = describeCalls({
  listHolds: {
    query: strict({ merchantId: Type.Optional(uuidSchema) }),
    answer: strict({
      holds: arrayOf({
        ...ownerSchema,
        kind: kindSchema,
        paymentId: Type.String(),
        /** Null: this cell. A payment of another one is shown in the dashboard of that cell. */
        cell: orNull(Type.String()),
        what: Type.Enum([...HOLDS, ...FUND_HOLDS], { type: 'string' }),
        amount: Type.String(),
        currency: Type.String(),
        since: timeSchema,
        /** Null: until people or the screening service decide. */
        until: orNull(timeSchema),
        /** The evidence of a case, the reasons of a review, the scope of a freeze. */
        why: Type.Array(Type.String()),
      }),
      /** Newer ones are left out. */
      isMore: Type.Boolean(),
      /** Cells that did not answer: what they hold is not shown. */
      missingCells: Type.Array(Type.String()),
    }),
  },
});
