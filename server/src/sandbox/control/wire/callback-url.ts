// The callback address of an account, as a developer sets it in the sandbox.
import { Type, type Static } from 'typebox';
import { findFault, invalidFault, type Fault, type Parsed } from '../../../wire/fault.ts';
import { valueAt } from '../../../wire/json.ts';

export const callbackUrlSchema = Type.Object(
  {
    url: Type.String({
      maxLength: 2_000,
      description: 'An address with http or https that the gateway can reach.',
      examples: ['http://127.0.0.1:3000/callbacks'],
    }),
  },
  { additionalProperties: false, title: 'CallbackUrl' },
);

export function parseCallbackUrl(body: unknown): Parsed<Static<typeof callbackUrlSchema>> {
  const fault = findFault(callbackUrlSchema, body, listUrlFaults(body));
  if (fault !== null) return { type: 'FAULT', fault };
  return { type: 'PARSED', request: body as Static<typeof callbackUrlSchema> };
}

function listUrlFaults(body: unknown): readonly Fault[] {
  const url = valueAt(body, 'url');
  if (typeof url !== 'string') return [];
  const isWeb = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
  return isWeb ? [] : [invalidFault('url', 'it is no address with http or https')];
}
