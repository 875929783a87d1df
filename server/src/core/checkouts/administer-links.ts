// Payment links that a merchant's people make in the dashboard and share.
import { randomUUID } from 'node:crypto';
import { renderAmount, type Amount } from '../../domain/money.ts';
import {
  deactivatePaymentLink,
  insertPaymentLink,
  type PaymentLink,
  type PaymentLinkKey,
} from '../../store/checkouts/payment-links.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { record, type Actor } from '../audit.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { Engine, TimedStore } from '../engine.ts';
import type { Refused } from '../payments/admit.ts';
import { checkTerms } from './check-terms.ts';
import { createPageCode } from './page-code.ts';
import { linkTerms } from './visit-link.ts';

export type NewLink = Actor & {
  readonly merchant: Merchant;
  readonly amount: Amount;
  readonly currency: string;
  readonly description: string;
  readonly expiresAt: Date | null;
};

/** Refused where no provider of the merchant takes the amount. */
export async function createLink(
  engine: Engine,
  { by, merchant, ...order }: NewLink,
): Promise<{ readonly type: 'CREATED'; readonly link: PaymentLink } | Refused> {
  const refusal = await checkTerms(engine, merchant, linkTerms(order));
  if (refusal !== null) return refusal;
  const { merchantId, home } = merchant;
  const made = {
    ...order,
    merchantId,
    linkId: randomUUID(),
    code: createPageCode(home),
    deactivatedAt: null,
  };
  const detail = { amount: renderAmount(order.amount), currency: order.currency };
  const link = await inMerchant(engine.store.database, merchantId, async (tx) => {
    const dated = { ...made, createdAt: await engine.clock.timeOf(tx) };
    await insertPaymentLink(tx, dated);
    await record(engine, tx, [{ by, act: 'PAYMENT_LINK_CREATED', merchantId, subject: made.linkId, detail }]);
    return dated;
  });
  return { type: 'CREATED', link };
}

/** Checkouts that payers have opened go on. Answers whether it was active. */
export async function deactivateLink(engine: TimedStore, order: Actor & PaymentLinkKey): Promise<boolean> {
  const { by, merchantId, linkId: subject } = order;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    if (!(await deactivatePaymentLink(tx, order, await engine.clock.timeOf(tx)))) return false;
    await record(engine, tx, [{ by, act: 'PAYMENT_LINK_DEACTIVATED', merchantId, subject, detail: {} }]);
    return true;
  });
}
