// While the payer's provider decides: what to do on the phone, or where to go.
import { findProvider, type ProviderFacts } from '../../../domain/operators/catalogue.ts';
import { findInstructions } from '../../../domain/checkouts/instructions.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { html, type Html } from '../html.ts';
import { renderInDoubt } from './render-end.ts';
import { renderBesideOrder } from './render-order.ts';
import { addressOf, type Screen, type View } from './view.ts';
import { maskPhone, renderMoney, renderSteps } from './words.ts';

/** How often a page without scripts asks again: a reload costs some 3 KB. */
const REFRESH_SECONDS = 4;

/** A prompt that has not come by then may have been missed. */
const MISSED_AFTER_MS = 12_000;

export function renderWait(view: View, deposit: Payment): Screen {
  const { words } = view;
  if (deposit.state === 'IN_RECONCILIATION') return renderInDoubt(view, words.uncertain);
  const provider = findProvider(deposit.provider);
  if (provider?.authType === 'REDIRECT_AUTH') return renderConfirming(view, deposit, provider);
  const money = renderMoney(deposit.amountText, deposit.currency, words);
  const { companyName } = view.page.merchant;
  const step = html`<h1>${words.checkPhone}</h1>
    <div class="waiting" role="status">
      <p>${words.promptSent(money, companyName, maskPhone(deposit.details.phoneNumber))}</p>
    </div>
    ${renderMenu(view, deposit, provider)} ${renderUpdates(view)}`;
  return {
    title: words.checkPhone,
    refreshSeconds: REFRESH_SECONDS,
    body: renderBesideOrder(view, step),
  };
}

/** The way to a provider with a page of its own. `url` is null until the provider has named the place. */
export function renderGo(view: View, deposit: Payment, url: string | null): Screen {
  const { words } = view;
  const name = findProvider(deposit.provider)?.displayName ?? deposit.provider;
  const title = words.redirecting(name);
  if (url === null) {
    const step = html`<h1>${title}</h1>
      <div class="waiting" role="status"><p>${words.updates}</p></div>`;
    return { title, refreshSeconds: 2, body: renderBesideOrder(view, step) };
  }
  const step = html`<h1>${title}</h1>
    <a class="button" href="${url}" data-leave="0">${words.goTo(name)}</a>`;
  return { title, refreshSeconds: 0, refreshUrl: url, body: renderBesideOrder(view, step) };
}

function renderConfirming(view: View, deposit: Payment, provider: ProviderFacts): Screen {
  const { words } = view;
  const title = words.confirming(provider.displayName);
  const place = addressOf({ ...view, path: `${view.path}/go` });
  const step = html`<h1>${title}</h1>
    <div class="waiting" role="status">
      <p>${renderMoney(deposit.amountText, deposit.currency, words)}</p>
    </div>
    <a class="button second" href="${place}">${words.goTo(provider.displayName)}</a>
    ${renderUpdates(view)}`;
  return { title, refreshSeconds: REFRESH_SECONDS, body: renderBesideOrder(view, step) };
}

/** What to do in the operator's menu, where the payer has to go there or missed the request. */
function renderMenu(view: View, deposit: Payment, provider: ProviderFacts | null): Html | null {
  const channel = findInstructions(deposit.provider, deposit.currency)?.channels[0];
  if (channel === undefined || provider === null) return null;
  const { words, now } = view;
  const isManual = provider.pinPrompt === 'MANUAL';
  const isMissed = now.getTime() - deposit.createdAt.getTime() >= MISSED_AFTER_MS;
  if (!isManual && !(provider.pinPromptRevivable === true && isMissed)) return null;
  const dialled = channel.quickLink;
  return html`<div class="card">
    <h2>${isManual ? words.manualPrompt(provider.displayName) : words.noPrompt}</h2>
    <ol class="steps">
      ${renderSteps(channel, words).map((text) => html`<li>${text}</li>`)}
    </ol>
    ${
      dialled !== undefined &&
      html`<a class="button second" href="tel:${encodeURIComponent(dialled)}">${words.dialNow} ${dialled}</a>`
    }
  </div>`;
}

function renderUpdates(view: View): Html {
  return html`<p class="soft" data-poll>${view.words.updates}</p>
    <noscript><a class="button second" href="${addressOf(view)}">${view.words.reload}</a></noscript>`;
}
