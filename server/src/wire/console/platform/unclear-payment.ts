// Payments with an unknown outcome: what is known about them, and how a person ends one.
import { Type } from 'typebox';
import { PAYMENT_FAILURE_CODES } from '../../../domain/failure.ts';
import { pageOf, pageQuery } from '../page.ts';
import { orNull, strict, timeSchema, describeCalls, arrayOf } from '../shape.ts';
import { codeSchema, kindSchema, ownerSchema, paymentPath, reasonSchema } from '../terms.ts';

export const unclearPaymentCalls = describeCalls({
  listUnclearPayments: {
    query: strict({ ...pageQuery, provider: Type.Optional(codeSchema) }),
    answer: pageOf(
      strict({
        ...ownerSchema,
        kind: kindSchema,
        paymentId: Type.String(),
        provider: Type.String(),
        amount: Type.String(),
        currency: Type.String(),
        createdAt: timeSchema,
        nextEnquiryAt: orNull(timeSchema),
        reference: orNull(Type.String()),
        lastSaid: orNull(Type.String()),
        openCases: Type.Array(Type.String()),
      }),
    ),
  },
  /** The operators' exact words. They may contain personal data, so each access is recorded. */
  readEvidence: {
    path: paymentPath,
    answer: strict({
      state: Type.String(),
      reference: orNull(Type.String()),
      events: arrayOf({
        eventNo: Type.Integer(),
        at: timeSchema,
        event: Type.String(),
        fromState: orNull(Type.String()),
        toState: Type.String(),
        detail: orNull(Type.String()),
        evidence: orNull(Type.String()),
      }),
      reportLines: arrayOf({ lineNo: Type.Integer(), finding: Type.String(), text: Type.String() }),
      cases: arrayOf({
        caseId: Type.String(),
        evidence: Type.String(),
        openedAt: timeSchema,
        statement: orNull(Type.String()),
      }),
    }),
  },
  endPayment: {
    path: paymentPath,
    body: strict({
      outcome: Type.Enum(['COMPLETED', 'FAILED'], { type: 'string' }),
      /** The operator's transaction id, if known. Blanks around it are left out. */
      providerTransactionId: Type.Optional(
        // Begins and ends with a character that no blank matches, so that it is read once, however many blanks there
        // are.
        Type.String({ pattern: '^\\s*[\\x21-\\x7e](?:[\\x20-\\x7e]{0,253}[\\x21-\\x7e])?\\s*$' }),
      ),
      /** Only for FAILED. */
      failureCode: Type.Optional(Type.Enum([...PAYMENT_FAILURE_CODES], { type: 'string' })),
      reason: reasonSchema,
    }),
    answer: strict({
      /** The operator was asked once more and gave a clear answer: that one counts. */
      by: Type.Enum(['PERSON', 'OPERATOR'], { type: 'string' }),
      state: Type.String(),
      /** ASKED: nothing has changed, and a second approver is needed. */
      outcome: Type.Enum(['DONE', 'REQUESTED'], { type: 'string' }),
    }),
  },
});
