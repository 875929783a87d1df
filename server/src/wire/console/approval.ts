// What waits for a second person, and what was decided.
import { Type, type Static } from 'typebox';
import { APPROVAL_KINDS, type Wanted } from '../../domain/approval.ts';
import { roleSchema } from './person.ts';
import { DONE, merchantPath, orNull, strict, timeSchema, type Shape } from './shape.ts';

const approvalSchema = strict({
  approvalId: Type.String(),
  /** Null for what concerns the host alone. */
  merchantId: orNull(Type.String()),
  merchant: orNull(Type.String()),
  kind: Type.Enum([...APPROVAL_KINDS], { type: 'string' }),
  /** A token's or a key's name, or somebody's address. */
  subject: orNull(Type.String()),
  scopes: Type.Array(Type.String()),
  /** Of a token. Null: until it is revoked. */
  expiresAt: orNull(timeSchema),
  fingerprint: orNull(Type.String()),
  role: orNull(roleSchema),
  askedBy: Type.String(),
  askedAt: timeSchema,
  isOwn: Type.Boolean(),
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
const givenSchema = strict({ link: orNull(Type.String()) });

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
  readonly askedBy: { readonly personId: string; readonly by: string };
  readonly askedAt: Date;
  readonly decision: {
    readonly type: 'APPROVED' | 'REFUSED' | 'WITHDRAWN';
    readonly by: string;
    readonly at: Date;
  } | null;
};

export function renderApproval(
  { wanted, askedBy, askedAt, decision, approvalId: id, merchantId, merchant, fingerprint }: Rendered,
  { personId }: { readonly personId: string },
): Static<typeof approvalSchema> {
  return {
    approvalId: id,
    merchantId,
    merchant,
    kind: wanted.kind,
    subject: 'name' in wanted ? wanted.name : 'email' in wanted ? wanted.email : null,
    scopes: 'scopes' in wanted ? [...wanted.scopes] : [],
    expiresAt: 'expiresAt' in wanted ? wanted.expiresAt : null,
    fingerprint,
    role: 'role' in wanted ? wanted.role : null,
    askedBy: askedBy.by,
    askedAt: askedAt.toISOString(),
    isOwn: askedBy.personId === personId,
    decision: decision === null ? null : { ...decision, at: decision.at.toISOString() },
  };
}
