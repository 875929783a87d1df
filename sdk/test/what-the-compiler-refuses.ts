// What the compiler must refuse. Nothing here runs: `npm run check` compiles it, and a line that stops being an error
// makes it fail. The rule behind all of them: FOUND, accepted and ACCEPTED are not paid.
import type { Completed, Deposit, Found, Malipo, Started } from '@malipo/sdk';
import type { VerifiedCallback, RefusedCallback } from '@malipo/sdk/callbacks';

declare const malipo: Malipo;
declare function ship(paid: Extract<Deposit, { readonly paid: true }>): void;

export async function foundIsNotPaid(found: Found<Deposit>): Promise<void> {
  // @ts-expect-error The answer to a status check has no status; that word belongs to the payment.
  console.log(found.status === 'COMPLETED');
  // @ts-expect-error Nor is it a payment.
  ship(found);
  // @ts-expect-error There is no payment before it is known that one was found.
  ship(found.payment);
  if (!found.found) return;
  // @ts-expect-error A payment that was found is not paid by that.
  ship(found.payment);
  // @ts-expect-error FOUND is no status of a payment.
  if (found.payment.status === 'FOUND') return;
  // @ts-expect-error A payment in progress has no reason of failure.
  if (found.payment.status === 'PROCESSING') console.log(found.payment.failureReason);
  // @ts-expect-error FAILED is not paid.
  if (found.payment.status === 'FAILED') ship(found.payment);
  // @ts-expect-error Nor is final.
  if (found.payment.isFinal) ship(found.payment);
  // Both ways of asking rightly:
  if (found.payment.status === 'COMPLETED') ship(found.payment);
  if (found.payment.paid) ship(found.payment);
}

export async function acceptedIsNotPaid(started: Started): Promise<void> {
  // @ts-expect-error An outcome has no status either.
  console.log(started.status);
  // @ts-expect-error There is no outcome "paid".
  if (started.outcome === 'paid') return;
  // @ts-expect-error COMPLETED is no outcome of a request.
  if (started.outcome === 'COMPLETED') return;
  // @ts-expect-error Only a rejected one has a reason.
  console.log(started.failureReason);
  // @ts-expect-error A request that no one knows anything of has no time of acceptance.
  if (started.outcome === 'unknown') console.log(started.created);
  // @ts-expect-error An accepted request is not a payment.
  if (started.outcome === 'accepted') ship(started);
}

export async function waitingMayEndEarly(): Promise<void> {
  const payment = await malipo.deposits.waitForFinal('');
  // @ts-expect-error It may still be in progress.
  ship(payment);
  // @ts-expect-error What it still is is not how it ended.
  console.log(payment.status);
  if (!payment.isFinal) return console.log(payment.still);
  // @ts-expect-error The end may be FAILED.
  ship(payment);
  if (payment.paid) return ship(payment);
  console.log(payment.failureReason.failureCode);
}

export async function statementsAreNotMoney(): Promise<void> {
  const statement = await malipo.statements.waitForFinal('');
  // @ts-expect-error A statement that is COMPLETED has paid no one.
  if (statement.isFinal && statement.status === 'COMPLETED') statement.paid satisfies true;
}

export function unverifiedSaysNothing(callback: VerifiedCallback | RefusedCallback): void {
  // @ts-expect-error What is not verified has no payment.
  console.log(callback.payment);
  if (!callback.verified || callback.kind !== 'deposit') return;
  // @ts-expect-error A callback may say that it FAILED, or tell of the redirection.
  ship(callback.payment);
  if (callback.payment.paid) ship(callback.payment);
}

export async function ordersAreChecked(): Promise<void> {
  const accountDetails = { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' };
  const payer = { type: 'MMO', accountDetails } as const;
  // @ts-expect-error An amount is a text: a number has lost what it cannot hold.
  await malipo.deposits.create({ amount: 100, currency: 'RWF', payer });
  // @ts-expect-error A payout has a recipient.
  await malipo.payouts.create({ amount: '100', currency: 'RWF', payer });
  // @ts-expect-error Deposits cannot be cancelled.
  await malipo.deposits.cancel('');
}

/** Only a record that says COMPLETED is one; a record of another status cannot be declared to be it. */
export const never = { status: 'FOUND', isFinal: true, paid: true } as const;
// @ts-expect-error FOUND is not COMPLETED.
never satisfies Completed<object>;

export async function listsTakeOneSearch(): Promise<void> {
  // @ts-expect-error At most one of client reference, metadata and phone number.
  malipo.deposits.list({ clientReferenceId: 'a', phoneNumber: '250783456789' });
  // @ts-expect-error A deposit is never ENQUEUED.
  malipo.deposits.list({ status: 'ENQUEUED' });
  for await (const deposit of malipo.deposits.list({ status: 'COMPLETED' })) {
    // @ts-expect-error What is listed is not paid by that.
    ship(deposit);
    if (deposit.paid) ship(deposit);
  }
  for await (const remittance of malipo.remittances.list()) {
    // @ts-expect-error A list may leave out who sends the money.
    console.log(remittance.sender.senderDetails);
  }
}
