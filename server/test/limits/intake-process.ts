// An API process of its own that accepts what it is sent, without HTTP: the batch of a request stays one batch.
import { randomUUID } from 'node:crypto';
import { openGateway } from '../../src/commands/serve/compose.ts';
import { readConfig } from '../../src/config.ts';
import { initiate, type InitiationAnswer, type NotHere } from '../../src/core/payments/accept/initiate.ts';
import { initiateSplit } from '../../src/core/payments/accept/initiate-split.ts';
import type { DirectOrder, InitiationOrder } from '../../src/core/payments/payment-request.ts';
import { renderAmount } from '../../src/domain/money.ts';
import { orderOf } from './limited-merchants.ts';
import type { Counting } from './limits-model.ts';

/** A payment, or a split payment: then it is the collection. */
export type IntakePayment = Counting & {
  /** Of a refund. */
  readonly depositId?: string;
  readonly parts?: readonly Counting[];
};

export type IntakeRequest = {
  readonly batchNo: number;
  readonly merchantId: string;
  /** How far time moves before: first here, a moment later in the other processes. */
  readonly movedMs: number;
  /** Several, or one split payment. */
  readonly payments: readonly IntakePayment[];
};

/** The type of each answer and then that of the first one's repeat, or why it was rejected, or what went wrong. */
export type IntakeAnswer = { readonly batchNo: number; readonly types: readonly string[] };

const gateway = await openGateway(readConfig(), { role: 'api', logTo: 2 });

async function accept({ merchantId, movedMs, payments }: IntakeRequest): Promise<readonly string[]> {
  if (movedMs > 0) await gateway.movableClock!.move(movedMs);
  const [first] = payments;
  if (first?.parts !== undefined) return acceptSplit(merchantId, first, first.parts);
  const orders = await Promise.all(payments.map((payment) => orderFor(merchantId, payment)));
  // A repeat in the same batch must not count.
  const repeats = orders.slice(0, 1).map((order) => ({ ...order, paymentNo: randomUUID() }));
  return (await initiate(gateway.engine, [...orders, ...repeats])).map(typeOf);
}

/** Only limits may refuse. */
function typeOf(answer: InitiationAnswer | NotHere): string {
  return answer.type === 'REJECTED' ? answer.reason.failureMessage : answer.type;
}

async function acceptSplit(
  merchantId: string,
  collection: Counting,
  parts: readonly Counting[],
): Promise<readonly string[]> {
  const { kind: _, ...order } = await directOrder(merchantId, collection);
  const split = { ...order, parts: await Promise.all(parts.map((part) => directOrder(merchantId, part))) };
  const first = await initiateSplit(gateway.engine, split);
  const repeated = await initiateSplit(gateway.engine, { ...split, paymentNo: randomUUID() });
  return [first, repeated].map(typeOf);
}

async function orderFor(
  merchantId: string,
  { depositId, ...payment }: IntakePayment,
): Promise<InitiationOrder> {
  const order = await directOrder(merchantId, payment);
  if (depositId === undefined) return order;
  const { provider: _, details: __, ...refund } = order;
  return { ...refund, kind: 'REFUND', depositId, details: {} };
}

function directOrder(merchantId: string, payment: Counting): Promise<DirectOrder> {
  const { kind, paymentId: writtenId, amount, currency, provider, phoneNumber, tokenId } = payment;
  const amountText = renderAmount(amount);
  return orderOf(gateway.engine, merchantId, {
    kind: kind === 'REFUND' ? 'PAYOUT' : kind,
    writtenId,
    amount,
    amountText,
    currency,
    provider,
    details: { phoneNumber },
    ...(tokenId !== undefined && { tokenId }),
  });
}

process.on('message', (request: IntakeRequest) => void respond(request));

async function respond(request: IntakeRequest): Promise<void> {
  const types = await accept(request).catch((error: unknown) => [String(error)]);
  // A test that has failed waits for no answer.
  if (process.connected) process.send?.({ batchNo: request.batchNo, types } satisfies IntakeAnswer);
}

process.on('disconnect', () => void gateway.stop());
process.send?.('ready');
