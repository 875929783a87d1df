// Cases: evidence against what we recorded, resolved by one person's request and another's approval.
import {
  readCase,
  readCases,
  requestResolution,
  type CaseRefusal,
  type CaseView,
} from '../../core/reconciliation/resolve-cases.ts';
import { describeTransaction } from '../../core/payments/act/claim-transaction.ts';
import { renderLegs } from '../../core/reconciliation/case-postings.ts';
import type { Effect } from '../../core/approvals/executor.ts';
import { needsAmount, RESOLUTIONS } from '../../domain/reconciliation/cases.ts';
import { parseAmount, type Amount } from '../../domain/money.ts';
import { gatewayCommand, refuseApprovalHere } from '../command.ts';
import { print, refuse, row } from '../output.ts';
import { UsageError } from '../options.ts';
import { renderMoney } from '../terminal/money.ts';

export const caseCommands = {
  'case list': gatewayCommand({
    usage: '[--open]',
    summary: 'list cases with possible resolutions',
    read: (options) => ({ onlyOpen: options.isGiven('open') }),
    run: async ({ engine }, order) => {
      for (const found of await readCases(engine, order)) print(renderCase(found));
    },
  }),
  'case show': gatewayCommand({
    usage: '--case ID --by NAME',
    summary: "show a case with the operator's answer",
    read: (options) => ({ by: options.person(), caseId: options.uuid('case') }),
    run: async ({ engine }, order) => {
      const found = await readCase(engine, order);
      if (found === null) refuse('There is no such case.');
      else print(`${renderCase(found)}\n  operator's response: ${found.statement ?? 'not recorded'}`);
    },
  }),
  'case resolve': gatewayCommand({
    usage: `--case ID --resolution ${RESOLUTIONS.join('|')} [--amount 10] --reason TEXT --by NAME`,
    summary: 'in a sandbox: resolve a case, after approval',
    read: (options) => ({
      actor: { personId: null, by: options.person() },
      caseId: options.uuid('case'),
      resolution: options.oneOf('resolution', RESOLUTIONS),
      amount: readAmount(options.textOrNull('amount')),
      reason: options.reason(),
    }),
    run: async ({ engine }, order) => {
      refuseApprovalHere(engine);
      const answer = await requestResolution(engine, order);
      if (answer.type === 'REQUESTED') print(`requested ${order.resolution}: ${answer.approvalId}`);
      else refuse(refusalText(answer));
    },
  }),
};

function refusalText(refusal: CaseRefusal): string {
  switch (refusal.type) {
    case 'NO_SUCH_CASE':
      return 'There is no such case.';
    case 'RESOLVED_BEFORE':
      return 'The case was resolved before.';
    case 'REQUESTED_BEFORE':
      return `${refusal.by} has requested a resolution: approve or reject it first.`;
    case 'NOT_ALLOWED':
      return `This case can be resolved by ${refusal.allowed.join(' or ')}.`;
    case 'AMOUNT_NEEDED':
      return "A discrepancy needs --amount: the difference between the operator's report and our books, or 0.";
    case 'AMOUNT_NOT_NEEDED':
      return 'This case is about the amount of the payment: leave out --amount.';
    case 'PAYMENT_NOT_FINAL':
      return 'The payment is not final: the operator may still move the same money.';
    case 'TRANSACTION_TAKEN':
    case 'CELL_SILENT':
      return describeTransaction(refusal);
  }
}

function renderCase(found: CaseView): string {
  const { caseId, evidence, kind, paymentId, merchantId, openedAt, payment, providerTransactionId } = found;
  const amount = `${renderMoney(payment.amount, payment)} ${payment.currency}`;
  const paid = row(kind, paymentId, payment.state, payment.provider, amount, merchantId);
  const facts = row(caseId, openedAt, evidence, paid, `transaction ${providerTransactionId ?? 'none'}`);
  return `${facts}\n  ${renderProgress(found)}`;
}

function renderProgress({ evidence, approval, allowed, resolvedAt }: CaseView): string {
  if (approval === null) return `open: ${allowed.join(' or ')}`;
  const { request, requestedBy, reason, decision, approvalId, effect } = approval;
  const amount = needsAmount({ evidence }) ? ` of ${request.amount}` : '';
  const requested = `${request.resolution}${amount}, requested by ${requestedBy.by}: ${reason ?? ''}`;
  if (resolvedAt === null) {
    const posting = effect === null ? '' : `\n  ${renderEffect(effect)}`;
    return `open: ${requested} (${approvalId})${posting}`;
  }
  return `resolved ${resolvedAt.toISOString()}, approved by ${decision?.by ?? ''}: ${requested}`;
}

/** What approving it posts at this moment. */
function renderEffect({ currency, legs, available, owed }: Effect): string {
  const posted = legs.length === 0 ? 'nothing' : renderLegs(legs);
  const [has, owes] = [available, owed].map((amount) => renderMoney(amount, { currency }));
  return `approved now it posts: ${posted}; the wallet then has ${has} ${currency} available and owes ${owes}`;
}

/** Unlike the amount of a movement it can be 0. */
function readAmount(text: string | null): Amount | null {
  if (text === null) return null;
  const amount = parseAmount(text);
  if (amount !== null) return amount;
  throw new UsageError('--amount must be an amount such as 1000 or 12.5.');
}
