// What a person did to a payment, for the audit log.
import type { Advance, Advanced } from './advance.ts';
import type { Act } from '../../audit.ts';
import { outcomeText, providerTransactionOf } from '../../operators/validate-answer.ts';

/** Nothing where nothing was done. */
export function actsOn({ key, event, byHand }: Advance, answer: Advanced | undefined): readonly Act[] {
  if (byHand === undefined || answer?.type !== 'MOVE') return [];
  const { merchantId, kind, paymentId } = key;
  if (event.type === 'CANCELLED')
    return [{ ...byHand, act: 'PAYMENT_CANCELLED', merchantId, subject: paymentId, detail: { kind } }];
  if (event.type !== 'ENDED_BY_HAND') return [];
  const detail = { kind, outcome: outcomeText(event.outcome), ...providerTransactionOf(event.outcome) };
  return [{ ...byHand, act: 'PAYMENT_ENDED', merchantId, subject: paymentId, detail }];
}
