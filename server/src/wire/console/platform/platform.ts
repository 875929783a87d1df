// The host's merchants and providers.
import { Type } from 'typebox';
import { AVAILABILITY_REASONS } from '../../../domain/operators/availability-reason.ts';
import { OPERATIONS, PAYMENT_KINDS } from '../../../domain/payments/payment.ts';
import { regionalFields } from '../merchant/regional-settings.ts';
import { reasonSchema } from '../terms.ts';
import {
  DONE,
  orNull,
  outcomeSchema,
  strict,
  timeSchema,
  WORDS_MAX,
  describeCalls,
  arrayOf,
} from '../shape.ts';

const operationSchema = Type.Enum([...OPERATIONS], { type: 'string' });
const kindSchema = Type.Enum([...PAYMENT_KINDS], { type: 'string' });
const statusSchema = Type.Enum(['OPERATIONAL', 'DELAYED', 'CLOSED'], { type: 'string' });
const hostMerchantPath = strict({ merchantId: Type.String({ format: 'uuid' }) });
const providerSchema = Type.String({ minLength: 1, maxLength: 50 });

export const platformCalls = describeCalls({
  listMerchants: {
    query: strict({
      name: Type.Optional(Type.String({ maxLength: 100 })),
      after: Type.Optional(Type.String({ maxLength: 500 })),
    }),
    answer: strict({
      merchants: arrayOf({
        merchantId: Type.String(),
        name: Type.String(),
        operations: Type.Array(Type.String()),
        isSuspended: Type.Boolean(),
        createdAt: timeSchema,
      }),
      /** The cursor of the next page; null: there is none. */
      next: orNull(Type.String()),
    }),
  },
  createMerchant: {
    body: strict({
      name: Type.String({ minLength: 1, maxLength: 100 }),
      operations: Type.Array(operationSchema, { minItems: 1, maxItems: WORDS_MAX }),
      walletPerProvider: Type.Boolean(),
      ownerEmail: Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' }),
    }),
    /** The owner's link is returned if it cannot be mailed. */
    answer: strict({ merchantId: Type.String(), link: orNull(Type.String()) }),
  },
  readMerchant: {
    path: hostMerchantPath,
    answer: strict({
      merchantId: Type.String(),
      name: Type.String(),
      home: Type.String(),
      isSuspended: Type.Boolean(),
      operations: Type.Array(Type.String()),
      walletPerProvider: Type.Boolean(),
      signedRequestsOnly: Type.Boolean(),
      ...regionalFields,
      providers: arrayOf({ provider: Type.String(), operations: Type.Array(Type.String()) }),
    }),
  },
  suspendMerchant: {
    path: hostMerchantPath,
    body: strict({ isSuspended: Type.Boolean() }),
    answer: strict({ outcome: outcomeSchema }),
  },
  cancelUnsentPayments: {
    path: hostMerchantPath,
    body: strict({ reason: reasonSchema }),
    answer: strict({ cancelledCount: Type.Integer() }),
  },
  changeOperations: {
    path: hostMerchantPath,
    body: strict({ operations: Type.Array(operationSchema, { maxItems: WORDS_MAX }) }),
    answer: DONE,
  },
  switchProviders: {
    path: hostMerchantPath,
    body: strict({
      providers: Type.Array(providerSchema, { minItems: 1, maxItems: 200 }),
      operations: Type.Array(kindSchema, { minItems: 1, maxItems: WORDS_MAX }),
      to: Type.Enum(['ON', 'OFF'], { type: 'string' }),
    }),
    answer: DONE,
  },
  listProviders: {
    answer: strict({
      providers: arrayOf({
        provider: Type.String(),
        name: Type.String(),
        country: Type.String(),
        operations: arrayOf({
          operation: kindSchema,
          /** Null if no connector handles it here. */
          connector: orNull(Type.String()),
          status: statusSchema,
          setBy: orNull(Type.Enum(['HAND', 'MEASURED'], { type: 'string' })),
          since: orNull(timeSchema),
          /** Calls to the operator in the last minutes, and those without a useful answer. */
          calls: Type.Integer(),
          failures: Type.Integer(),
        }),
      }),
    }),
  },
  listIncidents: {
    answer: strict({
      changes: arrayOf({
        provider: Type.String(),
        operation: kindSchema,
        from: statusSchema,
        to: statusSchema,
        setBy: Type.Enum(['HAND', 'MEASURED'], { type: 'string' }),
        reason: strict({
          code: Type.Enum([...AVAILABILITY_REASONS], { type: 'string' }),
          /** The person, or figures: numbers as texts, times in seconds. */
          parameters: Type.Record(Type.String(), Type.String()),
        }),
        changedAt: timeSchema,
      }),
    }),
  },
  setAvailability: {
    path: strict({ provider: providerSchema, operation: kindSchema }),
    body: strict({ status: statusSchema }),
    answer: DONE,
  },
});
