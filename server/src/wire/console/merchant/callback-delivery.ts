// The log of a merchant's callback deliveries.
import { Type } from 'typebox';
import { ANNOUNCED_KINDS, PAYMENT_STATES } from '../../../domain/payments/payment.ts';
import { pageOf, pageQuery } from '../page.ts';
import { arrayOf, describeCalls, merchantPath, orNull, strict, strictOrNull, timeSchema } from '../shape.ts';
import { uuidSchema } from '../terms.ts';

const kindSchema = Type.Enum([...ANNOUNCED_KINDS, 'STATEMENT'], { type: 'string' });
const statusSchema = Type.Enum(['QUEUED', 'RETRYING', 'DELIVERED', 'FAILED'], {
  type: 'string',
  description: 'QUEUED: not attempted yet. RETRYING: attempted, and attempted again. FAILED: given up.',
});

const outcomeFields = {
  startedAt: timeSchema,
  durationMs: Type.Integer(),
  httpStatus: orNull(Type.Integer()),
  /** Why there was no answer. */
  errorCode: orNull(Type.String()),
};

const deliverySchema = strict({
  callbackId: Type.String(),
  kind: kindSchema,
  paymentId: Type.String(),
  announcedState: Type.Enum([...PAYMENT_STATES], { type: 'string' }),
  status: statusSchema,
  host: orNull(Type.String({ description: 'The rest of the address may hold a secret.' })),
  attemptCount: Type.Integer(),
  createdAt: timeSchema,
  nextAttemptAt: orNull(timeSchema),
  lastAttempt: strictOrNull(outcomeFields),
});

export const deliveryCalls = describeCalls({
  listDeliveries: {
    path: merchantPath,
    query: strict({
      ...pageQuery,
      kind: Type.Optional(kindSchema),
      status: Type.Optional(statusSchema),
      from: Type.Optional(timeSchema),
      to: Type.Optional(timeSchema),
    }),
    /** A page that is not full may have a next one: what is rare is looked for a bounded way at a time. */
    answer: pageOf(deliverySchema),
  },
  readDelivery: {
    path: strict({ ...merchantPath.properties, callbackId: uuidSchema }),
    answer: strict({ attempts: arrayOf({ attemptNo: Type.Integer(), ...outcomeFields }) }),
  },
});
