// What a role that only serves may do to the tables of the daily close.
export const CLOSE_RIGHTS = {
  close_accounts: ['insert', 'update'],
  bank_files: ['insert', 'update (voided_at, voided_by, void_reason)'],
  bank_lines: [
    'insert',
    'update (file_id, copies, counts, came_late, voided, cancelled_from, cancelled_through)',
  ],
  report_mappings: ['insert', 'update', 'delete'],
  report_uploads: [
    'insert',
    'update (status, file_id, lines_done, lines_expected, fault_count, faults, updated_at)',
  ],
  day_closes: ['insert', 'update (status, closed_at, reopened_at, reopened_by, reopen_reason)'],
  day_close_items: ['insert'],
  day_comparisons: ['insert', 'update', 'delete'],
} as const;
