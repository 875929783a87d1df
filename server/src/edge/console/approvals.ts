// What waits for a second person: at a merchant, and at the host, which sees all that waits.
import type { FastifyInstance } from 'fastify';
import { fingerprintOf } from '../../core/merchants/administer-keys.ts';
import type { ApprovalAnswer, Invited } from '../../core/approvals/decide-approval.ts';
import { describeUse } from '../../core/ledger/money-references.ts';
import {
  giveApproval,
  readApprovals,
  refuseApproval,
  withdrawApproval,
} from '../../core/approvals/give-approval.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { openApprovalReason, type Approval, type WhoseApprovals } from '../../store/approvals/approvals.ts';
import {
  giveApprovalShape,
  giveHostApprovalShape,
  listApprovalsShape,
  listHostApprovalsShape,
  refuseApprovalShape,
  refuseHostApprovalShape,
  renderApproval,
  withdrawApprovalShape,
  withdrawHostApprovalShape,
} from '../../wire/console/approval.ts';
import { done } from '../../wire/console/shape.ts';
import { ConsoleFailure, NOT_INDEPENDENT } from './failure.ts';
import { teamName } from './sign-in/me.ts';
import { consoleRoute, maySeeWords, type ConsoleParts, type Visitor } from './route.ts';
import { handOnInvitation } from './team.ts';

const READ = { for: 'MERCHANT', permission: 'approvals:read' } as const;
const DECIDE = { for: 'MERCHANT', permission: 'approvals:decide', isDangerous: true } as const;
const HOST_READ = { for: 'HOST', permission: 'host:read' } as const;
const HOST_DECIDE = { for: 'HOST', permission: 'host-team:write', isDangerous: true } as const;

const tag = 'approvals';

export function registerApprovals(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  const url = '/merchants/:merchantId/approvals';
  consoleRoute(app, parts, {
    method: 'GET',
    url,
    access: READ,
    operationId: 'listApprovals',
    tag,
    summary: 'What waits for a second person at a merchant, or was decided',
    shape: listApprovalsShape,
    handle: async ({ path, query, visitor }) => list(parts, visitor, { whose: path, ...query }),
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:approvalId/approve`,
    access: DECIDE,
    operationId: 'giveApproval',
    tag,
    summary: 'Agree as a second person: what was asked for is done',
    shape: giveApprovalShape,
    handle: async ({ path: { merchantId, approvalId }, visitor, origin }) => {
      const act = { approvalId, whose: { merchantId }, decider: visitor };
      return answerGiven(parts, origin, await giveApproval(engine, act));
    },
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:approvalId/refuse`,
    access: DECIDE,
    operationId: 'refuseApproval',
    tag,
    summary: 'Refuse what another person asked for',
    shape: refuseApprovalShape,
    handle: async ({ path: { merchantId, approvalId }, visitor }) => {
      requireDone(await refuseApproval(engine, { approvalId, whose: { merchantId }, decider: visitor }));
      return done;
    },
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:approvalId/withdraw`,
    access: READ,
    operationId: 'withdrawApproval',
    tag,
    summary: 'Take back what you asked for',
    shape: withdrawApprovalShape,
    handle: async ({ path: { merchantId, approvalId }, visitor }) => {
      requireDone(await withdrawApproval(engine, { approvalId, whose: { merchantId }, decider: visitor }));
      return done;
    },
  });
}

/** What concerns the host alone is decided here; what concerns a merchant, at the merchant. */
export function registerHostApprovals(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  const url = '/host/approvals';
  const whose = { merchantId: null };
  consoleRoute(app, parts, {
    method: 'GET',
    url,
    access: HOST_READ,
    operationId: 'listHostApprovals',
    tag,
    summary: 'What waits for a second person anywhere, or was decided',
    shape: listHostApprovalsShape,
    handle: async ({ query, visitor }) => list(parts, visitor, { whose: 'ALL', ...query }),
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:approvalId/approve`,
    access: HOST_DECIDE,
    operationId: 'giveHostApproval',
    tag,
    summary: "Agree as a second person to what concerns the host's people",
    shape: giveHostApprovalShape,
    handle: async ({ path, visitor, origin }) =>
      answerGiven(parts, origin, await giveApproval(engine, { ...path, whose, decider: visitor })),
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:approvalId/refuse`,
    access: HOST_DECIDE,
    operationId: 'refuseHostApproval',
    tag,
    summary: "Refuse what was asked for about the host's people",
    shape: refuseHostApprovalShape,
    handle: async ({ path, visitor }) => {
      requireDone(await refuseApproval(engine, { ...path, whose, decider: visitor }));
      return done;
    },
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:approvalId/withdraw`,
    access: { for: 'HOST', permission: 'host-team:write' },
    operationId: 'withdrawHostApproval',
    tag,
    summary: "Take back what you asked for about the host's people",
    shape: withdrawHostApprovalShape,
    handle: async ({ path, visitor }) => {
      requireDone(await withdrawApproval(engine, { ...path, whose, decider: visitor }));
      return done;
    },
  });
}

