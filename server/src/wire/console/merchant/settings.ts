// A merchant's settings: callback addresses, tokens, public keys, whether requests must be signed, the look of pages.
import { Type } from 'typebox';
import { ANNOUNCED_KINDS } from '../../../domain/payments/payment.ts';
import { SIGNATURE_ALGORITHMS } from '../../http-signature/algorithms.ts';
import {
  DONE,
  merchantPath,
  orNull,
  outcomeSchema,
  strict,
  timeSchema,
  type Shape,
  WORDS_MAX,
  describeCalls,
  arrayOf,
} from '../shape.ts';

const kindSchema = Type.Enum([...ANNOUNCED_KINDS], { type: 'string' });
const addressSchema = Type.String({ minLength: 8, maxLength: 2_000, pattern: '^https?://' });

const endpointSchema = strict({
  kind: kindSchema,
  url: Type.String(),
  state: Type.Enum(['WORKING', 'FAILING', 'SWITCHED_OFF'], { type: 'string' }),
  /** GONE or FAILING if it was disabled. */
  because: orNull(Type.String()),
  failureCount: Type.Integer(),
  since: orNull(timeSchema),
  waiting: Type.Integer(),
});

const kindPath = strict({ ...merchantPath.properties, kind: kindSchema });
const nameSchema = Type.String({ minLength: 1, maxLength: 100 });

/** Null: the host's colour. */
const colourSchema = orNull(Type.String({ pattern: '^#[0-9a-f]{6}$' }));

const logoSchema = strict({
  type: Type.Enum(['image/svg+xml', 'image/png'], { type: 'string' }),
  /** At most 6,000 bytes. */
  base64: Type.String({ maxLength: 8_000, pattern: '^[A-Za-z0-9+/]+={0,2}$' }),
});

const requireSignaturesShape = {
  path: merchantPath,
  body: strict({ isRequired: Type.Boolean() }),
  answer: strict({ outcome: outcomeSchema }),
} satisfies Shape;

export const settingsCalls = describeCalls({
  readCallbackAddresses: {
    path: merchantPath,
    answer: strict({ endpoints: Type.Array(endpointSchema) }),
  },
  setCallbackAddress: {
    path: merchantPath,
    body: strict({ kinds: Type.Array(kindSchema, { minItems: 1, maxItems: WORDS_MAX }), url: addressSchema }),
    answer: DONE,
  },
  enableCallbackAddress: { path: kindPath, answer: DONE },
  testCallbackAddress: {
    path: kindPath,
    answer: strict({
      isAcknowledged: Type.Boolean(),
      /** Null if there was no answer. */
      httpStatus: orNull(Type.Integer()),
      /** Why there was no answer, as a code. */
      error: orNull(Type.String()),
      durationMs: Type.Integer(),
    }),
  },
  readTokens: {
    path: merchantPath,
    answer: strict({
      scopes: Type.Array(Type.String()),
      tokens: arrayOf({
        tokenId: Type.String(),
        name: Type.String(),
        scopes: Type.Array(Type.String()),
        state: Type.Enum(['ACTIVE', 'EXPIRED', 'REVOKED'], { type: 'string' }),
        createdAt: timeSchema,
        expiresAt: orNull(timeSchema),
        lastUsedAt: orNull(timeSchema),
      }),
    }),
  },
  createToken: {
    path: merchantPath,
    body: strict({
      name: nameSchema,
      scopes: Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 50 }),
      /** The last day it works; null: until it is revoked. */
      expiresAt: orNull(timeSchema),
    }),
    /** The text is shown once and cannot be read again. */
    answer: strict({ tokenId: Type.String(), text: Type.String(), outcome: outcomeSchema }),
  },
  revokeToken: {
    path: strict({ ...merchantPath.properties, tokenId: Type.String({ maxLength: 64 }) }),
    answer: DONE,
  },
  readKeys: {
    path: merchantPath,
    answer: strict({
      signedRequestsOnly: Type.Boolean(),
      signedPagesOnly: Type.Boolean(),
      algorithms: Type.Array(Type.String()),
      keys: arrayOf({
        name: Type.String(),
        algorithm: Type.String(),
        fingerprint: Type.String(),
        createdAt: timeSchema,
      }),
    }),
  },
  addKey: {
    path: merchantPath,
    body: strict({
      name: Type.String({ pattern: '^[ -!#-\\[\\]-~]{1,100}$' }),
      algorithm: Type.Enum([...SIGNATURE_ALGORITHMS], { type: 'string' }),
      pem: Type.String({ minLength: 50, maxLength: 10_000 }),
    }),
    answer: strict({ fingerprint: Type.String(), outcome: outcomeSchema }),
  },
  removeKey: {
    path: strict({ ...merchantPath.properties, name: Type.String({ maxLength: 100 }) }),
    answer: DONE,
  },
  readPageBrand: { path: merchantPath, answer: strict({ colour: colourSchema, logo: orNull(logoSchema) }) },
  setPageBrand: {
    path: merchantPath,
    body: strict({
      colour: colourSchema,
      /** Null: no logo. */
      logo: orNull(strict({ base64: logoSchema.properties.base64 })),
    }),
    answer: DONE,
  },
  requireSignatures: requireSignaturesShape,
  requirePageSignatures: requireSignaturesShape,
});
