// Lists of payments, their totals and their files: of one merchant, or of all for the platform's people.
import { Type } from 'typebox';
import type { Readable } from 'node:stream';
import { PAYMENT_STATES } from '../../domain/payments/payment.ts';
import {
  paymentFilterFields,
  paymentFilterSchema,
  paymentPageFields,
  paymentQuerySchema,
} from './merchant/payment-query.ts';
import { arrayOf, describeCalls, merchantPath, orNull, strict, timeSchema } from './shape.ts';
import { kindSchema, ownerSchema, uuidSchema } from './terms.ts';

const optionalText = orNull(Type.String());

export const paymentSummaryFields = {
  kind: kindSchema,
  paymentId: Type.String(),
  state: Type.Enum([...PAYMENT_STATES], { type: 'string' }),
  amount: Type.String(),
  fee: Type.String(),
  currency: Type.String(),
  country: Type.String(),
  provider: Type.String(),
  phoneNumber: Type.String({ description: 'The last three digits, unless it was asked for.' }),
  clientReferenceId: optionalText,
  providerTransactionId: optionalText,
  failureCode: optionalText,
  createdAt: timeSchema,
  finalAt: orNull(timeSchema),
};

const totalsSchema = strict({
  countMax: Type.Integer({ description: 'More payments than this are not added up.' }),
  totals: Type.Union(
    [
      arrayOf({
        kind: kindSchema,
        currency: Type.String(),
        count: Type.Integer(),
        amount: Type.String(),
        completedCount: Type.Integer(),
        completedAmount: Type.String(),
        completedFees: Type.String(),
      }),
      Type.Null(),
    ],
    { description: 'Null where there are more.' },
  ),
});

const CSV = {
  contentType: 'text/csv',
  answer: Type.Unsafe<Readable>(
    Type.String({ description: 'One line for each payment, below the names of columns.' }),
  ),
} as const;

const isRevealed = Type.Boolean({
  description: 'With personal data: needs payments:reveal, and the password must have been confirmed.',
});
const merchantId = Type.Optional(uuidSchema);

export const paymentListCalls = describeCalls({
  listPayments: {
    path: merchantPath,
    query: paymentQuerySchema,
    answer: strict({ payments: arrayOf(paymentSummaryFields), next: optionalText }),
  },
  totalPayments: { path: merchantPath, query: paymentFilterSchema, answer: totalsSchema },
  exportPayments: { path: merchantPath, body: strict({ ...paymentFilterFields, isRevealed }), ...CSV },
  listAllPayments: {
    query: strict({ ...paymentFilterFields, ...paymentPageFields, merchantId }),
    answer: strict({ payments: arrayOf({ ...paymentSummaryFields, ...ownerSchema }), next: optionalText }),
  },
  totalAllPayments: { query: strict({ ...paymentFilterFields, merchantId }), answer: totalsSchema },
  exportAllPayments: { body: strict({ ...paymentFilterFields, merchantId, isRevealed }), ...CSV },
});