async function list(
  parts: ConsoleParts,
  visitor: Visitor,
  { whose, status }: { readonly whose: WhoseApprovals; readonly status: string },
) {
  const approvals = await readApprovals(parts.engine, { whose, isOpen: status === 'OPEN' });
  return { approvals: await Promise.all(approvals.map((one) => render(parts, visitor, one))) };
}

async function render(parts: ConsoleParts, visitor: Visitor, approval: Approval) {
  const { merchantId, wanted } = approval;
  const merchant = merchantId === null ? null : await teamName(parts, merchantId);
  const fingerprint = wanted.kind === 'PUBLIC_KEY' ? fingerprintOf(wanted.pem) : null;
  const { store } = parts.engine;
  if (merchantId !== null) await loadDataKeys(store, [merchantId]);
  const reason = maySeeWords(visitor) ? openApprovalReason(store.keyring, approval) : null;
  return renderApproval({ ...approval, merchant, fingerprint, reason }, visitor);
}

async function answerGiven(parts: ConsoleParts, origin: string, answer: ApprovalAnswer) {
  if (answer.type === 'CONFIRMED') return { link: null, outcome: 'CONFIRMED' } as const;
  const invited = requireDone(answer);
  const link = invited === null ? null : (await handOnInvitation(parts, { ...invited, origin })).link;
  return { link, outcome: 'DONE' } as const;
}

function requireDone(answer: ApprovalAnswer): Invited | null {
  switch (answer.type) {
    case 'DONE':
      return answer.invited;
    case 'CONFIRMED':
      return null;
    case 'NOT_FOUND':
      throw new ConsoleFailure('NOT_FOUND');
    case 'DECIDED_BEFORE':
      throw new ConsoleFailure('CONFLICT', `It was decided before: ${answer.decision}.`);
    case 'SAME_PERSON':
      throw new ConsoleFailure('CONFLICT', 'You asked for this yourself. Another person must decide.');
    case 'NOT_THEIRS':
      throw new ConsoleFailure('CONFLICT', 'Another person asked for this. Only they can take it back.');
    case 'NOT_INDEPENDENT':
      throw new ConsoleFailure('CONFLICT', NOT_INDEPENDENT);
    case 'ASKER_GONE':
      throw new ConsoleFailure('CONFLICT', 'Whoever asked for this may no longer do so. Refuse it.');
    case 'OVERTAKEN':
      throw new ConsoleFailure('CONFLICT', 'This no longer fits what is set here. Refuse it.');
    case 'REFERENCE_POSTED':
    case 'REFERENCE_REQUESTED':
    case 'REFERENCE_TAKEN':
      throw new ConsoleFailure('CONFLICT', describeUse(answer));
  }
}
