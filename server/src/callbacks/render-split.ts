// The body of a split payment's callback: its record when all parts are final.
import { findProvider } from '../domain/operators/catalogue.ts';
import { renderSplitPayment, type SplitPaymentFacts } from '../wire/v2/payments/split-payment-record.ts';

export function renderSplitCallback(facts: SplitPaymentFacts): string {
  const authType = findProvider(facts.collection.provider)?.authType ?? null;
  return JSON.stringify(renderSplitPayment(facts, authType));
}
