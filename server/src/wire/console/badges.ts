// How much waits for people, for the navigation.
import { Type } from 'typebox';
import { describeCalls, merchantPath, orNull, strict } from './shape.ts';

/** Up to 100, which stands for all beyond. Null where the reader may not see them. */
const countSchema = orNull(Type.Integer({ minimum: 0, maximum: 100 }));

const answer = strict({
  approvals: countSchema,
  cases: countSchema,
  /** Payments with an unknown outcome. */
  payments: countSchema,
  /** Callback endpoints that fail or were switched off. */
  endpoints: countSchema,
  /** Settlements that the platform has to pay. */
  settlements: countSchema,
});

export const badgeCalls = describeCalls({
  readHostBadges: { answer },
  readMerchantBadges: { path: merchantPath, answer },
});
