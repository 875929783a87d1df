// What to certify with MTN: its tests, and what only it can answer.
import type { Certification } from '../operator.ts';

export const certification: Certification = {
  sandboxUrls: ['https://sandbox.momodeveloper.mtn.com'],
  // MTN's tests take euros. Its published numbers decide the outcome.
  sandboxCurrency: 'EUR',
  sandboxNumbers: { paying: '56733123453', refusing: '46733123451', silent: '46733123453' },
  questions: [
    'Agree the rate with MTN. The default is ten calls a second; `requestsPerSecond` changes it.',
    'Use a callback certificate from an authority that MTN has loaded.',
    'Fund the disbursement float.',
    'Ask whether the disbursement product may ask for account holders, and whether that counts ' +
      'against its limits.',
    'Confirm the evidence marked X and T.',
  ],
};
