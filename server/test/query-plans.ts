// The plans that PostgreSQL chose, as auto_explain writes them into its log.
import { readFileSync } from 'node:fs';
import type { Database } from '../src/store/database.ts';

export type Plan = { readonly text: string; readonly root: PlanNode };

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
};

/** Put on by `alter database`, it is there in every connection that is opened afterwards. */
export const EXPLAIN_SETTINGS = [
  `session_preload_libraries = 'auto_explain'`,
  'auto_explain.log_min_duration = 0',
  'auto_explain.log_format = json',
  // What triggers and functions do is part of the step.
  'auto_explain.log_nested_statements = on',
];

/** Lines that go on begin with a tab. */
const ENTRY = /duration: [\d.]+ ms {2}plan:\n((?:\t.*\n)+)/g;

export function readPlans(logPath: string, fromByte: number): readonly Plan[] {
  const log = readFileSync(logPath).subarray(fromByte).toString();
  // A long entry is not written at once: the last one of a loop that goes on may be half there. One that is whole ends
  // with the bracket that it began with.
  const entries = [...log.matchAll(ENTRY)].filter(
    ([, json = ''], index, all) => index < all.length - 1 || json.endsWith('\n\t}\n'),
  );
  return entries.map(([, json = '']) => {
    const told = JSON.parse(json) as { readonly 'Query Text': string; readonly Plan: PlanNode };
    return { text: told['Query Text'], root: told.Plan };
  });
}

/** The tables that a plan reads from end to end, by themselves or along an index without a condition. */
export function listFullScans({ root }: Plan): readonly string[] {
  return listNodes(root)
    .filter((node) => node['Node Type'] === 'Seq Scan' || isWholeIndex(node))
    .map((node) => node['Relation Name'] ?? node['Node Type']);
}

/** A partial index is as small as the work that waits, and may be read as a whole. */
const PARTIAL = [
  'payments_due_steps',
  'payments_enqueued',
  'payments_held',
  'payments_held_by_age',
  'payments_in_reconciliation',
  'payments_without_step',
  'approvals_pending',
  'approvals_pending_of_reference',
  'approvals_one_pending_of_a_subject',
  'callbacks_pending',
  'cases_open',
  'operator_notifications_unapplied',
  'merchant_notices_to_mail',
  'operator_report_lines_at_risk',
  'operator_report_lines_to_approve',
  // Reports that are being voided.
  'operator_reports_to_take_back',
  'statements_due',
  'unmatched_payments_unposted',
  // Holds for which money is missing.
  'wallet_holds_short',
];

function isWholeIndex(node: PlanNode): boolean {
  const index = node['Index Name'];
  return (
    /^Index (Only )?Scan$/.test(node['Node Type']) &&
    node['Index Cond'] === undefined &&
    index !== undefined &&
    !PARTIAL.includes(index)
  );
}

function listNodes(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)];
}

/** PostgreSQL shall not learn in the middle of a run how small a table is here that is large elsewhere. */
export async function leaveUnanalysed(database: Database): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of rows) await database.query(`alter table ${name} set (autovacuum_enabled = false)`);
}
