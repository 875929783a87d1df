// Payments in the console: one with all that happened to it, and actions. Lists are in ../payment-list.ts.
import { Type } from 'typebox';
import { AMOUNT_LENGTH_MAX, AMOUNT_PATTERN } from '../../../domain/money.ts';
import { ANNOUNCED_KINDS, PAYMENT_KINDS, PAYMENT_STATES } from '../../../domain/payments/payment.ts';
import { paymentSummaryFields } from '../payment-list.ts';
import {
  DONE,
  merchantPath,
  orNull,
  strict,
  timeSchema,
  WORDS_MAX,
  describeCalls,
  arrayOf,
} from '../shape.ts';

const kindSchema = Type.Enum([...PAYMENT_KINDS], { type: 'string' });
const stateSchema = Type.Enum([...PAYMENT_STATES], { type: 'string' });
const amountSchema = Type.String();
const optionalTime = orNull(timeSchema);
const optionalText = orNull(Type.String());

const accountSchema = strict({ type: Type.String(), provider: Type.String() });
const nameSchema = strict({ firstName: Type.String(), lastName: Type.String() });

const eventSchema = strict({
  eventNo: Type.Integer(),
  at: timeSchema,
  event: Type.String(),
  fromState: orNull(stateSchema),
  toState: stateSchema,
  detail: optionalText,
  evidence: orNull(Type.String({ description: "The operator's response. For the platform's people only." })),
});

const exchangeSchema = strict({
  at: timeSchema,
  step: Type.String(),
  httpStatus: orNull(Type.Integer()),
  error: optionalText,
  durationMs: Type.Integer(),
  request: Type.String(),
  answer: Type.String(),
});

const transferSchema = strict({
  legNo: Type.Integer(),
  template: Type.String(),
  debit: accountSchema,
  credit: accountSchema,
  amount: amountSchema,
  currency: Type.String(),
  state: Type.Enum(['PENDING', 'POSTED', 'VOIDED'], { type: 'string' }),
  createdAt: timeSchema,
  settledAt: optionalTime,
});

const callbackSchema = strict({
  callbackId: Type.String(),
  announcedState: stateSchema,
  status: Type.String(),
  createdAt: timeSchema,
  dueAt: optionalTime,
  body: optionalText,
  attempts: arrayOf({
    attemptNo: Type.Integer(),
    startedAt: timeSchema,
    durationMs: Type.Integer(),
    httpStatus: orNull(Type.Integer()),
    errorCode: optionalText,
    answer: optionalText,
  }),
});

const storySchema = strict({
  ...paymentSummaryFields,
  isRevealed: Type.Boolean(),
  customerMessage: Type.String(),
  metadata: arrayOf({ name: Type.String(), value: Type.String(), isPersonal: Type.Boolean() }),
  recipient: orNull(nameSchema),
  sender: arrayOf({ name: Type.String(), value: Type.String() }),
  depositId: optionalText,
  splitPaymentId: optionalText,
  checkoutId: optionalText,
  reference: orNull(Type.String({ description: 'Under which the operator was asked.' })),
  providerReference: optionalText,
  nextActionAt: optionalTime,
  refundable: Type.String({ description: 'What can be given back now; 0 where nothing can.' }),
  isCancellable: Type.Boolean(),
  isResendable: Type.Boolean(),
  events: Type.Array(eventSchema),
  traffic: Type.Array(exchangeSchema, {
    description: "Requests to the operator, and its responses. For the platform's people only; else empty.",
  }),
  transfers: Type.Array(transferSchema),
  callbacks: Type.Array(callbackSchema),
  cases: arrayOf({
    caseId: Type.String(),
    evidence: Type.String(),
    openedAt: timeSchema,
    resolvedAt: optionalTime,
  }),
  related: arrayOf({
    kind: kindSchema,
    paymentId: Type.String(),
    state: stateSchema,
    amount: amountSchema,
    createdAt: timeSchema,
  }),
});

const paymentPath = strict({
  ...merchantPath.properties,
  kind: kindSchema,
  paymentId: Type.String({ format: 'uuid' }),
});

/** Which callbacks are sent again. */
const REPLAYED = ['DELIVERED', 'ABANDONED', 'MISSING'] as const;

export const paymentCalls = describeCalls({
  /** The filters of a list of payments. */
  listUsedProviders: {
    path: merchantPath,
    answer: strict({
      providers: arrayOf({ provider: Type.String(), name: Type.String(), country: Type.String() }),
    }),
  },
  readPayment: { path: paymentPath, answer: storySchema },
  revealPayment: { path: paymentPath, answer: storySchema },
  cancelPayment: { path: paymentPath, answer: DONE },
  resendCallback: { path: paymentPath, answer: DONE },
  refundPayment: {
    path: strict({ ...merchantPath.properties, paymentId: Type.String({ format: 'uuid' }) }),
    body: strict({
      refundId: Type.String({
        format: 'uuid',
        description: 'Yours to choose: pressing twice gives back once.',
      }),
      amount: orNull(Type.String({ pattern: AMOUNT_PATTERN, maxLength: AMOUNT_LENGTH_MAX })),
    }),
    answer: strict({ refundId: Type.String() }),
  },
  replayCallbacks: {
    path: merchantPath,
    body: strict({
      kinds: Type.Array(Type.Enum([...ANNOUNCED_KINDS], { type: 'string' }), {
        minItems: 1,
        maxItems: WORDS_MAX,
      }),
      statuses: Type.Array(
        Type.Enum([...REPLAYED], {
          type: 'string',
          description:
            'DELIVERED: acknowledged. ABANDONED: tried without success. MISSING: there was no address.',
        }),
        { minItems: 1, maxItems: WORDS_MAX },
      ),
      from: timeSchema,
      to: timeSchema,
    }),
    answer: strict({ count: Type.Integer() }),
  },
});
