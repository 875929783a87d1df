// What to certify with Vodacom: its tests, and what only it can answer.
import type { Certification } from '../operator.ts';

export const certification: Certification = {
  sandboxUrls: ['https://openapi.m-pesa.com/sandbox', 'https://api.sandbox.vm.co.mz'],
  sandboxNumbers: { paying: '000000000001' },
  withoutNotSeen: ['VODACOM_MOZ'],
  questions: [
    'Mozambique: certify that a repeat gets `INS-10`.',
    'DR Congo: ask whether CDF is accepted; the page names only USD.',
    'Lesotho: ask whether 11-digit numbers are accepted; the page says 12 to 14.',
    'Ask for the rate. The default is ten calls a second.',
    'Confirm the evidence marked T and K.',
  ],
};
