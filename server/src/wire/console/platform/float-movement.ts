// Movements between bank and operators, and operators' charges, requested by one of the platform's people.
import { Type } from 'typebox';
import { FLOAT_MOVEMENT_TYPES } from '../../../domain/ledger/float-movement.ts';
import { outcomeSchema, strict, describeCalls } from '../shape.ts';
import { codeSchema, signedAmountSchema } from '../terms.ts';

export const floatMovementCalls = describeCalls({
  requestFloatMovement: {
    body: strict({
      type: Type.Enum([...FLOAT_MOVEMENT_TYPES], { type: 'string' }),
      provider: codeSchema,
      currency: codeSchema,
      /** Negative only for a charge that the operator gave back. */
      amount: signedAmountSchema,
      /** The operator's transaction id. It is posted once. */
      reference: Type.String({ minLength: 1, maxLength: 100 }),
    }),
    answer: strict({ outcome: outcomeSchema }),
  },
});
