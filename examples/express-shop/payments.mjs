// What is sent to the gateway, and what its records mean for an order.
import { Malipo } from '@malipo/sdk';
import { endRefund, findByDeposit, findByRefund, markFailed, markPaid } from './orders.mjs';

export const malipo = new Malipo({
  baseUrl: process.env.MALIPO_URL ?? 'http://127.0.0.1:8080',
  token: process.env.MALIPO_TOKEN ?? '',
  // A customer does not wait longer, and check-orders.mjs goes on.
  retryForMs: 5_000,
});

/** Asks the customer for the money. It may be called again: the identifier is that of the order. */
export async function collect({ id, depositId, amount, currency, provider, phoneNumber }) {
  const started = await malipo.deposits.create({
    depositId,
    amount,
    currency,
    payer: { type: 'MMO', accountDetails: { provider, phoneNumber } },
    clientReferenceId: id,
  });
  if (started.outcome === 'rejected') markFailed(id, started.failureReason.failureCode);
  // Otherwise the callback or check-orders.mjs brings the end.
}

/** Gives the money back. It may be called again, too. */
export async function refund({ id, refundId, depositId }) {
  const started = await malipo.refunds.create({ refundId, depositId });
  if (started.outcome === 'rejected') endRefund(id, false);
}

/** Takes over what a deposit says, from a callback or an answer. */
export function settleDeposit(deposit) {
  const order = findByDeposit(deposit.depositId);
  // A deposit of another program with the same account, or not the payment that was asked for.
  if (order === undefined || deposit.amount !== order.amount || deposit.currency !== order.currency) return;
  if (deposit.paid) markPaid(order.id);
  else if (deposit.isFinal) markFailed(order.id, deposit.failureReason.failureCode);
}

export function settleRefund(record) {
  const order = findByRefund(record.refundId);
  if (order !== undefined && record.isFinal) endRefund(order.id, record.paid === true);
}

/** For an order whose callback has not come: what the gateway knows, or the request again. */
export async function check(order) {
  if (order.status === 'REFUNDING') {
    const answer = await malipo.refunds.get(order.refundId);
    return answer.found ? settleRefund(answer.payment) : refund(order);
  }
  const answer = await malipo.deposits.get(order.depositId);
  return answer.found ? settleDeposit(answer.payment) : collect(order);
}
