// What to certify with an operator with the GSMA's API: its tests, and what only it can answer.
import type { Certification } from '../operator.ts';

export const certification: Certification = {
  sandboxUrls: [],
  questions: [
    'Ask which words `transactionStatus` has, and set `statusWords`.',
    'Ask whether `/responses` finds pending and failed requests. If not, a failed request whose ' +
      'answer was lost waits for a person.',
    'Agree the rate. Ten calls a second is our choice; `requestsPerSecond` changes it.',
    'If every deposit ends PAYER_NOT_FOUND, check your own `account`.',
    'Make a remittance, if you offer them.',
  ],
};
