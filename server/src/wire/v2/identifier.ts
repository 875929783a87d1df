// The merchant's references: the identifier that makes an initiation idempotent, and a free one.
import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { IDENTIFIER_LENGTH, IDENTIFIER_PATTERN } from '../../domain/identifier.ts';

/** The specification says "free string". This allows a long reference, but not a document. */
export const CLIENT_REFERENCE_LENGTH_MAX = 1_000;

export type IdentifierSchema = ReturnType<typeof identifierSchema>;

/** The identifier of a payment; `noun` is the kind's name in a sentence. */
export function paymentIdSchema(noun: string) {
  return identifierSchema(
    `The identifier of the ${noun}. You choose it; store it before you send the request.`,
  );
}

/** `example` where another field of the same request or answer has to match it. */
export function identifierSchema(description: string, example = exampleOf(description)) {
  return Type.String({
    minLength: IDENTIFIER_LENGTH,
    maxLength: IDENTIFIER_LENGTH,
    pattern: IDENTIFIER_PATTERN,
    description: `${description} UUIDv4 text, compared without case and echoed as written.`,
    examples: [example],
  });
}

/** The example of such a schema, where another one has to name the same. */
export function exampleIdentifier(schema: IdentifierSchema): string {
  const { examples = [] } = schema as { readonly examples?: readonly string[] };
  return examples[0] ?? '';
}

/** Each kind has its own example, so that a copied one does not match another payment. */
function exampleOf(description: string): string {
  const hex = createHash('sha256').update(description).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}

export const clientReferenceIdSchema = Type.String({
  maxLength: CLIENT_REFERENCE_LENGTH_MAX,
  description:
    'Your reference to an entity in your own system, for example an invoice. It may be empty and need not be unique.',
  examples: ['INV-123456'],
});
