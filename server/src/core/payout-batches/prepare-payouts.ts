// Prepares payouts that a person ordered: all are checked before anything is written, and nothing is sent. Identifiers
// are made here and never again, so that anyone who sends a row twice makes one payout.
import { randomUUID } from 'node:crypto';
import type { ApiVersion } from '../../domain/payments/payment.ts';
import {
  ALONE_WINDOW_MS,
  needsSecondApprover,
  type ApprovalLimits,
  type BatchSource,
  type RowFault,
} from '../../domain/payments/payout-batch.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { insertBatchRows, type PayoutOrder } from '../../store/payout-batches/payout-batch-rows.ts';
import {
  findBatchOfContent,
  insertBatch,
  lockAlone,
  sumAlone,
  type Preparer,
} from '../../store/payout-batches/payout-batches.ts';
import { drawPaymentNo, timedUuid } from '../../store/timed-uuid.ts';
import { record } from '../audit.ts';
import { checkPayouts, type CheckedPayout, type NumberedPayout, type PayoutCheck } from './check-payouts.ts';
import type { Engine } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import { fingerprintOf, fingerprintsOf } from '../payments/fingerprint.ts';
import { requestBatch } from './approve-payouts.ts';
import { byCurrency } from './one-person-rule.ts';
import { readLimits } from './payout-limits.ts';
import { addMs } from '../../domain/time.ts';

export type PrepareOrder = {
  readonly merchant: Merchant;
  readonly actor: Preparer;
  readonly source: BatchSource;
  readonly apiVersion: ApiVersion;
  readonly title: string;
  readonly payouts: readonly NumberedPayout[];
  /** What reading the file found. */
  readonly faults: readonly RowFault[];
  /** Whether payouts that look like one written twice are meant. */
  readonly repeatsAreMeant: boolean;
  readonly hostLimits: ApprovalLimits;
};

export type Prepared = PayoutCheck & {
  /** Null where nothing was prepared: there are faults, or repeats that no one said are meant. */
  readonly batchId: string | null;
  /** A batch that pays the same to the same. */
  readonly sameAs: string | null;
};

export async function preparePayouts(engine: Engine, order: PrepareOrder): Promise<Prepared> {
  const { merchant, payouts } = order;
  const { merchantId } = merchant;
  const check = await checkPayouts(engine, merchant, payouts);
  const faults = [...order.faults, ...check.faults].toSorted((a, b) => a.rowNo - b.rowNo);
  const content = check.checked.map(contentOf);
  const contentHashes = fingerprintsOf(engine, merchantId, content);
  const { database } = engine.store;
  const sameAs = faults.length > 0 ? null : await findBatchOfContent(database, { merchantId, contentHashes });
  const answer = { ...check, faults, sameAs };
  const isRepeat = check.same.length > 0 || sameAs !== null;
  if (faults.length > 0 || (isRepeat && !order.repeatsAreMeant)) return { ...answer, batchId: null };
  return {
    ...answer,
    batchId: await write(engine, order, check, fingerprintOf(engine, merchantId, content)),
  };
}

async function write(
  engine: Engine,
  { merchant, actor, source, apiVersion, title, hostLimits }: PrepareOrder,
  { checked, sums }: PayoutCheck,
  contentHash: Buffer,
): Promise<string> {
  const { merchantId } = merchant;
  const { database, keyring } = engine.store;
  await loadDataKeys(engine.store, [merchantId]);
  const rowCount = checked.length;
  return inMerchant(database, merchantId, async (tx) => {
    await lockAlone(tx, merchantId);
    const preparedAt = await engine.clock.timeOf(tx);
    const batchId = timedUuid(preparedAt);
    const key = { merchantId, batchId };
    const alone = await sumAlone(tx, { merchantId, since: addMs(preparedAt, -ALONE_WINDOW_MS) });
    const limits = await readLimits(tx, merchantId, hostLimits);
    const needsApproval = needsSecondApprover(byCurrency(sums), { limits, alone });
    await insertBatch(tx, keyring, {
      ...key,
      source,
      apiVersion,
      title,
      contentHash,
      rowCount,
      preparedBy: actor,
      preparedAt,
      needsApproval,
      sums,
    });
    await insertBatchRows(
      tx,
      keyring,
      checked.map((row) => ({
        ...row,
        ...key,
        payoutId: randomUUID(),
        paymentNo: drawPaymentNo(),
        order: orderOf(row),
      })),
    );
    if (needsApproval) await requestBatch(engine, tx, { ...key, preparedBy: actor, rowCount, sums });
    const detail = { source, rowCount, needsApproval };
    await record(engine, tx, [
      { by: actor.by, act: 'PAYOUTS_PREPARED', merchantId, subject: batchId, detail },
    ]);
    return batchId;
  });
}

/** What is paid to whom, whatever it is called. */
export function contentOf({
  phoneNumber,
  provider,
  currency,
  amount,
}: Pick<CheckedPayout, 'phoneNumber' | 'provider' | 'currency' | 'amount'>) {
  return { phoneNumber, provider, currency, amount };
}

function orderOf({ phoneNumber, payout }: CheckedPayout): PayoutOrder {
  const { amountText, recipientName, customerMessage, clientReferenceId, metadata } = payout;
  return {
    phoneNumber,
    amountText,
    ...(recipientName !== undefined && { recipientName }),
    ...(customerMessage !== undefined && { customerMessage }),
    ...(clientReferenceId !== undefined && { clientReferenceId }),
    ...(metadata !== undefined && { metadata }),
  };
}
