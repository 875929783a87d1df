// The body of a checkout's callback: its record, when it has ended.
import { renderCheckout, type CheckoutFacts } from '../wire/v2/checkouts/checkout-record.ts';

export function renderCheckoutCallback(facts: CheckoutFacts): string {
  return JSON.stringify(renderCheckout(facts));
}
