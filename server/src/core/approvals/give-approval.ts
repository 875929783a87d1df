// What a second person does with what another asked for: agrees, which does it in the same transaction and exactly
// once, or refuses. Whoever asked can only take it back.
import { parseAmount } from '../../domain/money.ts';
import {
  findApproval,
  isDecidedAt,
  listDecidedApprovals,
  listOpenApprovals,
  lockApproval,
  type Approval,
  type WhoseApprovals,
} from '../../store/approvals/approvals.ts';
import type { Tx } from '../../store/database.ts';
import { keepToken } from '../merchants/administer-merchants.ts';
import { keepPublicKey, setSignatures } from '../merchants/administer-keys.ts';
import { moveApproved } from '../ledger/administer-wallets.ts';
import { applyReport, isReportUnchanged } from '../reconciliation/apply-report.ts';
import { approveEnd } from '../payments/act/approve-end.ts';
import {
  confirmRequest,
  decide,
  DONE,
  findRefusal,
  isAsker,
  needsConfirmation,
  type ApprovalAct,
  type ApprovalAnswer,
} from './decide-approval.ts';
import type { Engine } from '../engine.ts';
import { postApprovedFloat } from '../ledger/move-float.ts';
import { inTeam, keepInvitation, setRole } from '../merchants/team.ts';

export async function giveApproval(engine: Engine, act: ApprovalAct): Promise<ApprovalAnswer> {
  const seen = await findApproval(engine.store.database, act.approvalId);
  if (seen === null || !isDecidedAt(seen, act.whose)) return { type: 'NOT_FOUND' };
  if (seen.wanted.kind === 'PAYMENT_END' && !needsConfirmation(seen)) return approveEnd(engine, seen, act);
  const answer = await withApproval(engine, act, async (tx, approval) => {
    const refusal = await findRefusal(tx, approval, act.decider);
    if (refusal !== null) return refusal;
    if (needsConfirmation(approval)) return confirmRequest(engine, tx, approval, act.decider);
    const done = await carryOut(engine, tx, approval, act.decider.by);
    if (done.type === 'DONE') await decide(engine, tx, approval, { ...act, type: 'APPROVED' });
    return done;
  });
  // What is cut off here is requested again by the next import of the same file.
  if (answer.type === 'DONE' && seen.wanted.kind === 'OPERATOR_REPORT')
    await applyReport(engine, seen.wanted);
  return answer;
}

export async function refuseApproval(engine: Engine, act: ApprovalAct): Promise<ApprovalAnswer> {
  return withApproval(engine, act, async (tx, approval) => {
    if (isAsker(act.decider, approval)) return { type: 'SAME_PERSON' };
    await decide(engine, tx, approval, { ...act, type: 'REFUSED' });
    return DONE;
  });
}

export async function withdrawApproval(engine: Engine, act: ApprovalAct): Promise<ApprovalAnswer> {
  return withApproval(engine, act, async (tx, approval) => {
    if (!isAsker(act.decider, approval)) return { type: 'NOT_THEIRS' };
    await decide(engine, tx, approval, { ...act, type: 'WITHDRAWN' });
    return DONE;
  });
}

/** So many are shown; more wait only where something is wrong. */
const SHOWN_MAX = 200;

export async function readApprovals(
  engine: Engine,
  { whose, isOpen }: { readonly whose: WhoseApprovals; readonly isOpen: boolean },
): Promise<readonly Approval[]> {
  const list = isOpen ? listOpenApprovals : listDecidedApprovals;
  return list(engine.store.database, { whose, countMax: SHOWN_MAX });
}

/** Does what was asked for, as it was asked for. */
async function carryOut(
  engine: Engine,
  tx: Tx,
  { approvalId, merchantId, wanted, askedBy }: Approval,
  by: string,
): Promise<ApprovalAnswer> {
  if (wanted.kind === 'INVITATION') {
    const { email, role } = wanted;
    const token = await keepInvitation(engine, tx, { by, merchantId, email, role, invitedBy: askedBy.by });
    return { type: 'DONE', invited: { token, email, merchantId } };
  }
  if (wanted.kind === 'ROLE') {
    const { personId, role } = wanted;
    const answer = await setRole(engine, tx, { by, merchantId, personId, role });
    return answer === 'DONE' ? DONE : { type: 'OVERTAKEN' };
  }
  if (wanted.kind === 'OPERATOR_REPORT') {
    return (await isReportUnchanged(engine, tx, wanted)) ? DONE : { type: 'OVERTAKEN' };
  }
  if (wanted.kind === 'FLOAT') {
    const posted = await postApprovedFloat(engine, tx, { wanted, by, approvalId });
    return posted.type === 'DONE' ? DONE : posted;
  }
  if (merchantId === null) throw new Error(`${wanted.kind} is asked for at a merchant`);
  switch (wanted.kind) {
    case 'TOKEN': {
      const expiresAt = wanted.expiresAt === null ? null : new Date(wanted.expiresAt);
      const secretHash = Buffer.from(wanted.secretHash, 'hex');
      await keepToken(engine, tx, { ...wanted, by, merchantId, expiresAt, secretHash });
      return DONE;
    }
    case 'PUBLIC_KEY':
      return (await keepPublicKey(engine, tx, { ...wanted, by, merchantId })) ? DONE : { type: 'OVERTAKEN' };
    case 'UNSIGNED_REQUESTS':
    case 'UNSIGNED_PAGES': {
      const covers = wanted.kind === 'UNSIGNED_PAGES' ? 'PAGES' : 'PAYMENTS';
      await setSignatures(engine, tx, { by, merchantId, covers, isRequired: false });
      return DONE;
    }
    case 'MONEY': {
      const amount = parseSigned(wanted.amount);
      const order = { ...wanted, by, merchantId, amount, orderId: approvalId, requestedBy: askedBy.by };
      const moved = await moveApproved(engine, tx, order);
      if (moved.type === 'DONE') return DONE;
      return moved.type === 'SHORT' ? { type: 'OVERTAKEN' } : moved;
    }
    // Ended in the transaction of its payment: see approve-end.ts.
    case 'PAYMENT_END':
      return { type: 'OVERTAKEN' };
  }
}

/** Only ever given what `renderAmount` made; below zero for an adjustment that takes. */
function parseSigned(text: string): bigint {
  const amount = parseAmount(text.replace('-', ''));
  if (amount === null) throw new Error('a request to move money has no amount');
  return text.startsWith('-') ? -amount : amount;
}

/** Runs `work` with the approval locked, and only while it waits. Another merchant's does not exist. */
async function withApproval(
  engine: Engine,
  { approvalId, whose }: ApprovalAct,
  work: (tx: Tx, approval: Approval) => Promise<ApprovalAnswer>,
): Promise<ApprovalAnswer> {
  const seen = await findApproval(engine.store.database, approvalId);
  if (seen === null || !isDecidedAt(seen, whose)) return { type: 'NOT_FOUND' };
  return inTeam(engine, seen.merchantId, async (tx) => {
    const approval = await lockApproval(tx, approvalId);
    if (approval === null) return { type: 'NOT_FOUND' };
    if (approval.decision !== null) return { type: 'DECIDED_BEFORE', decision: approval.decision.type };
    return work(tx, approval);
  });
}
