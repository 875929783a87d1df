// How it ended, why, what to do next, and the way back to the shop.
import { html, type Html } from '../html.ts';
import { addToQuery } from '../addresses.ts';
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
  return {
    title: words.paid,
    ...leaving(view, seconds),
    body: html`<div class="notice success" role="status">
        <h1>${words.paid}</h1>
        <p>${words.paidTo(money, merchant.companyName)}</p>
        ${reference !== undefined && html`<p class="soft">${words.reference}: ${reference}</p>`}
      </div>
      ${seconds !== null && html`<p class="soft">${words.returning(merchant.companyName)}</p>`}
      ${renderReturn(view, seconds)}`,
  };
}

export function renderFailed(view: View): Screen {
  const { page, words } = view;
  const seconds = page.checkout === null ? null : returnSeconds(view);
  return {
    title: words.failed,
    ...leaving(view, seconds),
    body: html`${renderExplanation(view)}
      <p>${words.askAgain(page.merchant.companyName)}</p>
      ${renderReturn(view, seconds)}`,
  };
}

export function renderOver(view: View, stage: 'EXPIRED' | 'CANCELLED'): Screen {
  const { page, words } = view;
  const [title, next] =
    stage === 'EXPIRED'
      ? [words.expired, words.expiredNext(page.merchant.companyName)]
      : [words.cancelled, words.cancelledNext];
  const seconds = page.checkout === null ? null : returnSeconds(view);
  return {
    title,
    ...leaving(view, seconds),
    body: html`<div class="notice" role="status">
        <h1>${title}</h1>
        <p>${next}</p>
      </div>
      ${renderReturn(view, seconds)}`,
  };
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

/** Why the last attempt failed, as a person can understand it. */
export function renderExplanation({ page, words }: View): Html {
  const code = page.deposit?.failureCode;
  const known = Object.entries(words.failures).find(([name]) => name === code)?.[1];
  const [what, next] = known ?? words.failures.UNSPECIFIED_FAILURE;
  return html`<div class="notice failure" role="status">
    <h2>${words.failed}</h2>
    <p>${what} ${next}</p>
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
  return html`<a
    class="button"
    href="${returnAddress(view)}"
    ${seconds !== null && html` data-leave="${seconds}"`}
    >${text}</a
  >`;
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
