// The code of a provider in answers.
import { Type } from 'typebox';

export const providerCodeSchema = Type.String({
  description: 'The code of the mobile-money provider in one country, as payments name it.',
  examples: ['MTN_MOMO_ZMB'],
});
