// `malipo payouts batch`: pays every row of a file, once.
import type { Command } from '../command.ts';

export const batchCommand: Command = {
  words: 'payouts batch',
  summary: 'Pay everybody in a file of comma-separated values, once, whatever interrupts it',
  details:
    'Columns: phoneNumber, amount, currency; provider, customerMessage, clientReferenceId and metadata.NAME if you\n' +
    'like. The whole file is checked first, and nothing is sent while anything is wrong with it. Identifiers are\n' +
    'kept in FILE.journal before anything is sent: started again after an interruption, the command goes on where\n' +
    'it was, and whatever was paid is not paid again. Rows that were rejected are tried again then. The results are\n' +
    'written to FILE.results.csv. Keep the journal as long as the file.',
  arguments: [{ name: 'FILE', summary: 'The file of payouts.', isFile: true }],
  options: [
    { name: 'dry-run', summary: 'Only check, and show what would be paid.' },
    { name: 'repeats-meant', summary: 'Rows that look like one payout written twice are meant.' },
    { name: 'wait', summary: 'Wait until every payout is final, and write its status.' },
    { name: 'results', value: 'FILE', summary: 'Where to write the results instead of FILE.results.csv.' },
  ],
  examples: ['malipo payouts batch wages.csv --dry-run', 'malipo payouts batch wages.csv --wait'],
  // Imported only here: it loads the gateway's own rules, and other commands should not wait for them.
  run: async (call) => (await import('../batch/run-batch.ts')).runBatch(call),
};
