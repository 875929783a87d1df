// What to certify with Wave: its tests, and what only it can answer.
import type { Certification } from '../operator.ts';

export const certification: Certification = {
  sandboxUrls: [],
  questions: [
    'Check what an expired session says. If it stays `processing`, its deposit waits for a person.',
    'Check that a refunded session has `when_refunded`. If not, a refund whose answer was lost waits ' +
      'for a person.',
    'Ask for the rate limit: Wave does not publish it. The default is ten calls a second.',
    'Confirm the evidence marked T and K.',
  ],
};
