// The review queue: payments that people look at before they are sent, and which ones they look at.
import { Type } from 'typebox';
import {
  COOLING_OFF_HOURS_MAX,
  REVIEW_DECISIONS,
  REVIEW_REASONS,
  REVIEW_RULES,
  WITHOUT_ANSWER,
} from '../../../domain/limits/review.ts';
import { approvalSchema } from '../approval.ts';
import { pageOf, pageQuery } from '../page.ts';
import { arrayOf, describeCalls, merchantPath, orNull, outcomeSchema, strict, timeSchema } from '../shape.ts';
import { amountSchema, kindSchema, ownerSchema, reasonSchema, uuidSchema } from '../terms.ts';

const ruleKey = {
  rule: Type.Enum([...REVIEW_RULES], { type: 'string' }),
  /** A kind of payment for SCREENING, otherwise a currency. */
  subject: Type.String({ minLength: 1, maxLength: 16 }),
};
const ruleValues = {
  /** Of SCREENING. */
  withoutAnswer: orNull(Type.Enum([...WITHOUT_ANSWER], { type: 'string' })),
  /** Of the others: larger payouts are held. */
  amountAbove: orNull(amountSchema),
  /** Of COOLING_OFF. */
  hours: orNull(Type.Integer({ minimum: 1, maximum: COOLING_OFF_HOURS_MAX })),
};

const reviewSchema = strict({
  ...ownerSchema,
  kind: kindSchema,
  paymentId: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  provider: Type.String(),
  /** Masked. */
  phoneNumber: Type.String(),
  createdAt: timeSchema,
  reasons: Type.Array(Type.Enum([...REVIEW_REASONS], { type: 'string' })),
  /** What the screening service said. Only for those who may see personal data: it may name people. */
  reason: orNull(Type.String()),
  /** The end of the cooling-off, where it is held for that alone. */
  endsAt: orNull(timeSchema),
  /** The pending request to release or reject it. */
  approval: orNull(approvalSchema),
});

export const reviewCalls = describeCalls({
  listReviews: {
    query: strict({ ...pageQuery }),
    answer: strict({
      ...pageOf(reviewSchema).properties,
      /** Where other payments wait, to be decided about in the dashboard of that cell. */
      otherCells: arrayOf({ cell: Type.String(), count: Type.Integer() }),
      /** Cells that did not answer: what waits there is not known. */
      missingCells: Type.Array(Type.String()),
    }),
  },
  requestReview: {
    body: strict({
      merchantId: uuidSchema,
      kind: kindSchema,
      paymentId: uuidSchema,
      decision: Type.Enum([...REVIEW_DECISIONS], { type: 'string' }),
      reason: reasonSchema,
    }),
    answer: strict({ approvalId: Type.String() }),
  },
  listReviewRules: {
    path: merchantPath,
    answer: strict({
      rules: arrayOf({
        ...ruleKey,
        ...ruleValues,
        /** It holds for every merchant, by the configuration of the gateway. */
        isDefault: Type.Boolean(),
        /** The pending request to loosen or remove it. */
        approval: orNull(approvalSchema),
      }),
    }),
  },
  setReviewRule: {
    path: merchantPath,
    body: strict({ ...ruleKey, ...ruleValues }),
    answer: strict({ outcome: outcomeSchema }),
  },
  removeReviewRule: {
    path: merchantPath,
    body: strict(ruleKey),
    answer: strict({ outcome: outcomeSchema }),
  },
});
