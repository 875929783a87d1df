// Who a payout would reach, as far as the operator says. Only masked.
import { Type } from 'typebox';
import { BATCH_ROWS_MAX } from '../../../domain/payments/payout-batch.ts';
import { batchPath, recipientFields } from './payout-batch.ts';
import { describeCalls, merchantPath, orNull, strict } from '../shape.ts';

const STATUSES = ['ACTIVE', 'NOT_ACTIVE', 'UNKNOWN', 'NOT_OFFERED'] as const;

const holderSchema = strict({
  /** NOT_ACTIVE: no account, or one that cannot receive money. NOT_OFFERED: the operator cannot be asked. */
  status: Type.Enum([...STATUSES], { type: 'string' }),
  /** The first letters of the account holder's name. Null: the operator gave none. */
  name: orNull(Type.String()),
});

export const payoutHolderCalls = describeCalls({
  lookUpPayoutHolder: { path: merchantPath, body: strict(recipientFields), answer: holderSchema },
  lookUpBatchHolder: {
    path: batchPath,
    body: strict({ row: Type.Integer({ minimum: 1, maximum: BATCH_ROWS_MAX }) }),
    answer: holderSchema,
  },
});
