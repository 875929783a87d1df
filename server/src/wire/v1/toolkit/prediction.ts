// Predicting the provider of a phone number in API v1.
import { Type, type Static } from 'typebox';
import { findFault, invalidFault, type Fault, type Parsed } from '../../fault.ts';
import { countrySchema } from '../../v2/amount.ts';
import {
  predictionRequestSchema as currentRequest,
  predictionSchema as current,
} from '../../v2/toolkit/prediction.ts';
import { correspondentSchema, operatorOf } from './provider.ts';

export const predictionRequestSchema = Type.Object(
  { msisdn: currentRequest.properties.phoneNumber },
  { additionalProperties: false, title: 'PredictionRequest' },
);

export const predictionSchema = Type.Object(
  {
    country: countrySchema,
    operator: Type.String({ description: 'What the operator is called.', examples: ['MTN'] }),
    correspondent: correspondentSchema,
    msisdn: current.properties.phoneNumber,
  },
  {
    title: 'Prediction',
    description: 'A hint from the prefix of the number. Let your customer change the correspondent.',
  },
);

/** Returns the number as written. */
export function parsePredictionRequest(body: unknown): Parsed<string> {
  const fault = findFault(predictionRequestSchema, body);
  if (fault !== null) return { type: 'FAULT', fault };
  return { type: 'PARSED', request: (body as Static<typeof predictionRequestSchema>).msisdn };
}

export function renderPrediction({
  country,
  provider,
  phoneNumber,
}: Static<typeof current>): Static<typeof predictionSchema> {
  return { country, operator: operatorOf(provider), correspondent: provider, msisdn: phoneNumber };
}

/** The error of a number that cannot be resolved; `cause` completes the sentence "… is not valid: it …". */
export function unresolvedFault(cause: string): Fault {
  return invalidFault('msisdn', cause);
}
