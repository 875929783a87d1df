// What a person did to a payment, for the audit log.
import type { Advance, Advanced } from './advance.ts';
import type { Act } from '../../audit.ts';
import { outcomeText, providerTransactionOf } from '../../operators/validate-answer.ts';

/** Nothing where nothing was done. */
export function actsOn({ key, event, actor }: Advance, answer: Advanced | undefined): readonly Act[] {
  if (actor === undefined || answer?.type !== 'MOVE') return [];
  const { merchantId, kind, paymentId } = key;
  if (event.type === 'CANCELLED')
    return [{ ...actor, act: 'PAYMENT_CANCELLED', merchantId, subject: paymentId, detail: { kind } }];
  if (event.type !== 'ENDED_MANUALLY') return [];
  const detail = { kind, outcome: outcomeText(event.outcome), ...providerTransactionOf(event.outcome) };
  return [{ ...actor, act: 'PAYMENT_ENDED', merchantId, subject: paymentId, detail }];
}
