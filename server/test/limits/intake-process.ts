// An API process of its own that accepts what it is sent, without HTTP: the batch of a request stays one batch.
import { randomUUID } from 'node:crypto';
import { openGateway } from '../../src/commands/serve/compose.ts';
import { readConfig } from '../../src/config.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import type { DirectOrder } from '../../src/core/payments/payment-request.ts';
import { orderOf } from './limited-merchants.ts';

export type IntakeRequest = {
  readonly batchNo: number;
  readonly merchantId: string;
  readonly payments: readonly {
    readonly kind: DirectOrder['kind'];
    readonly paymentId: string;
    readonly amount: bigint;
    readonly phoneNumber: string;
    readonly tokenId: string;
  }[];
};

/** The type of each answer and then that of the first one's repeat, or what went wrong. */
export type IntakeAnswer = { readonly batchNo: number; readonly types: readonly string[] };

const gateway = await openGateway(readConfig(), { role: 'api', logTo: 2 });

async function accept({ merchantId, payments }: IntakeRequest): Promise<readonly string[]> {
  const orders = await Promise.all(
    payments.map(({ kind, paymentId: writtenId, amount, phoneNumber, tokenId }) =>
      orderOf(gateway.engine, merchantId, { kind, writtenId, amount, details: { phoneNumber }, tokenId }),
    ),
  );
  // A repeat in the same batch must not count.
  const repeats = orders.slice(0, 1).map((order) => ({ ...order, paymentNo: randomUUID() }));
  return (await initiate(gateway.engine, [...orders, ...repeats])).map(({ type }) => type);
}

process.on('message', (request: IntakeRequest) => {
  void accept(request)
    .catch((error: unknown) => [String(error)])
    .then((types) => process.send?.({ batchNo: request.batchNo, types } satisfies IntakeAnswer));
});
process.on('disconnect', () => void gateway.stop());
process.send?.('ready');
