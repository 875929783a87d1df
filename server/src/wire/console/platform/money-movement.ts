// Money that one of the host's people asks to have moved by hand, and another one moves.
import { Type } from 'typebox';
import { MONEY_ORDER_TYPES } from '../../../domain/ledger/money-movement.ts';
import { pageOf, pageQuery } from '../page.ts';
import { DONE, merchantPath, orNull, strict, timeSchema, type Shape } from '../shape.ts';
import { codeSchema, ownerSchema, reasonSchema, signedAmountSchema, uuidSchema } from '../terms.ts';

const typeSchema = Type.Enum([...MONEY_ORDER_TYPES], { type: 'string' });
const orderPath = strict({ orderId: uuidSchema });

const orderSchema = strict({
  orderId: Type.String(),
  ...ownerSchema,
  type: typeSchema,
  country: Type.String(),
  currency: Type.String(),
  walletProvider: orNull(Type.String()),
  amount: signedAmountSchema,
  /** The bank's; null for an adjustment. */
  reference: orNull(Type.String()),
  /** Null for whoever may not decide: words of people may name people. */
  reason: orNull(Type.String()),
  requestedBy: Type.String(),
  requestedAt: timeSchema,
  decision: orNull(
    strict({
      type: Type.Enum(['APPROVED', 'REJECTED', 'WITHDRAWN'], { type: 'string' }),
      by: Type.String(),
      at: timeSchema,
      reason: orNull(Type.String()),
    }),
  ),
});

export const listMoneyOrdersShape = {
  query: strict({ ...pageQuery, status: Type.Enum(['OPEN', 'DECIDED'], { type: 'string' }) }),
  answer: pageOf(orderSchema),
} satisfies Shape;

export const listWalletPlacesShape = {
  path: merchantPath,
  answer: strict({
    rows: Type.Array(
      strict({ country: Type.String(), currency: Type.String(), walletProvider: orNull(Type.String()) }),
    ),
  }),
} satisfies Shape;

export const requestMoneyShape = {
  body: strict({
    merchantId: uuidSchema,
    type: typeSchema,
    country: codeSchema,
    currency: codeSchema,
    /** Only for a merchant that keeps a wallet for each provider. */
    walletProvider: Type.Optional(codeSchema),
    amount: signedAmountSchema,
    /** The bank's, of a top-up or settlement: posted once. Optional only in the sandbox. */
    reference: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    reason: reasonSchema,
  }),
  answer: strict({ orderId: Type.String() }),
} satisfies Shape;

export const approveMoneyShape = { path: orderPath, answer: DONE } satisfies Shape;
export const withdrawMoneyShape = { path: orderPath, answer: DONE } satisfies Shape;
export const rejectMoneyShape = {
  path: orderPath,
  body: strict({ reason: reasonSchema }),
  answer: DONE,
} satisfies Shape;
