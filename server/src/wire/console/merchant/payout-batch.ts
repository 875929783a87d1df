// Payout batches: creating, checking, viewing and approving them.
import { Type, type Static } from 'typebox';
import {
  BATCH_ROW_STATUSES,
  BATCH_SOURCES,
  BATCH_STATUSES,
  type WrittenPayout,
} from '../../../domain/payments/payout-batch.ts';
import { amountSchema, currencySchema } from '../../v2/amount.ts';
import { customerMessageSchema } from '../../v2/customer-message.ts';
import { clientReferenceIdSchema } from '../../v2/identifier.ts';
import { approvalSchema } from '../approval.ts';
import { pageOf, pageQuery } from '../page.ts';
import { recipientNameSchema, writtenNumberSchema } from './payout-file.ts';
import {
  DONE,
  merchantPath,
  orNull,
  outcomeSchema,
  strict,
  timeSchema,
  type Shape,
  describeCalls,
  arrayOf,
} from '../shape.ts';

/** Ten thousand rows with long references; a typical file has a tenth of that. */
export const FILE_BYTES_MAX = 8_388_608;
const titleSchema = Type.String({ minLength: 1, maxLength: 100 });
export const batchPath = strict({ ...merchantPath.properties, batchId: Type.String({ format: 'uuid' }) });
const countSchema = Type.Integer({ minimum: 0 });
const statusSchema = Type.Enum([...BATCH_STATUSES], { type: 'string' });

const parametersSchema = Type.Object({}, { additionalProperties: Type.String() });

const sumSchema = strict({
  country: Type.String(),
  currency: Type.String(),
  /** Null if the wallet is not tied to one provider. */
  provider: orNull(Type.String()),
  count: countSchema,
  amount: Type.String(),
  fee: Type.String(),
});

const walletSumSchema = strict({ ...sumSchema.properties, available: Type.String() });

export const preparedSchema = strict({
  /** Null if nothing was prepared: there are errors, or possible duplicates that were not confirmed. */
  batchId: orNull(Type.String()),
  rowCount: countSchema,
  faultCount: countSchema,
  /** The first ones. `row` 0 is the whole file. */
  faults: arrayOf({
    row: countSchema,
    column: Type.String(),
    code: Type.String(),
    parameters: parametersSchema,
  }),
  /** Rows that may be duplicates. */
  repeats: arrayOf({
    same: Type.Enum(['RECIPIENT_AND_AMOUNT', 'CLIENT_REFERENCE'], { type: 'string' }),
    rows: Type.Array(countSchema),
  }),
  /** A batch that pays the same amounts to the same recipients. */
  sameAsBatchId: orNull(Type.String()),
  wallets: Type.Array(walletSumSchema),
});

const batchFields = {
  batchId: Type.String(),
  title: Type.String(),
  source: Type.Enum([...BATCH_SOURCES], { type: 'string' }),
  status: statusSchema,
  count: countSchema,
  acceptedCount: countSchema,
  rejectedCount: countSchema,
  cancelledCount: countSchema,
  preparedBy: Type.String(),
  preparedAt: timeSchema,
  needsApproval: Type.Boolean(),
  cancelledBy: orNull(Type.String()),
  endedAt: orNull(timeSchema),
};

const listedSchema = strict({ ...batchFields, sums: Type.Array(sumSchema) });

const batchSchema = strict({
  ...batchFields,
  /** Whether the reader prepared it, and so cannot approve it. */
  isOwn: Type.Boolean(),
  /** The preparer's approval request: pending, or approved. */
  approval: orNull(approvalSchema),
  wallets: Type.Array(walletSumSchema),
  /** How many of its payouts are in each state. */
  states: Type.Record(Type.String(), countSchema),
});

export const rowSchema = strict({
  row: countSchema,
  payoutId: Type.String(),
  phoneNumber: Type.String(),
  recipientName: orNull(
    Type.String({
      description: 'For those who prepare or approve payouts, and those who asked for personal data.',
    }),
  ),
  provider: Type.String(),
  currency: Type.String(),
  amount: Type.String(),
  fee: Type.String(),
  clientReferenceId: orNull(Type.String()),
  status: Type.Enum([...BATCH_ROW_STATUSES], { type: 'string' }),
  /** The state of the payout, once it exists. */
  state: orNull(Type.String()),
  failureCode: orNull(Type.String()),
  providerTransactionId: orNull(Type.String()),
});

/** Who is paid, as people write it. */
export const recipientFields = {
  phoneNumber: writtenNumberSchema,
  provider: Type.Optional(Type.String({ pattern: '^[A-Z0-9_]{1,40}$' })),
  /** Where the number has no country code. */
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
};

const formFields = {
  ...recipientFields,
  amount: amountSchema,
  currency: currencySchema,
  recipientName: Type.Optional(recipientNameSchema),
  customerMessage: Type.Optional(customerMessageSchema),
  clientReferenceId: Type.Optional(clientReferenceIdSchema),
};

const batchFileShape = {
  path: batchPath,
  answer: strict({ fileName: Type.String(), file: Type.String() }),
} satisfies Shape;

export const payoutBatchCalls = describeCalls({
  preparePayoutBatch: {
    path: merchantPath,
    body: strict({
      title: titleSchema,
      /** CSV with a header row. */
      file: Type.String({ maxLength: FILE_BYTES_MAX }),
      /** Whether possible duplicates are intended. */
      repeatsAreMeant: Type.Optional(Type.Boolean()),
    }),
    answer: preparedSchema,
  },
  preparePayout: {
    path: merchantPath,
    body: strict({ ...formFields, repeatsAreMeant: Type.Optional(Type.Boolean()) }),
    answer: preparedSchema,
  },
  listPayoutBatches: {
    path: merchantPath,
    query: strict({ ...pageQuery, status: Type.Optional(statusSchema) }),
    answer: pageOf(listedSchema),
  },
  readPayoutBatch: { path: batchPath, answer: batchSchema },
  listPayoutBatchRows: {
    path: batchPath,
    query: strict(pageQuery),
    answer: pageOf(rowSchema),
  },
  revealPayoutBatchRows: {
    path: batchPath,
    body: strict(pageQuery),
    answer: pageOf(rowSchema),
  },
  readPayoutResults: batchFileShape,
  revealPayoutResults: batchFileShape,
  sendPayoutBatch: { path: batchPath, answer: strict({ outcome: outcomeSchema }) },
  cancelPayoutBatch: {
    path: batchPath,
    body: strict({ reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })) }),
    answer: DONE,
  },
});

/** A payout of the form. */
export function readForm(body: Static<typeof payoutBatchCalls.preparePayout.body>): WrittenPayout {
  const { amount: amountText, provider = null, repeatsAreMeant: _meant, ...payout } = body;
  return { ...payout, amountText, provider };
}
