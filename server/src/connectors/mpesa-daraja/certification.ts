// What to certify with Safaricom: its tests, and what only it can answer.
import type { Certification } from '../operator.ts';

export const certification: Certification = {
  sandboxUrls: ['https://sandbox.safaricom.co.ke'],
  sandboxNumbers: { silent: '254708374149' },
  questions: [
    'Ask whether 1037 and the other codes above are ever followed by success, and how long after.',
    'Ask which status words a failed payout and a failed reversal have, and enter them in `failedStatuses`.',
    'Ask whether a status can be asked for by the receipt of a push, and whether DebitPartyName has ' +
      "the payer's number.",
    'Ask for the addresses that messages come from, and how many calls and enquiries a minute are allowed.',
    "Note the day on which the initiator's password ends: every payout fails after it. Two weeks " +
      'before, the alert MalipoOperatorSecretExpires fires (90 days, `lastsDays` in `connector.ts`).',
  ],
};
