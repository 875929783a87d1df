// Predicting the provider of a phone number.
import { Type, type Static } from 'typebox';
import { findFault, invalidFault, type Parsed } from '../../fault.ts';
import { countrySchema } from '../amount.ts';
import { renderFault } from '../failure.ts';
import { providerCodeSchema } from './provider.ts';

export const predictionRequestSchema = Type.Object(
  {
    phoneNumber: Type.String({
      description:
        'The number as your customer wrote it, with country code. A plus, spaces, punctuation, letters and a zero ' +
        'that does not belong after the country code are removed.',
      examples: ['+260 (0)763 456-789'],
    }),
  },
  { additionalProperties: false, title: 'PredictionRequest' },
);

export const predictionSchema = Type.Object(
  {
    country: countrySchema,
    provider: providerCodeSchema,
    phoneNumber: Type.String({
      description: 'The number in the form that payments take.',
      examples: ['260763456789'],
    }),
  },
  {
    title: 'Prediction',
    description:
      'A hint from the prefix of the number. Let your customer change the provider: people keep their number when ' +
      'they change operator.',
  },
);

/** Returns the number as written. */
export function parsePredictionRequest(body: unknown): Parsed<string> {
  const fault = findFault(predictionRequestSchema, body);
  if (fault !== null) return { type: 'FAULT', fault };
  return { type: 'PARSED', request: (body as Static<typeof predictionRequestSchema>).phoneNumber };
}

export function renderPrediction({
  country,
  provider,
  phoneNumber,
}: Static<typeof predictionSchema>): Static<typeof predictionSchema> {
  return { country, provider, phoneNumber };
}

/** The reason of a number that cannot be resolved; `cause` completes the sentence "… is not valid: it …". */
export function renderUnresolved(cause: string): ReturnType<typeof renderFault> {
  return renderFault(invalidFault('phoneNumber', cause));
}
