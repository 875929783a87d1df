// The body of a checkout's callback: its record after the end.
import { renderCheckout, type CheckoutFacts } from '../wire/v2/checkouts/checkout-record.ts';

export function renderCheckoutCallback(facts: CheckoutFacts): string {
  return JSON.stringify(renderCheckout(facts));
}
