// Limits of a merchant: set by the platform, and stricter ones by the merchant itself.
import { Type } from 'typebox';
import { LIMIT_PERIODS, LIMIT_SCOPES, LIMIT_SETTERS } from '../../domain/limits/limit.ts';
import { approvalSchema } from './approval.ts';
import {
  arrayOf,
  describeCalls,
  merchantPath,
  orNull,
  outcomeSchema,
  strict,
  strictOrNull,
  timeSchema,
} from './shape.ts';
import { amountSchema, kindSchema } from './terms.ts';

const keyFields = {
  kind: kindSchema,
  scope: Type.Enum([...LIMIT_SCOPES], { type: 'string' }),
  /** One token, provider or country. Empty: each of them, counted apart. */
  subject: Type.String({ maxLength: 64 }),
  period: Type.Enum([...LIMIT_PERIODS], { type: 'string' }),
  /** Empty: payments in every currency, of which only the number can be limited. */
  currency: Type.String({ maxLength: 3, pattern: '^([A-Z]{3})?$' }),
};
const COUNT_MAX = 999_999_999;
const maxima = {
  countMax: orNull(Type.Integer({ minimum: 0, maximum: COUNT_MAX })),
  amountMax: orNull(amountSchema),
};

const setShape = {
  path: merchantPath,
  body: strict({ ...keyFields, ...maxima }),
  answer: strict({ outcome: outcomeSchema }),
};
const removeShape = {
  path: merchantPath,
  body: strict(keyFields),
  answer: strict({ outcome: outcomeSchema }),
};

export const limitCalls = describeCalls({
  listLimits: {
    path: merchantPath,
    answer: strict({
      limits: arrayOf({
        setBy: Type.Enum([...LIMIT_SETTERS], { type: 'string' }),
        ...keyFields,
        ...maxima,
        /** It holds for every merchant, by the configuration of the gateway. */
        isDefault: Type.Boolean(),
        /** Since the period began. Null where each token, provider, country or number is counted apart. */
        used: strictOrNull({ count: Type.Integer(), amount: Type.String() }),
        /** When it starts to count again. */
        startsAgainAt: timeSchema,
        /** The pending request to raise or remove it. */
        approval: orNull(approvalSchema),
      }),
    }),
  },
  setLimit: setShape,
  removeLimit: removeShape,
  setPlatformLimit: setShape,
  removePlatformLimit: removeShape,
});
