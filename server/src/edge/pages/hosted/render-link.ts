// The page of a payment link: what it asks for, and that each visit is a payment of its own.
import { renderAmount } from '../../../domain/money.ts';
import type { PaymentLink } from '../../../store/checkouts/payment-links.ts';
import { html } from '../html.ts';
import { renderLabel } from './render-order.ts';
import { addressOf, renderHidden, type Framed, type Screen } from './view.ts';
import { renderMoney } from './words.ts';

type LinkOptions = {
  readonly visit: string;
  /** Where the payer's last payment is; null for one who comes from elsewhere. */
  readonly earlier: string | null;
};

export function renderLink(view: Framed, link: PaymentLink, { visit, earlier }: LinkOptions): Screen {
  const { words } = view;
  const title = words.payTo(view.page.merchant.companyName);
  const body = html`<div class="order">
      <h1>${title}</h1>
      <p class="figure">${renderMoney(renderAmount(link.amount), link.currency, words)}</p>
      <p>${renderLabel(view, words.forReason)} <b>${link.description}</b></p>
    </div>
    <div class="step">
      <form method="post" action="${addressOf(view)}">
        ${renderHidden({ visit })}
        <p>${words.linkNote}</p>
        ${earlier !== null && html`<p><a href="${earlier}">${words.lastPayment}</a></p>`}
        <div class="go"><button>${words.continue}</button></div>
      </form>
    </div>`;
  return { title, body };
}

/** It has expired, was deactivated, or its merchant cannot take the amount now. */
export function renderLinkOver({ words, page }: Framed): Screen {
  const [title, next] = words.linkOver;
  const body = html`<div class="order"><p class="shop">${page.merchant.companyName}</p></div>
    <div class="step">
      <div class="notice" role="status">
        <h1>${title}</h1>
        <p>${next}</p>
      </div>
    </div>`;
  return { title, body };
}
