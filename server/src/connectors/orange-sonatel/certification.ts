// What to certify with Sonatel: its tests, and what only it can answer.
import type { Certification } from '../operator.ts';

export const certification: Certification = {
  sandboxUrls: ['https://api.sandbox.orange-sonatel.com'],
  questions: [
    'Ask whether these calls are still granted: most clients collect by `POST /api/eWallet/v4/qrcode`.',
    "Ask what a wrong payer's code gets, and whether references must be unique.",
    'Check whether `…/status` shows amount and code.',
    'Get `webhookSecret`. Agree the rate; the default is ten calls a second.',
    'Make both kinds of deposit: with `--code` and without.',
    'Confirm the evidence: most is T or K.',
  ],
};
