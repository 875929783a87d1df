// Split payments: the splits are payouts, and get identifiers too.
import type { Fields } from './answer.ts';
import type { NextStep, SplitPayment, SplitPaymentRequest } from './api.ts';
import { Resource, withoutUndefined } from './resource.ts';

/**
 * One payment that is shared out. The shares are payouts, and get identifiers of their own.
 *
 * @example
 * ```ts
 * const started = await malipo.splitPayments.create({
 *   amount: '100',
 *   currency: 'RWF',
 *   payer: { type: 'MMO', accountDetails: { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' } },
 *   splits: [
 *     {
 *       amount: '60',
 *       recipient: { type: 'MMO', accountDetails: { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' } },
 *     },
 *   ],
 * });
 * const payment = await malipo.splitPayments.waitForFinal(started.id);
 * if (payment.isFinal) console.log(payment.status, payment.splits[0]?.status); // COMPLETED COMPLETED
 * ```
 */
export class SplitPayments extends Resource<
  SplitPaymentRequest,
  SplitPayment,
  { readonly nextStep?: NextStep }
> {
  protected override complete(request: SplitPaymentRequest): Fields {
    const splits = request.splits.map((one) => ({ payoutId: crypto.randomUUID(), ...withoutUndefined(one) }));
    return { ...super.complete(request), splits };
  }
}
