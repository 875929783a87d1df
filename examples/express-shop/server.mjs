// The addresses of the shop.
import express from 'express';
import { CallbackVerifier } from '@malipo/sdk/callbacks';
import { countDeliveries, createOrder, findOrder, startRefund } from './orders.mjs';
import { collect, malipo, refund, settleDeposit, settleRefund } from './payments.mjs';

const port = Number(process.env.PORT ?? 3000);
/** The address at which the gateway reaches the shop; behind a proxy it is the proxy's. */
const publicUrl = process.env.SHOP_URL ?? `http://127.0.0.1:${port}`;
const verifier = new CallbackVerifier({
  // Another merchant of the gateway can use the identifiers of this shop.
  merchantId: process.env.MALIPO_MERCHANT_ID ?? '',
  readKeys: () => malipo.publicKeys.list(),
});
const app = express();

// The signature covers the bytes of the body, so it must not be parsed before it is verified.
app.post('/callbacks', express.raw({ type: () => true }), async (request, response) => {
  const url = `${publicUrl}${request.originalUrl}`;
  const received = { url, headers: request.headers, body: request.body ?? '' };
  // The keys cannot be read now: the gateway tries again after 503.
  const callback = await verifier.verify(received).catch(() => null);
  if (callback === null) return response.sendStatus(503);
  if (!callback.verified) return response.sendStatus(401);
  if (callback.kind === 'deposit') settleDeposit(callback.payment);
  if (callback.kind === 'refund') settleRefund(callback.payment);
  return response.sendStatus(200);
});

app.post('/orders', express.json({ type: () => true }), async (request, response) => {
  const { provider, phoneNumber } = request.body ?? {};
  if (typeof provider !== 'string' || typeof phoneNumber !== 'string') return response.sendStatus(400);
  // The shop knows its price; the browser does not set it.
  const order = createOrder({ amount: '1000', currency: 'RWF', provider, phoneNumber });
  // The order is stored, so check-orders.mjs goes on with it after a problem.
  await collect(order).catch(console.error);
  return show(order.id, response);
});

app.get('/orders/:id', (request, response) => show(request.params.id, response));

// In a real shop only staff may do this.
app.post('/orders/:id/refund', async (request, response) => {
  const { id } = request.params;
  // Of two requests at the same time one starts the refund.
  if (startRefund(id)) await refund(findOrder(id)).catch(console.error);
  return show(id, response);
});

function show(id, response) {
  const order = findOrder(id);
  if (order === undefined) return response.sendStatus(404);
  const { depositId, refundId, status, failureCode } = order;
  return response.json({ id, depositId, refundId, status, failureCode, deliveries: countDeliveries(id) });
}

app.listen(port, '127.0.0.1');
