// Cases: evidence against what we recorded, resolved by one person's proposal and another's approval.
import {
  approveResolution,
  proposeResolution,
  readCase,
  readCases,
  rejectResolution,
  type CaseAnswer,
  type CaseView,
} from '../../core/reconciliation/resolve-cases.ts';
import { RESOLUTIONS } from '../../domain/reconciliation/cases.ts';
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
  usage: 'cases [--open]',
  summary:
    'list cases, the oldest first, with what may be done and what was proposed; --open leaves out resolved ones',
  run: async (args) => {
    const { open } = readOptions(args, { open: { type: 'boolean' } });
    await withGateway(async ({ engine }) => {
      for (const found of await readCases(engine, { onlyOpen: open === true })) print(renderCase(found));
    });
  },
};

const showCaseCommand: Command = {
  usage: 'show-case --case ID --by NAME',
  summary: 'show a case with what the operator said, which names people: who looks is written down',
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

const proposeCommand: Command = {
  usage: `propose-resolution --case ID --resolution ${RESOLUTIONS.join('|')} [--amount 10] --reason TEXT --by NAME`,
  summary:
    'in a sandbox: propose how to resolve a case; --amount only for a discrepancy. Another person must approve',
  run: async (args) => {
    const values = readOptions(args, { case: TEXT, resolution: TEXT, amount: TEXT, reason: TEXT, by: TEXT });
    const order = {
      by: requirePerson(values),
      caseId: requireUuid(values, 'case'),
      resolution: requireOneOf(RESOLUTIONS, values, 'resolution'),
      amount: readAmount(values['amount']),
      reason: requireReason(values),
    };
    await withGateway(async ({ engine }) => {
      refuseApprovalHere(engine);
      tell('proposed', await proposeResolution(engine, order));
    });
  },
};

const approveCommand: Command = {
  usage: 'approve-resolution --case ID --by NAME',
  summary: 'in a sandbox: approve what another person proposed; the postings are made now',
  run: async (args) => {
    const values = readOptions(args, { case: TEXT, by: TEXT });
    const order = { by: requirePerson(values), caseId: requireUuid(values, 'case') };
    await withGateway(async ({ engine }) => {
      refuseApprovalHere(engine);
      tell('approved', await approveResolution(engine, order));
    });
  },
};

const rejectCommand: Command = {
  usage: 'reject-resolution --case ID --reason TEXT --by NAME',
  summary: 'reject what was proposed, or take it back; another proposal can be made then',
  run: async (args) => {
    const values = readOptions(args, { case: TEXT, reason: TEXT, by: TEXT });
    const order = {
      by: requirePerson(values),
      caseId: requireUuid(values, 'case'),
      reason: requireReason(values),
    };
    await withGateway(async ({ engine }) => tell('rejected', await rejectResolution(engine, order)));
  },
};

function tell(done: string, answer: CaseAnswer): void {
  if (answer.type === 'DONE') print(`${done} ${answer.resolution}`);
  else refuse(refusalText(answer));
}

function refusalText(refusal: Exclude<CaseAnswer, { readonly type: 'DONE' }>): string {
  switch (refusal.type) {
    case 'NO_SUCH_CASE':
      return 'There is no such case.';
    case 'RESOLVED_BEFORE':
      return 'The case was resolved before.';
    case 'PROPOSED_BEFORE':
      return `${refusal.by} has proposed a resolution: approve or reject it first.`;
    case 'NOTHING_PROPOSED':
      return 'Nothing is proposed for this case.';
    case 'NOT_ALLOWED':
      return `This case can be resolved by ${refusal.allowed.join(' or ')}.`;
    case 'AMOUNT_NEEDED':
      return "A discrepancy needs --amount: what the operator's statement and our books differ by, or 0.";
    case 'AMOUNT_NOT_NEEDED':
      return "This case is about the payment's amount: leave --amount out.";
    case 'PAYMENT_NOT_FINAL':
      return 'The payment has not ended: an answer of the operator may still move the same money.';
    case 'NOT_INDEPENDENT':
      return 'They onboarded this merchant, or belong to it. Another person must approve.';
    case 'SAME_PERSON':
      return 'Who proposed a resolution cannot approve it: another person must.';
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

function renderProgress({ proposal, reason, allowed, approvedBy, resolvedAt }: CaseView): string {
  if (proposal === null) return `open: ${allowed.join(' or ')}`;
  const amount = proposal.amount === null ? '' : ` of ${renderAmount(proposal.amount)}`;
  const proposed = `${proposal.resolution}${amount}, proposed by ${proposal.by}: ${reason ?? ''}`;
  if (resolvedAt === null) return `open: ${proposed}`;
  return `resolved ${resolvedAt.toISOString()}, approved by ${approvedBy ?? ''}: ${proposed}`;
}

function readAmount(value: string | boolean | undefined): Amount | null {
  if (typeof value !== 'string') return null;
  const amount = parseAmount(value);
  if (amount !== null) return amount;
  throw new UsageError('--amount must be an amount such as 1000 or 12.5.');
}

export const caseCommands: ReadonlyMap<string, Command> = new Map([
  ['cases', casesCommand],
  ['show-case', showCaseCommand],
  ['propose-resolution', proposeCommand],
  ['approve-resolution', approveCommand],
  ['reject-resolution', rejectCommand],
]);
