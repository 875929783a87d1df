// `malipo payout batch`: pays every row of a file, once.
import type { Command } from '../command.ts';

export const batchCommand: Command = {
  words: 'payout batch',
  summary: 'Send every payout of a CSV file exactly once, also after an interruption',
  details:
    'Columns: phoneNumber, amount, currency; optional: provider, customerMessage, clientReferenceId, metadata.NAME.\n' +
    'Nothing is sent if the file has an error. Identifiers are saved in FILE.journal first: after an interruption,\n' +
    'run it again. It retries rejected rows. Keep the journal as long as the file.',
  arguments: [{ name: 'FILE', summary: 'CSV file of payouts.', isFile: true }],
  options: [
    { name: 'dry-run', summary: 'Check the file and show totals without sending.' },
    { name: 'allow-duplicates', summary: 'Send rows that look like duplicates.' },
    { name: 'wait', summary: 'Wait for the final status of every payout, and write it to the results.' },
    { name: 'results', value: 'FILE', summary: 'File for the results; default: FILE.results.csv.' },
  ],
  examples: ['malipo payout batch wages.csv --dry-run', 'malipo payout batch wages.csv --wait'],
  // Imported only here: it loads the gateway's own rules, and other commands should not wait for them.
  run: async (call) => (await import('../batch/run-batch.ts')).runBatch(call),
};
