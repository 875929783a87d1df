// What to certify with Airtel: its tests, and what only it can answer.
import type { Certification } from '../operator.ts';

export const certification: Certification = {
  sandboxUrls: ['https://openapiuat.airtel.africa'],
  questions: [
    'Confirm versions, padding and signing for each account; in Gabon also currency code and number prefix.',
    'Confirm what the callback hash covers, and which version answers enquiries about v3 payouts.',
    'Agree the rate. Ten calls a second is our guess; `requestsPerSecond` changes it.',
    'Ask whether the app may ask for account holders, and whether that counts against its limits.',
    'Confirm the evidence marked T and K.',
  ],
};
