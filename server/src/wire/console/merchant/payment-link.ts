// Payment links: what they ask for, and their address.
import { Type } from 'typebox';
import { amountSchema, currencySchema } from '../../v2/amount.ts';
import { pageOf, pageQuery } from '../page.ts';
import { DONE, describeCalls, merchantPath, orNull, strict, timeSchema } from '../shape.ts';

const LINK_DAYS_MAX = 366;

const linkSchema = strict({
  linkId: Type.String(),
  /** Where payers go. */
  url: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  description: Type.String(),
  status: Type.Enum(['ACTIVE', 'EXPIRED', 'DEACTIVATED'], { type: 'string' }),
  createdAt: timeSchema,
  /** Null: until it is deactivated. */
  expiresAt: orNull(timeSchema),
});

export const paymentLinkCalls = describeCalls({
  listPaymentLinks: { path: merchantPath, query: strict(pageQuery), answer: pageOf(linkSchema) },
  createPaymentLink: {
    path: merchantPath,
    body: strict({
      amount: amountSchema,
      currency: currencySchema,
      /** What payers read. */
      description: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
      /** Null: until it is deactivated. */
      expiresAfterDays: orNull(Type.Integer({ minimum: 1, maximum: LINK_DAYS_MAX })),
    }),
    answer: linkSchema,
  },
  deactivatePaymentLink: {
    path: strict({ ...merchantPath.properties, linkId: Type.String({ format: 'uuid' }) }),
    answer: DONE,
  },
});
