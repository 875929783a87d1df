// A request that a limit or a list of numbers has refused is not stored. It is counted among the risk events.
import type { Engine } from '../../engine.ts';
import type { Operation } from '../../../domain/payments/payment.ts';
import { PAYMENT_KINDS } from '../../../domain/payments/payment.ts';
import type { Amount } from '../../../domain/money.ts';

type Refusable = {
  readonly merchant: { readonly merchantId: string };
  readonly kind: Operation;
  readonly tokenId?: string;
  readonly provider?: string;
  readonly currency?: string;
  readonly amount?: Amount;
};

export function noteRefusal(
  { riskLog }: Pick<Engine, 'riskLog'>,
  order: Refusable,
  answer: { readonly type: string },
): void {
  const limit = limitIn(answer);
  if (limit === undefined) return;
  const { merchant, tokenId, provider, currency, amount } = order;
  const kind = PAYMENT_KINDS.find((one) => one === order.kind);
  const of = { merchantId: merchant.merchantId, tokenId, provider, kind, currency, amount };
  if (limit === null) return riskLog.note({ event: 'NUMBER_BLOCKED', ...of });
  const event = limit.startsWith('PLATFORM ') ? 'PLATFORM_LIMIT' : 'MERCHANT_LIMIT';
  riskLog.note({ event, subject: limit, ...of });
}

/** The name of the limit, null for a blocked number, undefined for any other answer. */
function limitIn(answer: object): string | null | undefined {
  if (!('isLimited' in answer) || answer.isLimited !== true) return undefined;
  return 'limit' in answer && typeof answer.limit === 'string' ? answer.limit : null;
}
