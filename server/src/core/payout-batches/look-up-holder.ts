// Who a payout would reach, for the people who prepare and approve it. The operator is asked; its answer is masked
// here, kept nowhere, and decides nothing. That somebody asked is recorded first.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connector, HolderAnswer, HolderQuestion } from '../../connectors/port.ts';
import { maskName, maskPhoneNumber } from '../../domain/masking.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import type { RowFault, WrittenPayout } from '../../domain/payments/payout-batch.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { listBatchRows } from '../../store/payout-batches/payout-batch-rows.ts';
import { findBatch, type BatchKey } from '../../store/payout-batches/payout-batches.ts';
import { record } from '../audit.ts';
import type { Engine } from '../engine.ts';
import type { BatchRefusal } from './approve-payouts.ts';
import { findRecipient, type WrittenRecipient } from './check-payouts.ts';

export type FoundHolder = {
  readonly type: 'ASKED';
  /** NOT_OFFERED: this provider's operator has no such question, and was not asked. */
  readonly status: HolderAnswer['status'] | 'NOT_OFFERED';
  /** Masked. */
  readonly name: string | null;
};

/** Of a payout in a batch that still waits. */
export async function lookUpRowHolder(
  engine: Engine,
  order: BatchKey & { readonly rowNo: number; readonly actor: ActingPerson },
): Promise<FoundHolder | BatchRefusal> {
  const { database, keyring } = engine.store;
  await loadDataKeys(engine.store, [order.merchantId]);
  const batch = await findBatch(database, keyring, order);
  if (batch === null) return { type: 'NOT_FOUND' };
  if (batch.status !== 'WAITING') return { type: 'NOT_NOW', status: batch.status };
  const [row] = await listBatchRows(database, keyring, { ...batch, afterNo: order.rowNo - 1, countMax: 1 });
  if (row?.rowNo !== order.rowNo) return { type: 'NOT_FOUND' };
  const { provider, currency } = row;
  const { phoneNumber } = row.order;
  return lookUp(engine, { ...order, subject: batch.batchId, provider, currency, phoneNumber });
}

/** Of a payout that somebody is writing. */
export async function lookUpWrittenHolder(
  engine: Engine,
  order: { readonly merchant: Merchant; readonly written: WrittenRecipient; readonly actor: ActingPerson },
): Promise<FoundHolder | { readonly type: 'FAULT'; readonly column: RowFault['column'] }> {
  const { merchant, written, actor } = order;
  const recipient = findRecipient(engine, merchant, written);
  if ('column' in recipient) return { type: 'FAULT', column: recipient.column };
  const { merchantId } = merchant;
  const currency = findProvider(recipient.provider)?.currencies[0]?.currency ?? '';
  return lookUp(engine, { ...recipient, merchantId, actor, currency, subject: 'new payout' });
}

type LookUp = Pick<HolderQuestion, 'provider' | 'currency'> &
  Pick<WrittenPayout, 'phoneNumber'> & {
    readonly merchantId: string;
    readonly actor: ActingPerson;
    readonly subject: string;
  };

async function lookUp(engine: Engine, order: LookUp): Promise<FoundHolder> {
  const { merchantId, actor, subject, provider, currency, phoneNumber } = order;
  const connector = engine.connectors.get(engine.connectorOf(provider, 'PAYOUT') ?? '');
  if (connector?.holder === undefined) return { type: 'ASKED', status: 'NOT_OFFERED', name: null };
  const detail = { provider, phoneNumber: maskPhoneNumber(phoneNumber) };
  await record(engine, engine.store.database, [
    { by: actor.by, act: 'PAYOUT_HOLDER_LOOKED_UP', merchantId, subject, detail },
  ]);
  const country = findProvider(provider)?.country ?? '';
  const { status, name } = await ask(connector.holder, { provider, country, currency, phoneNumber });
  return { type: 'ASKED', status, name: name === null ? null : maskName(name) };
}

/** Two calls of three seconds at most, and the wait for a token. Somebody is waiting in front of a screen. */
const ANSWERS_WITHIN_MS = 5_000;
const UNKNOWN: HolderAnswer = { status: 'UNKNOWN', name: null };

async function ask(
  holder: NonNullable<Connector['holder']>,
  question: HolderQuestion,
): Promise<HolderAnswer> {
  return Promise.race([holder(question), sleep(ANSWERS_WITHIN_MS, UNKNOWN, { ref: false })]);
}
