// A public key that a developer registers in the sandbox, and whether signatures are required.
import { Type, type Static } from 'typebox';
import {
  findKeyFault,
  isSignatureAlgorithm,
  SIGNATURE_ALGORITHMS,
} from '../../../wire/http-signature/algorithms.ts';
import { findFault, invalidFault, type Fault, type Parsed } from '../../../wire/fault.ts';
import { valueAt } from '../../../wire/json.ts';

const nameSchema = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,100}$',
  description: 'What your signatures name the key by, as keyid: letters, digits, dots, dashes.',
  examples: ['my-key'],
});
const algorithmSchema = Type.Enum(SIGNATURE_ALGORITHMS, {
  type: 'string',
  description: 'What the key signs with.',
});

export const keyPathSchema = Type.Object({ name: nameSchema }, { additionalProperties: false });

export const publicKeyRequestSchema = Type.Object(
  {
    algorithm: algorithmSchema,
    key: Type.String({ description: 'The public key in PEM form, with its line breaks.' }),
  },
  { additionalProperties: false, title: 'PublicKeyRequest' },
);

export const registeredKeySchema = Type.Object(
  { name: nameSchema, algorithm: algorithmSchema },
  { title: 'RegisteredKey' },
);

export const signedRequestsSchema = Type.Object(
  {
    signedRequestsOnly: Type.Boolean({
      description: 'Whether requests that start payments must be signed from now on.',
    }),
  },
  { additionalProperties: false, title: 'SignedRequests' },
);

export type PublicKeyRequest = Static<typeof publicKeyRequestSchema>;

export function parseKeyPath(path: unknown): Parsed<Static<typeof keyPathSchema>> {
  const fault = findFault(keyPathSchema, path);
  if (fault !== null) return { type: 'FAULT', fault };
  return { type: 'PARSED', request: path as Static<typeof keyPathSchema> };
}

export function parsePublicKeyRequest(body: unknown): Parsed<PublicKeyRequest> {
  const fault = findFault(publicKeyRequestSchema, body, listKeyFaults(body));
  if (fault !== null) return { type: 'FAULT', fault };
  return { type: 'PARSED', request: body as PublicKeyRequest };
}

export function parseSignedRequests(body: unknown): Parsed<Static<typeof signedRequestsSchema>> {
  const fault = findFault(signedRequestsSchema, body);
  if (fault !== null) return { type: 'FAULT', fault };
  return { type: 'PARSED', request: body as Static<typeof signedRequestsSchema> };
}

function listKeyFaults(body: unknown): readonly Fault[] {
  const [algorithm, key] = [valueAt(body, 'algorithm'), valueAt(body, 'key')];
  if (typeof key !== 'string' || !isSignatureAlgorithm(algorithm)) return [];
  const cause = findKeyFault(key, algorithm);
  return cause === null ? [] : [invalidFault('key', cause)];
}
