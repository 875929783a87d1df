// What people asked for and a second person must agree to. In a sandbox a command can be that person; in production
// people approve in the dashboard.
import { describeWanted } from '../../core/approvals/request-approval.ts';
import { giveApproval, readApprovals, refuseApproval } from '../../core/approvals/give-approval.ts';
import type { ApprovalAct, ApprovalAnswer } from '../../core/approvals/decide-approval.ts';
import type { Engine } from '../../core/engine.ts';
import { describeUse } from '../../core/ledger/money-references.ts';
import { isUuid } from '../../domain/identifier.ts';
import { findApproval, type Approval } from '../../store/approvals/approvals.ts';
import {
  print,
  readOptions,
  refuse,
  refuseApprovalHere,
  requirePerson,
  requireText,
  TEXT,
  UsageError,
  withGateway,
  type Command,
} from '../command.ts';
import { requireUrl } from './public-url.ts';

const approvalsCommand: Command = {
  usage: 'approvals',
  summary: 'list what waits for a second person: id, merchant, when, who asked, for what',
  run: async (args) => {
    readOptions(args, {});
    await withGateway(async ({ engine }) => {
      for (const approval of await readApprovals(engine, { whose: 'ALL', isOpen: true })) {
        print(lineOf(approval));
      }
    });
  },
};

const giveApprovalCommand: Command = {
  usage: 'give-approval --approval ID --by NAME',
  summary: 'in a sandbox: approve, as a second person, what somebody asked for in the dashboard',
  run: async (args) =>
    decide(args, async (engine, order) => {
      const approval = await findApproval(engine.store.database, order.approvalId);
      // Before anything is decided: a link that cannot be written down is lost.
      if (approval?.wanted.kind === 'INVITATION') requireUrl(engine);
      return giveApproval(engine, order);
    }),
};

const refuseApprovalCommand: Command = {
  usage: 'refuse-approval --approval ID --by NAME',
  summary: 'in a sandbox: refuse what somebody asked for in the dashboard',
  run: async (args) => decide(args, refuseApproval),
};

async function decide(
  args: readonly string[],
  act: (engine: Engine, order: ApprovalAct) => Promise<ApprovalAnswer>,
): Promise<void> {
  const values = readOptions(args, { approval: TEXT, by: TEXT });
  const approvalId = requireText(values, 'approval');
  if (!isUuid(approvalId)) throw new UsageError('--approval must be an identifier, as approvals lists them.');
  const decider = { personId: null, by: requirePerson(values) };
  await withGateway(async ({ engine }) => {
    refuseApprovalHere(engine);
    const answer = await act(engine, { approvalId, whose: 'ALL', decider });
    if (answer.type !== 'DONE') return refuse(whyNot(answer));
    const { invited } = answer;
    print(invited === null ? 'done' : `${requireUrl(engine)}/dashboard/join/${invited.token}`);
  });
}

function lineOf({ approvalId, merchantId, wanted, askedBy, askedAt }: Approval): string {
  const what = JSON.stringify(describeWanted(wanted));
  return [approvalId, merchantId ?? '-', askedAt.toISOString(), askedBy.by, what].join('\t');
}

function whyNot(answer: Exclude<ApprovalAnswer, { type: 'DONE' }>): string {
  switch (answer.type) {
    case 'NOT_FOUND':
      return 'There is no such approval.';
    case 'DECIDED_BEFORE':
      return `It was decided before: ${answer.decision}.`;
    case 'SAME_PERSON':
    case 'NOT_THEIRS':
      return 'Whoever asked cannot decide. Another person must.';
    case 'NOT_INDEPENDENT':
      return 'They onboarded this merchant, or belong to it. Another person must approve.';
    case 'CONFIRMED':
      return 'Another person must approve it too.';
    case 'ASKER_GONE':
      return 'Whoever asked for this may no longer do so. Refuse it.';
    case 'OVERTAKEN':
      return 'This no longer fits what is set. Refuse it.';
    case 'REFERENCE_POSTED':
    case 'REFERENCE_REQUESTED':
    case 'REFERENCE_TAKEN':
      return describeUse(answer);
  }
}

export const approvalCommands: ReadonlyMap<string, Command> = new Map([
  ['approvals', approvalsCommand],
  ['give-approval', giveApprovalCommand],
  ['refuse-approval', refuseApprovalCommand],
]);
