// How it ended, why, what to do next, and the way back to the shop.
import { html, type Html } from '../html.ts';
import { addToQuery } from '../addresses.ts';
import { renderBesideOrder, renderLabel } from './render-order.ts';
import type { Screen, View } from './view.ts';
import { renderMoney, type Explanation } from './words.ts';

/** Long enough to read one line. */
const RETURN_SECONDS = 5;

export function renderPaid(view: View): Screen {
  const { page, words } = view;
  const { deposit, merchant } = page;
  const money = deposit === null ? '' : renderMoney(deposit.amountText, deposit.currency, words);
  const reference = deposit?.providerTransactionId;
  const seconds = returnSeconds(view);
  const step = html`<div class="notice success" role="status">
      <h1>${words.paid}</h1>
      <p>${words.paidTo(money, merchant.companyName)}</p>
      ${
        reference !== undefined &&
        html`<p class="soft">${renderLabel(view, words.reference)} ${reference}</p>`
      }
    </div>
    ${seconds !== null && html`<p class="soft">${words.returning(merchant.companyName)}</p>`}
    ${renderReturn(view, seconds)}`;
  return { title: words.paid, ...leaving(view, seconds), body: renderBesideOrder(view, step) };
}

export function renderFailed(view: View): Screen {
  const { page, words } = view;
  const seconds = page.checkout === null ? null : returnSeconds(view);
  const step = html`${renderExplanation(view, 'h1')}
    <p>${words.toTryAgain(page.merchant.companyName)}</p>
    ${renderReturn(view, seconds)}`;
  return { title: words.failed, ...leaving(view, seconds), body: renderBesideOrder(view, step) };
}

export function renderOver(view: View, stage: 'EXPIRED' | 'CANCELLED'): Screen {
  const { page, words } = view;
  const [title, next] =
    stage === 'EXPIRED'
      ? [words.expired, `${words.noMoneyTaken} ${words.toStartAgain(page.merchant.companyName)}`]
      : [words.cancelled, words.noMoneyTaken];
  const seconds = page.checkout === null ? null : returnSeconds(view);
  const step = html`<div class="notice" role="status">
      <h1>${title}</h1>
      <p>${next}</p>
    </div>
    ${renderReturn(view, seconds)}`;
  return { title, ...leaving(view, seconds), body: renderBesideOrder(view, step) };
}

/** No one may pay a second time for what may have been paid. */
export function renderInDoubt(view: View, [what, next]: Explanation): Screen {
  const step = html`<div class="notice trouble" role="status">
      <h1>${what}</h1>
      <p data-poll>${next}</p>
    </div>
    ${renderLeaving(view)}`;
  return { title: what, refreshSeconds: 30, body: renderBesideOrder(view, step) };
}

/** For pages that lead nowhere. */
export function renderNothing([title, next]: Explanation): Screen {
  return {
    title,
    body: html`<div class="notice trouble">
      <h1>${title}</h1>
      <p>${next}</p>
    </div>`,
  };
}

/** Why the last attempt failed, as a person can understand it. A failed payment took nothing: see stageOf. */
export function renderExplanation({ page, words }: View, heading: 'h1' | 'h2' = 'h2'): Html {
  const code = page.deposit?.failureCode;
  const known = Object.entries(words.failures).find(([name]) => name === code)?.[1];
  const [what, next] = known ?? words.failures.UNSPECIFIED_FAILURE;
  const title = heading === 'h1' ? html`<h1>${words.failed}</h1>` : html`<h2>${words.failed}</h2>`;
  return html`<div class="notice failure" role="status">
    ${title}
    <p>${words.noMoneyTaken} ${what} ${next}</p>
  </div>`;
}

/** A way out for those who change their mind, or have waited long enough. */
export function renderLeaving(view: View): Html {
  const { merchant } = view.page;
  return html`<p><a href="${returnAddress(view)}">${view.words.returnTo(merchant.companyName)}</a></p>`;
}

/** The shop's address, with what it needs to know which payment this was. */
export function returnAddress({ page }: View): string {
  const { order, writtenId, checkout } = page;
  return checkout === null
    ? addToQuery(order.returnUrl, { depositId: writtenId })
    : addToQuery(order.returnUrl, { checkoutId: writtenId, checkoutCode: checkout.code });
}

function renderReturn(view: View, seconds: number | null): Html {
  const text = view.words.returnTo(view.page.merchant.companyName);
  const leave = seconds !== null && html` data-leave="${seconds}"`;
  return html`<a class="button" href="${returnAddress(view)}" ${leave}>${text}</a>`;
}

/** After how many seconds the payer is taken back; null when only the button does it. */
function returnSeconds({ page }: View): number | null {
  switch (page.checkout?.returnMethod ?? 'COUNTDOWN') {
    case 'INSTANT':
      return 0;
    case 'COUNTDOWN':
      return RETURN_SECONDS;
    case 'CUSTOMER_ACTION':
      return null;
  }
}

function leaving(view: View, seconds: number | null) {
  return seconds === null ? {} : { refreshSeconds: seconds, refreshUrl: returnAddress(view) };
}
