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
import { isClockShiftInstalled } from '../../store/schema/clock-shift.ts';
import { gatewayCommand, nothing, refuseApprovalHere, type Command } from '../command.ts';
import { print, refuse, row } from '../output.ts';
import { UsageError } from '../options.ts';
import { requireUrl } from './public-url.ts';

const PEOPLE_APPROVE =
  'Without a movable clock this is approved in the dashboard, by people who are signed in.';

/** So many are shown; more are pending only where something is wrong. */
const SHOWN_MAX = 200;

export const approvalCommands = {
  'approval list': gatewayCommand({
    usage: '',
    summary: 'list requests that are pending approval',
    read: nothing,
    run: async ({ engine }) => {
      const page = { whose: 'ALL', isPending: true, kinds: APPROVAL_KINDS, after: null } as const;
      for (const one of await readApprovals(engine, { ...page, countMax: SHOWN_MAX })) print(lineOf(one));
    },
  }),
  'approval approve': decideCommand(
    '--approval ID --by NAME',
    'in a sandbox: approve',
    async (engine, deciding) => {
      // The database knows a sandbox by its movable clock, and elsewhere refuses approvers who are not people.
      if (!(await isClockShiftInstalled(engine.store.database))) throw new UsageError(PEOPLE_APPROVE);
      const approval = await readApproval(engine, deciding);
      // Before anything is decided: a link that cannot be recorded is lost.
      if (approval?.kind === 'INVITATION') requireUrl(engine);
      return approve(engine, { ...deciding, hash: approval?.shownHash ?? '' });
    },
  ),
  'approval reject': decideCommand('--approval ID [--reason TEXT] --by NAME', 'in a sandbox: reject', reject),
  'approval withdraw': decideCommand('--approval ID --by NAME', 'in a sandbox: withdraw', withdraw),
};

function decideCommand(
  usage: string,
  summary: string,
  decide: (
    engine: Engine,
    deciding: Deciding & { readonly reason: string | null },
  ) => Promise<ApprovalAnswer>,
): Command {
  return gatewayCommand({
    usage,
    summary,
    read: (options) => ({
      approvalId: options.uuid('approval'),
      decider: { personId: null, by: options.person() },
      reason: options.textOrNull('reason'),
    }),
    run: async ({ engine }, order) => {
      refuseApprovalHere(engine);
      const answer = await decide(engine, { ...order, whose: 'ALL' });
      if (answer.type === 'CONFIRMED') return refuse('Another person must approve it too.');
      if (answer.type !== 'DONE') return refuse(refusalText(answer));
      const { invited } = answer;
      print(invited === null ? 'done' : `${requireUrl(engine)}/dashboard/join/${invited.token}`);
    },
  });
}

function lineOf({ approvalId, merchantId, kind, shown, requestedBy, requestedAt }: ReadApproval): string {
  return row(approvalId, merchantId, requestedAt, requestedBy.by, JSON.stringify({ kind, ...shown }));
}
