// The bodies of due callbacks, made from what they announce. Each is kept before it is first sent, so that every
// attempt at one event has the same bytes, whatever was the outcome of the payment meanwhile.
import { renderCallback } from '../../callbacks/render.ts';
import { renderCheckoutCallback } from '../../callbacks/render-checkout.ts';
import { renderSplitCallback } from '../../callbacks/render-split.ts';
import { renderStatementCallback } from '../../callbacks/render-statement.ts';
import type { Engine } from '../../core/engine.ts';
import { readCheckout } from '../../core/checkouts/read-checkout.ts';
import { findSplit } from '../../core/payments/read/read-split.ts';
import { readStatement } from '../../core/statements/read-wallet-statement.ts';
import { paymentKeyText, PAYMENT_KINDS, type PaymentKey } from '../../domain/payments/payment.ts';
import { keepBodies, type DueCallback } from '../../store/callbacks/callbacks.ts';
import { listPayments } from '../../store/payments/payments.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { togetherOrAlone } from '../../core/together-or-alone.ts';
import { reportAbout } from '../../core/payment-log.ts';

/** Gives every callback its body. One that cannot be rendered stays without and costs only itself. */
export async function withBodies(
  engine: Engine,
  callbacks: readonly DueCallback[],
  onError: (error: unknown) => void,
): Promise<readonly DueCallback[]> {
  await loadDataKeys(
    engine.store,
    callbacks.map(({ merchantId }) => merchantId),
  );
  const bare = callbacks.filter(
    ({ encryptedBody, isSwitchedOff }) => encryptedBody === null && !isSwitchedOff,
  );
  if (bare.length === 0) return callbacks;
  const render = async (some: readonly DueCallback[]) => [...(await renderTogether(engine, some))];
  const bodies = new Map(await togetherOrAlone(bare, render, reportAbout(onError)));
  const rendered = bare.flatMap((callback) => {
    const body = bodies.get(callback.callbackId);
    return body === undefined ? [] : { callback, body };
  });
  const { database, keyring } = engine.store;
  const kept = await keepBodies(database, keyring, rendered);
  const byId = new Map(kept.map((callback) => [callback.callbackId, callback]));
  return callbacks.map((callback) => byId.get(callback.callbackId) ?? callback);
}

async function renderTogether(
  engine: Engine,
  callbacks: readonly DueCallback[],
): Promise<ReadonlyMap<string, string>> {
  const keys = callbacks.filter(isOfPayment).map(({ merchantId, kind, paymentId, subjectId }) => ({
    merchantId,
    kind,
    paymentId,
    paymentNo: subjectId,
  }));
  const payments = await listPayments(engine.store.database, engine.store.keyring, keys);
  const byName = new Map(payments.map((payment) => [paymentKeyText(payment), payment]));
  const bodies = new Map<string, string>();
  for (const callback of callbacks) {
    const payment = byName.get(paymentKeyText(callback));
    const body =
      payment === undefined
        ? await renderOther(engine, callback)
        : renderCallback(payment, callback.announcedState);
    bodies.set(callback.callbackId, body);
  }
  return bodies;
}

function isOfPayment(callback: DueCallback): callback is DueCallback & PaymentKey {
  return (PAYMENT_KINDS as readonly string[]).includes(callback.kind);
}

/** What consists of several payments, or of none. */
function renderOther(engine: Engine, callback: DueCallback): Promise<string> {
  if (callback.kind === 'CHECKOUT') return renderCheckout(engine, callback);
  if (callback.kind === 'STATEMENT') return renderStatement(engine, callback);
  return renderSplit(engine, callback);
}

async function renderStatement(engine: Engine, callback: DueCallback): Promise<string> {
  const { merchantId, paymentId: writtenId } = callback;
  const view = await readStatement(engine, { merchantId, writtenId });
  if (view === null) throw new Error(`callback ${callback.callbackId} is about nothing`);
  return renderStatementCallback(view);
}

async function renderCheckout(engine: Engine, callback: DueCallback): Promise<string> {
  const view = await readCheckout(engine, {
    merchantId: callback.merchantId,
    writtenId: callback.paymentId,
  });
  if (view === null) throw new Error(`callback ${callback.callbackId} is about nothing`);
  return renderCheckoutCallback(view);
}

async function renderSplit(engine: Engine, callback: DueCallback): Promise<string> {
  const view = await findSplit(engine, { merchantId: callback.merchantId, writtenId: callback.paymentId });
  if (view === null) throw new Error(`callback ${callback.callbackId} is about nothing`);
  return renderSplitCallback({ ...view, writtenId: view.split.writtenId });
}
