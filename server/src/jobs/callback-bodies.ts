// The bodies of due callbacks, made from what they announce. A final record never changes, so neither does its body.
import { renderCallback } from '../callbacks/render.ts';
import { renderSplitCallback } from '../callbacks/render-split.ts';
import type { Engine } from '../core/engine.ts';
import { findSplit } from '../core/read-split.ts';
import { lockOrder, type PaymentKey } from '../domain/payment.ts';
import type { DueCallback } from '../store/callbacks.ts';
import { listPayments } from '../store/payments.ts';
import { loadDataKeys } from '../store/store.ts';
import { togetherOrAlone } from '../core/together-or-alone.ts';

/** By callback id. One that cannot be rendered is left out and costs only itself. */
export async function renderBodies(
  engine: Engine,
  callbacks: readonly DueCallback[],
  onError: (error: unknown) => void,
): Promise<ReadonlyMap<string, string>> {
  const render = async (some: readonly DueCallback[]) => [...(await renderTogether(engine, some))];
  return new Map(await togetherOrAlone(callbacks, render, onError));
}

async function renderTogether(
  engine: Engine,
  callbacks: readonly DueCallback[],
): Promise<ReadonlyMap<string, string>> {
  await loadDataKeys(
    engine.store,
    callbacks.map(({ merchantId }) => merchantId),
  );
  const keys = callbacks.filter(isOfPayment);
  const payments = await listPayments(engine.store.database, engine.store.keyring, keys);
  const byName = new Map(payments.map((payment) => [lockOrder(payment), payment]));
  const bodies = new Map<string, string>();
  for (const callback of callbacks) {
    const payment = byName.get(lockOrder(callback));
    const body =
      payment === undefined
        ? await renderSplit(engine, callback)
        : renderCallback(payment, callback.announcedState);
    bodies.set(callback.callbackId, body);
  }
  return bodies;
}

function isOfPayment(callback: DueCallback): callback is DueCallback & PaymentKey {
  return callback.kind !== 'SPLIT_PAYMENT';
}

async function renderSplit(engine: Engine, callback: DueCallback): Promise<string> {
  const view = await findSplit(engine, { merchantId: callback.merchantId, writtenId: callback.paymentId });
  if (view === null) throw new Error(`callback ${callback.callbackId} is about nothing`);
  return renderSplitCallback({ ...view, writtenId: view.split.writtenId });
}
