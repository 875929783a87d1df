// Requests that another person must approve: one family of routes at merchants, and one at the platform, which sees all
// of them. Who may decide depends on the kind.
import type { FastifyInstance } from 'fastify';
import {
  approve,
  reject,
  withdraw,
  type ApprovalAnswer,
  type Deciding,
} from '../../core/approvals/decide.ts';
import type { Effect, Invited } from '../../core/approvals/executor.ts';
import { readApproval, readApprovals, type ReadApproval } from '../../core/approvals/read.ts';
import { refusalText, type ApprovalRefusal } from '../../core/approvals/refusals.ts';
import type { ConsoleReason, ConsoleReasonCode } from '../../wire/console/failure.ts';
import { renderAmount } from '../../domain/money.ts';
import { APPROVAL_KINDS, isDecidedAt, rulesOf, type ApprovalKind } from '../../domain/approval.ts';
import { merchantApprovalCalls, platformApprovalCalls } from '../../wire/console/approval.ts';
import { renderPage } from '../../wire/console/page.ts';
import { done } from '../../wire/console/shape.ts';
import { show } from '../../wire/console/show.ts';
import { ConsoleFailure, failureBecause } from './failure.ts';
import { placeAfter, requirePage } from './page.ts';
import {
  consoleRoutes,
  maySeeWords,
  permissionsAt,
  permissionsAtHost,
  requireConfirmation,
  type ConsoleParts,
  type SignedInUser,
} from './route.ts';
import { teamName } from './sign-in/me.ts';
import { handOnInvitation } from './team.ts';

const AT_MERCHANT = {
  url: '/merchants/:merchantId/approvals',
  calls: merchantApprovalCalls,
  read: { for: 'MERCHANT', permission: 'approvals:read' },
  decide: { for: 'MERCHANT', permission: 'approvals:read', isDangerous: true },
} as const;
const AT_PLATFORM = {
  url: '/host/approvals',
  calls: platformApprovalCalls,
  read: { for: 'HOST', permission: 'host:read' },
  decide: { for: 'HOST', permission: 'host:read', isDangerous: true },
} as const;

export function registerApprovals(app: FastifyInstance, parts: ConsoleParts): void {
  for (const family of [AT_MERCHANT, AT_PLATFORM]) {
    registerReading(app, parts, family);
    registerDeciding(app, parts, family);
  }
}

type Family = typeof AT_MERCHANT | typeof AT_PLATFORM;
type At = { readonly merchantId?: string };

function registerReading(app: FastifyInstance, parts: ConsoleParts, family: Family): void {
  const route = consoleRoutes(app, parts, 'approvals');
  const { url, calls, read } = family;
  route('GET', url, read, calls.list, {
    summary: 'List pending requests, the oldest first, or decided ones, the newest first',
    handle: async ({ path, query, user }) => {
      const page = requirePage(query, ['time', 'uuid']);
      const { merchantId }: At = path;
      const approvals = await readApprovals(parts.engine, {
        whose: merchantId === undefined ? 'ALL' : { merchantId },
        isPending: query.status === 'PENDING',
        kinds: kindsOf(user, merchantId, query.kinds),
        after: placeAfter(page),
        countMax: page.countMax + 1,
      });
      const shown = await Promise.all(approvals.map((one) => describeApproval(parts, user, one)));
      return renderPage(shown, page, {
        show: (one) => one,
        cursorOf: (one) => [one.decision?.at ?? one.requestedAt, one.approvalId],
      });
    },
  });
  route('GET', `${url}/:approvalId`, read, calls.read, {
    summary: 'One request',
    handle: async ({ path, user }) => {
      const { merchantId, approvalId }: OnePath = path;
      const whose = merchantId === undefined ? 'ALL' : { merchantId };
      const found = await readApproval(parts.engine, { approvalId, whose });
      if (found === null || !kindsOf(user, merchantId).includes(found.kind))
        throw new ConsoleFailure('NOT_FOUND');
      return describeApproval(parts, user, found);
    },
  });
}

function registerDeciding(app: FastifyInstance, parts: ConsoleParts, family: Family): void {
  const { engine } = parts;
  const route = consoleRoutes(app, parts, 'approvals');
  const { url, calls, read, decide } = family;
  route('POST', `${url}/:approvalId/approve`, decide, calls.approve, {
    summary: 'Approve what another person requested',
    handle: async ({ path, body, user, origin }) => {
      const deciding = await requirePermitted(parts, user, path);
      const answer = await approve(engine, { ...deciding, ...body });
      if (answer.type === 'CONFIRMED') return { link: null, outcome: 'CONFIRMED' } as const;
      const invited = requireDone(answer);
      const link = invited === null ? null : (await handOnInvitation(parts, { ...invited, origin })).link;
      return { link, outcome: 'DONE' } as const;
    },
  });
  route('POST', `${url}/:approvalId/reject`, decide, calls.reject, {
    summary: 'Reject what another person requested',
    handle: async ({ path, body, user }) => {
      requireDone(await reject(engine, { ...(await requirePermitted(parts, user, path)), ...body }));
      return done;
    },
  });
  route('POST', `${url}/:approvalId/withdraw`, read, calls.withdraw, {
    summary: 'Withdraw what you requested',
    handle: async ({ path, user }) => {
      const deciding = decidingOf(user, path);
      const found = await readApproval(engine, deciding);
      if (found !== null && rulesOf(found).withdrawalIsDangerous) await requireConfirmation(parts, user);
      requireDone(await withdraw(engine, deciding));
      return done;
    },
  });
}

