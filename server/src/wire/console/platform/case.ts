// Cases: evidence against our records, resolved by two people with one of the allowed resolutions.
import { Type } from 'typebox';
import { RESOLUTIONS } from '../../../domain/reconciliation/cases.ts';
import { approvalSchema } from '../approval.ts';
import { pageOf, pageQuery } from '../page.ts';
import { orNull, strict, timeSchema, describeCalls } from '../shape.ts';
import { amountSchema, kindSchema, ownerSchema, reasonSchema, uuidSchema } from '../terms.ts';

const casePath = strict({ caseId: uuidSchema });
const resolutionSchema = Type.Enum([...RESOLUTIONS], { type: 'string' });

const caseSchema = strict({
  caseId: Type.String(),
  ...ownerSchema,
  evidence: Type.String(),
  /** The operator's transaction; null if the operator named none. */
  providerTransactionId: orNull(Type.String()),
  openedAt: timeSchema,
  kind: kindSchema,
  paymentId: Type.String(),
  payment: strict({
    state: Type.String(),
    amount: Type.String(),
    currency: Type.String(),
    provider: Type.String(),
  }),
  /** The allowed resolutions for this evidence and kind. */
  allowed: Type.Array(resolutionSchema),
  /** Whether a person must enter the amount. */
  needsAmount: Type.Boolean(),
  /** The requested or approved resolution. */
  approval: orNull(approvalSchema),
  resolvedAt: orNull(timeSchema),
});

export const caseCalls = describeCalls({
  listCases: {
    query: strict({ ...pageQuery, status: Type.Enum(['OPEN', 'RESOLVED'], { type: 'string' }) }),
    answer: pageOf(caseSchema),
  },
  /** The operator's words. They may contain personal data, so each access is recorded. */
  readCaseStatement: {
    path: casePath,
    answer: strict({ statement: orNull(Type.String()) }),
  },
  requestResolution: {
    path: casePath,
    body: strict({
      resolution: resolutionSchema,
      /** Only for a discrepancy: its amount; 0 if the books are right. */
      amount: Type.Optional(amountSchema),
      reason: reasonSchema,
    }),
    answer: strict({ approvalId: Type.String() }),
  },
});
