// What a role that only serves may do to the tables of the daily close.
export const CLOSE_RIGHTS = {
  close_accounts: ['insert', 'update'],
  bank_files: ['insert'],
  bank_lines: ['insert', 'update (closed_in)'],
  day_closes: ['insert', 'update (status, closed_at)'],
  day_close_items: ['insert'],
} as const;