type OnePath = At & { readonly approvalId: string };

function decidingOf({ personId, by }: SignedInUser, { merchantId, approvalId }: OnePath): Deciding {
  return { approvalId, whose: { merchantId: merchantId ?? null }, decider: { personId, by } };
}

/** What a person may not decide at all is not theirs to try. */
async function requirePermitted(parts: ConsoleParts, user: SignedInUser, path: OnePath): Promise<Deciding> {
  const deciding = decidingOf(user, path);
  const found = await readApproval(parts.engine, deciding);
  if (found === null) throw new ConsoleFailure('NOT_FOUND');
  if (!isPermitted(user, found)) throw new ConsoleFailure('NOT_PERMITTED');
  return deciding;
}

function isPermitted(user: SignedInUser, approval: ReadApproval): boolean {
  const { merchantId } = approval;
  const { decide } = rulesOf(approval);
  const isHost = isDecidedAt(approval, { merchantId: null });
  return (isHost ? permissionsAtHost(user) : permissionsAt(user, merchantId ?? '')).includes(decide);
}

/** Of these, those that the reader may see there. */
export function kindsOf(
  user: SignedInUser,
  merchantId: string | undefined,
  asked?: string,
): readonly ApprovalKind[] {
  const names = asked?.split(',');
  return APPROVAL_KINDS.filter((kind) => names?.includes(kind) ?? true).filter(
    (kind) =>
      merchantId === undefined ||
      permissionsAt(user, merchantId).includes(rulesOf({ kind, merchantId }).read),
  );
}

/** As it is shown, here and where its subject is shown. */
export async function describeApproval(parts: ConsoleParts, user: SignedInUser, approval: ReadApproval) {
  const { merchantId, shownHash: hash, requestedBy, confirmedBy, status, decision } = approval;
  const isOwn = requestedBy.personId === user.personId;
  const isConfirmedByReader = confirmedBy?.personId === user.personId;
  const wordsOf = (words: string | null) => (maySeeWords(user) ? words : null);
  return {
    ...show(approval, 'approvalId', 'kind', 'merchantId', 'subject', 'requestedAt', 'status'),
    merchant: merchantId === null ? null : await teamName(parts, merchantId),
    details: { ...approval.shown },
    effect: approval.effect === null ? null : renderEffect(approval.effect),
    hash,
    reason: wordsOf(approval.reason),
    isPlatform: isDecidedAt(approval, { merchantId: null }),
    requestedBy: requestedBy.by,
    isOwn,
    mayDecide: status === 'PENDING' && isPermitted(user, approval) && !isOwn && !isConfirmedByReader,
    rejectionSaysWhy: rulesOf(approval).rejectionSaysWhy,
    approvalsNeeded: requestedBy.personId === null && confirmedBy === null ? 2 : 1,
    confirmedBy: confirmedBy?.by ?? null,
    decision: decision === null ? null : { ...show(decision, 'by', 'at'), reason: wordsOf(approval.note) },
  };
}

function renderEffect({ currency, legs, available, owed }: Effect) {
  return {
    currency,
    postings: legs.map(({ debit, credit, amount }) => ({
      debit: debit.type,
      credit: credit.type,
      amount: renderAmount(amount),
    })),
    available: renderAmount(available),
    owed: renderAmount(owed),
  };
}

function requireDone(answer: ApprovalAnswer): Invited | null {
  if (answer.type === 'DONE') return answer.invited;
  if (answer.type === 'CONFIRMED') return null;
  if (answer.type === 'NOT_FOUND') throw new ConsoleFailure('NOT_FOUND');
  const code = answer.type === 'REASON_MISSING' ? 'INVALID_INPUT' : 'CONFLICT';
  const because = reasonOf(answer);
  throw failureBecause(code, because.code, because.parameters, refusalText(answer));
}

type Refused = Exclude<ApprovalRefusal, { readonly type: 'NOT_FOUND' }>;

function reasonOf(refusal: Refused): ConsoleReason {
  if (refusal.type === 'NOT_EXECUTED') return refusal.because;
  const parameters = refusal.type === 'DECIDED_BEFORE' ? { status: refusal.status } : {};
  return { code: REASONS[refusal.type], parameters };
}

const REASONS: Readonly<Record<Exclude<Refused['type'], 'NOT_EXECUTED'>, ConsoleReasonCode>> = {
  DECIDED_BEFORE: 'APPROVAL_DECIDED',
  NOT_AS_SHOWN: 'APPROVAL_CHANGED',
  SAME_PERSON: 'APPROVAL_OWN',
  NOT_THEIRS: 'APPROVAL_NOT_YOURS',
  NOT_INDEPENDENT: 'APPROVAL_NOT_INDEPENDENT',
  BREAK_GLASS: 'APPROVAL_BREAK_GLASS',
  REQUESTER_GONE: 'APPROVAL_REQUESTER_GONE',
  REASON_MISSING: 'APPROVAL_REASON_MISSING',
};
