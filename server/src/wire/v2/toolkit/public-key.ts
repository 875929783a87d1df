// The public keys of the service in API v2.
import { Type, type Static } from 'typebox';

export const publicKeysSchema = Type.Array(
  Type.Object({
    id: Type.String({
      description: 'What signatures name the key by, as keyid.',
      examples: ['HTTP_EC_P256_KEY:1'],
    }),
    key: Type.String({
      description: 'The public key in PEM form, with its line breaks.',
      examples: ['-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n'],
    }),
  }),
  { description: 'The current key is first. Others are the next one, or former ones.' },
);

export function renderPublicKeys(
  keys: readonly { readonly keyId: string; readonly publicKey: string }[],
): Static<typeof publicKeysSchema> {
  return keys.map(({ keyId, publicKey }) => ({ id: keyId, key: publicKey }));
}
