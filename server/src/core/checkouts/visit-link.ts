// A payer's visit to a payment link: each is a checkout of its own, like those that merchants' servers open.
import { CHECKOUT_MINUTES } from '../../domain/checkouts/checkout.ts';
import type { PageTerms } from '../../domain/checkouts/page-terms.ts';
import type { ApiVersion } from '../../domain/payments/payment.ts';
import { renderAmount } from '../../domain/money.ts';
import type { ProcessTime } from '../../domain/clock.ts';
import { findPaymentLink, type PaymentLink } from '../../store/checkouts/payment-links.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import type { Engine } from '../engine.ts';
import { openCheckout, type CheckoutAnswer } from './open-checkout.ts';
import { isPageCode, visitCheckoutId } from './page-code.ts';
import { requireHere } from './read-page.ts';

export type FoundLink = { readonly link: PaymentLink; readonly merchant: Merchant };

/** Null for a link no one knows. */
export async function findLink(engine: Engine, code: string): Promise<FoundLink | null> {
  const link = isPageCode(code) ? await findPaymentLink(engine.store.database, code) : null;
  const merchant = link === null ? null : await engine.directory.merchant(link.merchantId);
  if (link === null || merchant === null || merchant.isSuspended) return null;
  await requireHere(engine, link.merchantId);
  return { link, merchant };
}

export type LinkStatus = 'ACTIVE' | 'EXPIRED' | 'DEACTIVATED';

export function statusOfLink({ deactivatedAt, expiresAt }: PaymentLink, now: ProcessTime): LinkStatus {
  if (deactivatedAt !== null) return 'DEACTIVATED';
  return expiresAt !== null && expiresAt <= now ? 'EXPIRED' : 'ACTIVE';
}

export function linkTerms({ amount, currency }: Pick<PaymentLink, 'amount' | 'currency'>): PageTerms {
  return { amounts: [{ currency, amountText: renderAmount(amount) }] };
}

export type Visit = FoundLink & {
  /** Drawn for each visit: a form that is sent twice opens one checkout. */
  readonly visit: string;
  readonly paymentNo: string;
  readonly apiVersion: ApiVersion;
  /** Where the link is; the payer returns there. */
  readonly linkUrl: string;
  readonly addressOf: (code: string) => string;
};

export async function openLinkCheckout(engine: Engine, visit: Visit): Promise<CheckoutAnswer> {
  const { link, merchant, paymentNo, apiVersion, linkUrl, addressOf } = visit;
  return openCheckout(engine, {
    merchant,
    paymentNo,
    writtenId: visitCheckoutId(engine.referenceKey, link, visit.visit),
    apiVersion,
    asked: {
      returnUrl: linkUrl,
      returnMethod: 'CUSTOMER_ACTION',
      expiresAfterMinutes: CHECKOUT_MINUTES.default,
      terms: linkTerms(link),
      reason: { en: link.description },
      // By it people find the payments of a link.
      details: { clientReferenceId: link.linkId },
    },
    addressOf,
  });
}
