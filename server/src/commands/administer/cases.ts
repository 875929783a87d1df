// Cases: evidence against what we recorded, resolved by one person's request and another's approval.
import {
  readCase,
  readCases,
  requestResolution,
  type CaseRefusal,
  type CaseView,
} from '../../core/reconciliation/resolve-cases.ts';
import { needsAmount, RESOLUTIONS } from '../../domain/reconciliation/cases.ts';
import { parseAmount, renderAmount, type Amount } from '../../domain/money.ts';
import {
  print,
  readOptions,
  refuse,
  refuseApprovalHere,
  requireOneOf,
  requirePerson,
  requireReason,
  requireUuid,
  TEXT,
  UsageError,
  withGateway,
  type Command,
} from '../command.ts';

const casesCommand: Command = {
  usage: '[--open]',
  summary:
    'list cases, the oldest first, with the possible resolutions and what was requested; --open leaves ' +
    'out resolved ones',
  run: async (args) => {
    const { open } = readOptions(args, { open: { type: 'boolean' } });
    await withGateway(async ({ engine }) => {
      for (const found of await readCases(engine, { onlyOpen: open === true })) print(renderCase(found));
    });
  },
};

const showCaseCommand: Command = {
  usage: '--case ID --by NAME',
  summary: "show a case with the operator's answer; it contains personal data, so it is recorded who looks",
  run: async (args) => {
    const values = readOptions(args, { case: TEXT, by: TEXT });
    const order = { by: requirePerson(values), caseId: requireUuid(values, 'case') };
    await withGateway(async ({ engine }) => {
      const found = await readCase(engine, order);
      if (found === null) refuse('There is no such case.');
      else print(`${renderCase(found)}\n  the operator said: ${found.statement ?? 'nothing that was kept'}`);
    });
  },
};

const requestCommand: Command = {
  usage: `--case ID --resolution ${RESOLUTIONS.join('|')} [--amount 10] --reason TEXT --by NAME`,
  summary:
    'in a sandbox: request the resolution of a case; --amount only for a discrepancy. Another person must ' +
    'approve it',
  run: async (args) => {
    const values = readOptions(args, { case: TEXT, resolution: TEXT, amount: TEXT, reason: TEXT, by: TEXT });
    const order = {
      actor: { personId: null, by: requirePerson(values) },
      caseId: requireUuid(values, 'case'),
      resolution: requireOneOf(RESOLUTIONS, values, 'resolution'),
      amount: readAmount(values['amount']),
      reason: requireReason(values),
    };
    await withGateway(async ({ engine }) => {
      refuseApprovalHere(engine);
      const answer = await requestResolution(engine, order);
      if (answer.type === 'REQUESTED') print(`requested ${order.resolution}: ${answer.approvalId}`);
      else refuse(refusalText(answer));
    });
  },
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
      return "A discrepancy needs --amount: what the operator's statement and our books differ by, or 0.";
    case 'AMOUNT_NOT_NEEDED':
      return "This case is about the payment's amount: leave --amount out.";
    case 'PAYMENT_NOT_FINAL':
      return 'The payment has not ended: an answer of the operator may still move the same money.';
  }
}

function renderCase(found: CaseView): string {
  const { caseId, evidence, kind, paymentId, merchantId, openedAt, payment, providerTransactionId } = found;
  const { state, provider, currency } = payment;
  const amount = `${renderAmount(payment.amount)} ${currency}`;
  const facts = [
    caseId,
    openedAt.toISOString(),
    evidence,
    kind,
    paymentId,
    state,
    provider,
    amount,
    merchantId,
    `transaction ${providerTransactionId ?? 'none'}`,
  ];
  return [facts.join('\t'), `  ${renderProgress(found)}`].join('\n');
}

function renderProgress({ evidence, approval, allowed, resolvedAt }: CaseView): string {
  if (approval === null) return `open: ${allowed.join(' or ')}`;
  const { request, requestedBy, reason, decision, approvalId } = approval;
  const amount = needsAmount({ evidence }) ? ` of ${request.amount}` : '';
  const requested = `${request.resolution}${amount}, requested by ${requestedBy.by}: ${reason ?? ''}`;
  if (resolvedAt === null) return `open: ${requested} (${approvalId})`;
  return `resolved ${resolvedAt.toISOString()}, approved by ${decision?.by ?? ''}: ${requested}`;
}

function readAmount(value: string | boolean | undefined): Amount | null {
  if (typeof value !== 'string') return null;
  const amount = parseAmount(value);
  if (amount !== null) return amount;
  throw new UsageError('--amount must be an amount such as 1000 or 12.5.');
}

export const caseCommands: ReadonlyMap<string, Command> = new Map([
  ['case list', casesCommand],
  ['case show', showCaseCommand],
  ['case resolve', requestCommand],
]);
