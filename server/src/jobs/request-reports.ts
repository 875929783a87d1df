// Requests the approval of report lines that wait although nobody was asked, because a process has died. It runs in the
// processes that serve people: a worker may neither read nor make requests in the name of people.
import type { Engine } from '../core/engine.ts';
import { requestAllUnrequested } from '../core/reconciliation/approve-report.ts';
import type { Loop } from './loop.ts';
import { startLoop, type ReportError } from './start-loop.ts';

const POLL_MS = 30_000;

export function startReportRequests(engine: Engine, report: ReportError): Loop {
  const round = ({ onError }: { readonly onError: (error: unknown) => void }) =>
    requestAllUnrequested(engine, { onError });
  return startLoop(engine, 'reports', { pollMs: POLL_MS, round }, report);
}
