// What every screen shows beside its step: whom the payment is for, how much, what for. Above the step on a phone.
import { html, type Html } from '../html.ts';
import type { View } from './view.ts';
import { renderMoney } from './words.ts';

type OrderOptions = {
  /** What is paid, as people read it. */
  readonly amounts?: readonly string[];
  /** Whether the payer is asked to pay: then this is the heading of the screen. */
  readonly isHeading?: boolean;
};

export function renderBesideOrder(view: View, step: Html, options: OrderOptions = {}): Html {
  const { words, page } = view;
  const { amounts = knownAmounts(view), isHeading = false } = options;
  const { companyName } = page.merchant;
  const reason = reasonOf(view);
  return html`<div class="order">
      ${isHeading ? html`<h1>${words.payTo(companyName)}</h1>` : html`<p class="shop">${companyName}</p>`}
      ${amounts.map((amount) => html`<p class="figure">${amount}</p>`)}
      ${reason !== undefined && html`<p>${renderLabel(view, words.forReason)} <b>${reason}</b></p>`}
    </div>
    <div class="step">${step}</div>`;
}

/** "For:", and in French with a narrow space before the colon. */
export function renderLabel({ words }: Pick<View, 'words'>, label: string): string {
  return label + words.colon;
}

/** What was paid or tried, else what is fixed in the same way for everyone. */
function knownAmounts({ page, offers, words }: View): readonly string[] {
  const { deposit } = page;
  if (deposit !== null) return [renderMoney(deposit.amountText, deposit.currency, words)];
  const amounts = new Set(
    offers.map(({ amountText, currency }) =>
      amountText === null ? null : renderMoney(amountText, currency.currency, words),
    ),
  );
  return amounts.size === 1 ? [...amounts].filter((amount) => amount !== null) : [];
}

function reasonOf({ page, language }: View): string | undefined {
  const { reason } = page.order;
  const own = Object.entries(reason ?? {}).find(([name]) => name === language)?.[1];
  return own ?? reason?.en ?? reason?.fr;
}
