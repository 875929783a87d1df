// Manual money movements: one of the platform's people requests them, another approves.
import { Type } from 'typebox';
import { MONEY_MOVEMENT_TYPES } from '../../../domain/ledger/money-movement.ts';
import { merchantPath, orNull, strict, describeCalls, arrayOf } from '../shape.ts';
import { codeSchema, newIdentifierSchema, reasonSchema, signedAmountSchema, uuidSchema } from '../terms.ts';

const typeSchema = Type.Enum([...MONEY_MOVEMENT_TYPES], { type: 'string' });

export const moneyMovementCalls = describeCalls({
  listWalletPlaces: {
    path: merchantPath,
    answer: strict({
      rows: arrayOf({
        country: Type.String(),
        currency: Type.String(),
        walletProvider: orNull(Type.String()),
      }),
    }),
  },
  requestMoney: {
    body: strict({
      merchantId: uuidSchema,
      type: typeSchema,
      country: codeSchema,
      currency: codeSchema,
      /** Only for a merchant with a wallet per provider. */
      walletProvider: Type.Optional(codeSchema),
      amount: signedAmountSchema,
      /** The bank's reference of a top-up or settlement: posted once. Optional only in the sandbox. */
      reference: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      reason: reasonSchema,
      /** The same request once more, under the same identifier, is the same request. */
      requestId: Type.Optional(newIdentifierSchema),
      /** Of a settlement: the bank has paid it already, so that it is recorded whatever stops settlements. */
      bankHasPaid: Type.Optional(Type.Boolean()),
    }),
    answer: strict({ approvalId: Type.String() }),
  },
});
