// Switches off an endpoint no one listens at, and leaves its merchant a notice: in one transaction, and nothing else in
// it, so that it is short however much waits for the endpoint.
import { disableEndpoint, type SwitchedOffBecause } from '../../store/callbacks/endpoint-queues.ts';
import { insertNotice } from '../../store/callbacks/notices.ts';
import type { TimedStore } from '../engine.ts';
import { inTimedTransaction } from '../timed-transaction.ts';

export type SwitchOff = {
  readonly endpointId: string;
  readonly url: string;
  readonly because: SwitchedOffBecause;
};

export async function switchOffCallbacks(engine: TimedStore, order: SwitchOff): Promise<void> {
  await inTimedTransaction(engine, async (tx, now) => {
    const endpoint = await disableEndpoint(tx, { ...order, now });
    if (endpoint === null) return;
    const { merchantId, kind, url } = endpoint;
    // Paths and queries of callback addresses often carry a secret of the merchant.
    const detail = { kind, host: new URL(url).host, because: order.because };
    await insertNotice(tx, { merchantId, noticedAt: now, topic: 'CALLBACKS_SWITCHED_OFF', detail });
  });
}
