// Cases: evidence against what we recorded, resolved out of a closed list by two people.
import { Type } from 'typebox';
import { RESOLUTIONS } from '../../../domain/reconciliation/cases.ts';
import { approvalSchema } from '../approval.ts';
import { pageOf, pageQuery } from '../page.ts';
import { orNull, strict, timeSchema, type Shape } from '../shape.ts';
import { amountSchema, kindSchema, ownerSchema, reasonSchema, uuidSchema } from '../terms.ts';

const casePath = strict({ caseId: uuidSchema });
const resolutionSchema = Type.Enum([...RESOLUTIONS], { type: 'string' });

const caseSchema = strict({
  caseId: Type.String(),
  ...ownerSchema,
  evidence: Type.String(),
  /** The operator's transaction it is about; null where the operator named none. */
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
  /** What makes sense for this evidence and kind. */
  allowed: Type.Array(resolutionSchema),
  /** Whether a person must say how much it is about. */
  needsAmount: Type.Boolean(),
  /** How it is requested to be resolved, or was approved to be. */
  approval: orNull(approvalSchema),
  resolvedAt: orNull(timeSchema),
});

export const listCasesShape = {
  query: strict({ ...pageQuery, status: Type.Enum(['OPEN', 'RESOLVED'], { type: 'string' }) }),
  answer: pageOf(caseSchema),
} satisfies Shape;

/** What the operator said: it may name people, and anyone who asks is written down. */
export const readCaseStatementShape = {
  path: casePath,
  answer: strict({ statement: orNull(Type.String()) }),
} satisfies Shape;

export const requestResolutionShape = {
  path: casePath,
  body: strict({
    resolution: resolutionSchema,
    /** Only for a discrepancy: what it comes to, 0 where the books turn out to be right. */
    amount: Type.Optional(amountSchema),
    reason: reasonSchema,
  }),
  answer: strict({ approvalId: Type.String() }),
} satisfies Shape;
