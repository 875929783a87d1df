// Freezes: outgoing payments that the platform has stopped.
import { Type } from 'typebox';
import { FREEZE_SCOPES } from '../../../domain/limits/freeze.ts';
import { arrayOf, describeCalls, orNull, outcomeSchema, strict, timeSchema } from '../shape.ts';
import { codeSchema, reasonSchema, uuidSchema } from '../terms.ts';

const scopeSchema = Type.Enum([...FREEZE_SCOPES], { type: 'string' });
const cellsSchema = Type.Array(Type.String());
const freezePath = strict({ freezeId: uuidSchema });

export const freezeCalls = describeCalls({
  listFreezes: {
    answer: strict({
      freezes: arrayOf({
        freezeId: Type.String(),
        scope: scopeSchema,
        /** A merchant, a token or a provider; a masked phone number; empty for all payments. */
        subject: Type.String(),
        /** The merchant's name, also of a token's merchant. */
        name: orNull(Type.String()),
        /** Only for those who may see personal data: it may name people. */
        reason: orNull(Type.String()),
        /** Why somebody asked for its end; null if no one did, or if the reader may not see personal data. */
        liftReason: orNull(Type.String()),
        frozenBy: Type.String(),
        frozenAt: timeSchema,
        /** Null: until it is lifted. */
        expiresAt: orNull(timeSchema),
        /** Cells without it: payments leave there. */
        cellsWithout: cellsSchema,
      }),
      /** Cells that did not answer: their freezes are not known. */
      missingCells: cellsSchema,
    }),
  },
  freeze: {
    body: strict({
      scope: scopeSchema,
      /** A merchant, a token or a provider. */
      subject: Type.Optional(codeSchema),
      /** Of a recipient, with its country code. */
      phoneNumber: Type.Optional(Type.String({ minLength: 8, maxLength: 40 })),
      reason: reasonSchema,
      /** Default: until it is lifted. */
      expiresAt: Type.Optional(timeSchema),
    }),
    answer: strict({
      /** Whether a cell knows the merchant or the token. A mistyped one stops nothing. */
      isKnown: Type.Boolean(),
      /** Cells that have not confirmed: payments leave there. Freeze again. */
      missingCells: cellsSchema,
    }),
  },
  liftFreeze: {
    path: freezePath,
    body: strict({ reason: reasonSchema }),
    answer: strict({ outcome: outcomeSchema, missingCells: cellsSchema }),
  },
  revealFrozenNumber: { path: freezePath, answer: strict({ phoneNumber: Type.String() }) },
});
