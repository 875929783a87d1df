// Requests that another person must approve. In a sandbox a command can be that person; in production people decide in
// the dashboard.
import {
  approve,
  reject,
  withdraw,
  type ApprovalAnswer,
  type Deciding,
} from '../../core/approvals/decide.ts';
import { readApproval, readApprovals, type ReadApproval } from '../../core/approvals/read.ts';
import { refusalText } from '../../core/approvals/refusals.ts';
import type { Engine } from '../../core/engine.ts';
import { APPROVAL_KINDS } from '../../domain/approval.ts';
import { isClockShiftInstalled } from '../../store/clock-shift.ts';
import {
  print,
  readOptions,
  refuse,
  refuseApprovalHere,
  requirePerson,
  requireUuid,
  TEXT,
  UsageError,
  withGateway,
  type Command,
} from '../command.ts';
import { requireUrl } from './public-url.ts';

const PEOPLE_APPROVE =
  'Without a movable clock this is approved in the dashboard, by people who are signed in.';

/** So many are shown; more are pending only where something is wrong. */
const SHOWN_MAX = 200;

const approvalsCommand: Command = {
  usage: '',
  summary: 'list requests that are pending approval: id, merchant, when, requested by, what',
  run: async (args) => {
    readOptions(args, {});
    await withGateway(async ({ engine }) => {
      const page = { whose: 'ALL', isPending: true, kinds: APPROVAL_KINDS, after: null } as const;
      for (const one of await readApprovals(engine, { ...page, countMax: SHOWN_MAX })) print(lineOf(one));
    });
  },
};

const approveCommand: Command = {
  usage: '--approval ID --by NAME',
  summary: 'in a sandbox: approve, as the second approver, what was requested',
  run: async (args) =>
    decide(args, async (engine, deciding) => {
      // The database knows a sandbox by its movable clock, and elsewhere refuses approvers who are not people.
      if (!(await isClockShiftInstalled(engine.store.database))) throw new UsageError(PEOPLE_APPROVE);
      const approval = await readApproval(engine, deciding);
      // Before anything is decided: a link that cannot be written down is lost.
      if (approval?.kind === 'INVITATION') requireUrl(engine);
      return approve(engine, { ...deciding, hash: approval?.shownHash ?? '' });
    }),
};

const rejectCommand: Command = {
  usage: '--approval ID [--reason TEXT] --by NAME',
  summary: 'in a sandbox: reject, as another person, what was requested',
  run: async (args) => decide(args, reject),
};

const withdrawCommand: Command = {
  usage: '--approval ID --by NAME',
  summary: 'in a sandbox: withdraw what was requested under this name',
  run: async (args) => decide(args, withdraw),
};

async function decide(
  args: readonly string[],
  act: (engine: Engine, deciding: Deciding & { readonly reason: string | null }) => Promise<ApprovalAnswer>,
): Promise<void> {
  const values = readOptions(args, { approval: TEXT, reason: TEXT, by: TEXT });
  const approvalId = requireUuid(values, 'approval');
  const decider = { personId: null, by: requirePerson(values) };
  const reason = typeof values['reason'] === 'string' ? values['reason'] : null;
  await withGateway(async ({ engine }) => {
    refuseApprovalHere(engine);
    const answer = await act(engine, { approvalId, whose: 'ALL', decider, reason });
    if (answer.type === 'CONFIRMED') return refuse('Another person must approve it too.');
    if (answer.type !== 'DONE') return refuse(refusalText(answer));
    const { invited } = answer;
    print(invited === null ? 'done' : `${requireUrl(engine)}/dashboard/join/${invited.token}`);
  });
}

function lineOf({ approvalId, merchantId, kind, shown, requestedBy, requestedAt }: ReadApproval): string {
  const what = JSON.stringify({ kind, ...shown });
  return [approvalId, merchantId ?? '-', requestedAt.toISOString(), requestedBy.by, what].join('\t');
}

export const approvalCommands: ReadonlyMap<string, Command> = new Map([
  ['approval list', approvalsCommand],
  ['approval approve', approveCommand],
  ['approval reject', rejectCommand],
  ['approval withdraw', withdrawCommand],
]);
