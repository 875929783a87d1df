// Schemas that several console resources share.
import { Type } from 'typebox';
import { IDENTIFIER_LENGTH, IDENTIFIER_PATTERN } from '../../domain/identifier.ts';
import { AMOUNT_LENGTH_MAX, AMOUNT_PATTERN } from '../../domain/money.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import { merchantPath, strict } from './shape.ts';

/** An amount as a decimal text; account sums may be negative. */
export const amountSchema = Type.String({ pattern: AMOUNT_PATTERN, maxLength: AMOUNT_LENGTH_MAX });
export const signedAmountSchema = Type.String({
  pattern: AMOUNT_PATTERN.replace('^', '^-?'),
  maxLength: AMOUNT_LENGTH_MAX + 1,
});

/** The person's free text. */
export const reasonSchema = Type.String({ minLength: 3, maxLength: 1_000, pattern: '\\S' });
export const kindSchema = Type.Enum([...PAYMENT_KINDS], { type: 'string' });
/** Names something that exists. */
export const uuidSchema = Type.String({ format: 'uuid' });
/** Chosen by a client for something new: a UUID of version 4, which none of our own identifiers is. */
export const newIdentifierSchema = Type.String({
  pattern: IDENTIFIER_PATTERN,
  minLength: IDENTIFIER_LENGTH,
  maxLength: IDENTIFIER_LENGTH,
});
export const codeSchema = Type.String({ minLength: 1, maxLength: 64 });
export const paymentPath = strict({ ...merchantPath.properties, kind: kindSchema, paymentId: uuidSchema });

/** The owner of something, for the platform's people. */
export const ownerSchema = { merchantId: Type.String(), merchant: Type.String() };
