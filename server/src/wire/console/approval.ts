// Requests that another person must approve, of all kinds.
import { Type, type TObject } from 'typebox';
import { APPROVAL_KINDS, APPROVAL_STATUSES } from '../../domain/approval.ts';
import { pageOf, pageQuery } from './page.ts';
import {
  arrayOf,
  DONE,
  merchantPath,
  orNull,
  strict,
  strictOrNull,
  timeSchema,
  type NamedShape,
} from './shape.ts';
import { reasonSchema, uuidSchema } from './terms.ts';

export const approvalSchema = strict({
  approvalId: Type.String(),
  kind: Type.Enum([...APPROVAL_KINDS], { type: 'string' }),
  /** Null if it concerns only the platform. */
  merchantId: orNull(Type.String()),
  merchant: orNull(Type.String()),
  /** The subject: a batch, a case, a currency; or what it creates. */
  subject: Type.String(),
  /** What exactly is approved, by name: amounts, codes, addresses. */
  details: Type.Record(Type.String(), Type.String()),
  /** The hash of all that is shown. An approval must contain it. */
  hash: Type.String(),
  /**
   * What approving it posts, if it were approved now; null for kinds that post nothing, and for what is decided. It
   * follows the wallet: what is really posted stands in the audit log.
   */
  effect: strictOrNull({
    currency: Type.String(),
    postings: arrayOf({
      /** The types of the accounts. */
      debit: Type.String(),
      credit: Type.String(),
      amount: Type.String(),
    }),
    /** What the merchant's wallet then has available. */
    available: Type.String(),
    /** What the merchant then owes. */
    owed: Type.String(),
  }),
  /** Only for the platform's people: it may contain personal data. */
  reason: orNull(Type.String()),
  /** Whether only the platform's people decide. */
  isPlatform: Type.Boolean(),
  requestedBy: Type.String(),
  requestedAt: timeSchema,
  /** Whether the reader requested it, and can withdraw it. */
  isOwn: Type.Boolean(),
  /** Whether the reader may approve or reject it. */
  mayDecide: Type.Boolean(),
  /** A rejection of this kind needs a reason. */
  rejectionSaysWhy: Type.Boolean(),
  /** For a command's request: 2 people must approve. */
  approvalsNeeded: Type.Integer(),
  /** The first of two approvers of a command's request. */
  confirmedBy: orNull(Type.String()),
  status: Type.Enum([...APPROVAL_STATUSES], { type: 'string' }),
  decision: strictOrNull({
    by: Type.String(),
    at: timeSchema,
    /** Why it was rejected. Only for the platform's people. */
    reason: orNull(Type.String()),
  }),
});

const approvalId = { approvalId: uuidSchema };

/** The same routes for a merchant and for the platform. */
function callsOf<List extends TObject, One extends TObject>(of: string, list: List, one: One) {
  return {
    list: {
      operationId: `list${of}s`,
      path: list,
      query: strict({
        ...pageQuery,
        status: Type.Enum(['PENDING', 'DECIDED'], { type: 'string' }),
        /** Separated by commas; default: all. */
        kinds: Type.Optional(Type.String({ pattern: '^[A-Z_]+(,[A-Z_]+)*$', maxLength: 300 })),
      }),
      answer: pageOf(approvalSchema),
    } satisfies NamedShape,
    read: { operationId: `read${of}`, path: one, answer: approvalSchema } satisfies NamedShape,
    approve: {
      operationId: `approve${of}`,
      path: one,
      /** The hash of what you were shown. If it differs from the pending request, nothing is approved. */
      body: strict({ hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
      answer: strict({
        /** The link of an invitation if no mails are sent. It is shown once. */
        link: orNull(Type.String()),
        /** CONFIRMED: a command requested it, and another person must approve too. */
        outcome: Type.Enum(['DONE', 'CONFIRMED'], { type: 'string' }),
      }),
    } satisfies NamedShape,
    reject: {
      operationId: `reject${of}`,
      path: one,
      body: strict({ reason: Type.Optional(reasonSchema) }),
      answer: DONE,
    } satisfies NamedShape,
    withdraw: { operationId: `withdraw${of}`, path: one, answer: DONE } satisfies NamedShape,
  };
}

export const merchantApprovalCalls = callsOf(
  'Approval',
  merchantPath,
  strict({ ...merchantPath.properties, ...approvalId }),
);
export const platformApprovalCalls = callsOf('HostApproval', strict({}), strict(approvalId));
