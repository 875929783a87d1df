// What waits for a second person, and what was decided.
import { Type, type Static } from 'typebox';
import { APPROVAL_KINDS, PLATFORM_KINDS, type Wanted } from '../../domain/approval.ts';
import { roleSchema } from './person.ts';
import { DONE, merchantPath, orNull, strict, timeSchema, type Shape } from './shape.ts';

const approvalSchema = strict({
  approvalId: Type.String(),
  /** Null for what concerns the host alone. */
  merchantId: orNull(Type.String()),
  merchant: orNull(Type.String()),
  kind: Type.Enum([...APPROVAL_KINDS], { type: 'string' }),
  /** A token's or a key's name, somebody's address, a payment, or what money is moved. */
  subject: orNull(Type.String()),
  scopes: Type.Array(Type.String()),
  /** Of a token. Null: until it is revoked. */
  expiresAt: orNull(timeSchema),
  fingerprint: orNull(Type.String()),
  role: orNull(roleSchema),
  /** Of a payment: how it would end. Of a report: how many payments it would end. */
  ends: orNull(Type.String()),
  /** For the platform's people only: it may name people. */
  reason: orNull(Type.String()),
  /** Whether only the platform's people decide. */
  isPlatform: Type.Boolean(),
  askedBy: Type.String(),
  askedAt: timeSchema,
  isOwn: Type.Boolean(),
  /** A command asked for it: this many more people must approve. */
  approvalsNeeded: Type.Integer(),
  /** The first of two people who approve what a command asked for. */
  confirmedBy: orNull(Type.String()),
  /** Whether the reader was that first person. */
  isConfirmedByMe: Type.Boolean(),
  decision: orNull(
    strict({
      type: Type.Enum(['APPROVED', 'REFUSED', 'WITHDRAWN'], { type: 'string' }),
      by: Type.String(),
      at: timeSchema,
    }),
  ),
});

const query = strict({ status: Type.Enum(['OPEN', 'DECIDED'], { type: 'string' }) });
const answer = strict({ approvals: Type.Array(approvalSchema) });
const approvalId = Type.String({ format: 'uuid' });
const path = strict({ ...merchantPath.properties, approvalId });
const hostPath = strict({ approvalId });

/** Where somebody was invited by it and no mails are sent, the link is shown this once. */
const givenSchema = strict({
  link: orNull(Type.String()),
  /** CONFIRMED: a command asked for it, and another person must approve too. */
  outcome: Type.Enum(['DONE', 'CONFIRMED'], { type: 'string' }),
});

export const listApprovalsShape = { path: merchantPath, query, answer } satisfies Shape;
export const giveApprovalShape = { path, answer: givenSchema } satisfies Shape;
export const refuseApprovalShape = { path, answer: DONE } satisfies Shape;
export const withdrawApprovalShape = { path, answer: DONE } satisfies Shape;

export const listHostApprovalsShape = { query, answer } satisfies Shape;
export const giveHostApprovalShape = { path: hostPath, answer: givenSchema } satisfies Shape;
export const refuseHostApprovalShape = { path: hostPath, answer: DONE } satisfies Shape;
export const withdrawHostApprovalShape = { path: hostPath, answer: DONE } satisfies Shape;

type Rendered = {
  readonly approvalId: string;
  readonly merchantId: string | null;
  readonly merchant: string | null;
  readonly wanted: Wanted;
  readonly fingerprint: string | null;
  readonly reason: string | null;
  readonly askedBy: { readonly personId: string | null; readonly by: string };
  readonly confirmedBy: { readonly personId: string | null; readonly by: string } | null;
  readonly askedAt: Date;
  readonly decision: {
    readonly type: 'APPROVED' | 'REFUSED' | 'WITHDRAWN';
    readonly by: string;
    readonly at: Date;
  } | null;
};

export function renderApproval(
  rendered: Rendered,
  { personId }: { readonly personId: string },
): Static<typeof approvalSchema> {
  const { wanted, askedBy, askedAt, confirmedBy, decision, merchantId, merchant, fingerprint, reason } =
    rendered;
  return {
    approvalId: rendered.approvalId,
    merchantId,
    merchant,
    kind: wanted.kind,
    subject: subjectOf(wanted),
    scopes: 'scopes' in wanted ? [...wanted.scopes] : [],
    expiresAt: 'expiresAt' in wanted ? wanted.expiresAt : null,
    fingerprint,
    role: 'role' in wanted ? wanted.role : null,
    ends: endsOf(wanted),
    reason,
    isPlatform: merchantId === null || PLATFORM_KINDS.includes(wanted.kind),
    askedBy: askedBy.by,
    askedAt: askedAt.toISOString(),
    isOwn: askedBy.personId === personId,
    approvalsNeeded: askedBy.personId === null && confirmedBy === null ? 2 : 1,
    confirmedBy: confirmedBy?.by ?? null,
    isConfirmedByMe: confirmedBy?.personId === personId,
    decision: decision === null ? null : { ...decision, at: decision.at.toISOString() },
  };
}

function subjectOf(wanted: Wanted): string | null {
  switch (wanted.kind) {
    case 'TOKEN':
    case 'PUBLIC_KEY':
      return wanted.name;
    case 'INVITATION':
    case 'ROLE':
      return wanted.email;
    case 'PAYMENT_END':
      return `${wanted.paymentKind} ${wanted.paymentId}`;
    case 'OPERATOR_REPORT':
      return wanted.provider;
    case 'MONEY':
      return [wanted.type, wanted.amount, wanted.currency, wanted.reference ?? ''].join(' ').trim();
    case 'FLOAT':
      return [wanted.type, wanted.provider, wanted.amount, wanted.currency, wanted.reference].join(' ');
    case 'UNSIGNED_REQUESTS':
    case 'UNSIGNED_PAGES':
      return null;
  }
}

function endsOf(wanted: Wanted): string | null {
  if (wanted.kind === 'OPERATOR_REPORT') {
    return `${wanted.completedCount} COMPLETED, ${wanted.failedCount} FAILED`;
  }
  if (wanted.kind !== 'PAYMENT_END') return null;
  const { outcome } = wanted;
  return outcome.type === 'COMPLETED'
    ? `COMPLETED, ${outcome.providerTransactionId}`
    : `FAILED, ${outcome.code}`;
}
