// Renders sessions and payouts of Wave's fake, in answers and messages.
import type { FakeContext } from '../../sandbox/fakes/kit.ts';
import type { Message } from '../../sandbox/fakes/announcements.ts';
import type { OpenCharge } from '../../sandbox/fakes/books/charge.ts';
import { timedSignatureOf } from '../timed-signature.ts';
import { SEPARATOR } from './wire.ts';

export function renderSession(context: FakeContext, charge: OpenCharge): object {
  const { status, failureCode, acceptedAt, settledAt, transactionId } = charge;
  const ends = {
    PENDING: ['open', 'processing'],
    SUCCESSFUL: ['complete', 'succeeded'],
    FAILED: ['expired', 'cancelled'],
  };
  const [checkout_status, payment_status] = ends[status];
  const expires = new Date(Date.parse(acceptedAt) + 30 * 60_000);
  return {
    id: sessionIdOf(charge),
    amount: charge.amount,
    checkout_status,
    client_reference: referenceOf(charge),
    currency: charge.currency,
    payment_status,
    ...(status === 'SUCCESSFUL' ? { transaction_id: transactionId } : {}),
    ...(failureCode === undefined
      ? {}
      : { last_payment_error: { code: failureCode, message: 'Voir le code.' } }),
    restrict_payer_mobile: `+${charge.phoneNumber}`,
    wave_launch_url: charge.authorizationUrl,
    when_created: acceptedAt,
    when_expires: expires.toISOString(),
    when_completed: settledAt,
    when_refunded: refundOf(context, charge)?.settledAt ?? null,
  };
}

export function renderPayout(charge: OpenCharge): object {
  const { status, failureCode, transactionId, amount, currency, phoneNumber } = charge;
  const words = { PENDING: 'processing', SUCCESSFUL: 'succeeded', FAILED: 'failed' };
  return {
    id: `pt-${transactionId.toLowerCase()}`,
    currency,
    receive_amount: amount,
    fee: '1',
    mobile: `+${phoneNumber}`,
    status: words[status],
    client_reference: referenceOf(charge),
    payout_error:
      failureCode === undefined ? null : { error_code: failureCode, error_message: 'Voir le code.' },
  };
}

/** After a failed payment the payer may try again, so the message comes while the session is open. */
export function renderEvent(context: FakeContext, charge: OpenCharge, secret: string): Message {
  const isPaid = charge.status === 'SUCCESSFUL';
  const data = { ...renderSession(context, charge), ...(isPaid ? {} : { checkout_status: 'open' }) };
  const type = `checkout.session.${isPaid ? 'completed' : 'payment_failed'}`;
  const body = JSON.stringify({ id: `EV_${charge.transactionId}`, type, data });
  const isReported = isPaid || charge.failureCode !== undefined;
  return {
    url: isReported ? charge.notificationUrl : '',
    headers: {
      'content-type': 'application/json',
      'wave-signature': timedSignatureOf(body, { secret, separator: SEPARATOR, at: context.clock.now() }),
    },
    body,
  };
}

export function refundOf({ transactions }: FakeContext, original: OpenCharge): OpenCharge | undefined {
  const isIt = ({ operation, status, message }: OpenCharge) =>
    operation === 'REFUND' && status !== 'FAILED' && message === sessionIdOf(original);
  return transactions.list().find(isIt);
}

/** Repeated sessions are stored in the books under a name of their own. */
export function referenceOf({ reference }: OpenCharge): string {
  return reference.replace(/ \(\d+\)$/, '');
}

export function sessionIdOf({ transactionId }: Pick<OpenCharge, 'transactionId'>): string {
  return `cos-${transactionId.toLowerCase()}`;
}
