// Split payments: the shares are payouts, and get identifiers too.
import type { Fields } from './answer.ts';
import type { NextStep, SplitPayment, SplitPaymentOrder } from './api.ts';
import { Resource, withoutUndefined } from './resource.ts';

export class SplitPayments extends Resource<
  SplitPaymentOrder,
  SplitPayment,
  { readonly nextStep?: NextStep }
> {
  protected override complete(order: SplitPaymentOrder): Fields {
    const splits = order.splits.map((one) => ({ payoutId: crypto.randomUUID(), ...withoutUndefined(one) }));
    return { ...super.complete(order), splits };
  }
}
