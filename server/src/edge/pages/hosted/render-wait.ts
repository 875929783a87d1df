// While the payer's provider decides: what to do on the phone, or where to go.
import { findProvider, type ProviderFacts } from '../../../domain/operators/catalogue.ts';
import { findInstructions } from '../../../domain/checkouts/instructions.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { html, type Html } from '../html.ts';
import { renderLeaving } from './render-end.ts';
import { addressOf, type Screen, type View } from './view.ts';
import { maskPhone, renderMoney } from './words.ts';

/** How often a page without scripts asks again: a reload costs some 3 KB. */
const REFRESH_SECONDS = 4;

/** A prompt that has not come by then may have been missed. */
const MISSED_AFTER_MS = 12_000;

export function renderWait(view: View, deposit: Payment): Screen {
  const { words } = view;
  if (deposit.state === 'IN_RECONCILIATION') return renderUncertain(view);
  const provider = findProvider(deposit.provider);
  if (provider?.authType === 'REDIRECT_AUTH') return renderConfirming(view, deposit, provider);
  const money = renderMoney(deposit.amountText, deposit.currency, words);
  const { companyName } = view.page.merchant;
  return {
    title: words.checkPhone,
    refreshSeconds: REFRESH_SECONDS,
    body: html`<h1>${words.checkPhone}</h1>
      <div class="waiting" role="status">
        <p>${words.promptSent(money, companyName, maskPhone(deposit.details.phoneNumber))}</p>
      </div>
      ${renderSteps(view, deposit, provider)} ${renderUpdates(view)}`,
  };
}

/** The way to a provider with a page of its own. `url` is null until the provider has named the place. */
export function renderGo(view: View, deposit: Payment, url: string | null): Screen {
  const { words } = view;
  const name = findProvider(deposit.provider)?.displayName ?? deposit.provider;
  const title = words.redirecting(name);
  if (url === null) {
    const body = html`<h1>${title}</h1>
      <div class="waiting" role="status"><p>${words.updates}</p></div>`;
    return { title, refreshSeconds: 2, body };
  }
  return {
    title,
    refreshSeconds: 0,
    refreshUrl: url,
    body: html`<h1>${title}</h1>
      <a class="button" href="${url}" data-leave="0">${words.goTo(name)}</a>`,
  };
}

function renderConfirming(view: View, deposit: Payment, provider: ProviderFacts): Screen {
  const { words } = view;
  const title = words.confirming(provider.displayName);
  const place = addressOf({ ...view, path: `${view.path}/go` });
  return {
    title,
    refreshSeconds: REFRESH_SECONDS,
    body: html`<h1>${title}</h1>
      <div class="waiting" role="status">
        <p>${renderMoney(deposit.amountText, deposit.currency, words)}</p>
      </div>
      <a class="button second" href="${place}">${words.goTo(provider.displayName)}</a>
      ${renderUpdates(view)}`,
  };
}

/** No one may pay a second time for what may have been paid. */
function renderUncertain(view: View): Screen {
  const [what, next] = view.words.uncertain;
  return {
    title: what,
    refreshSeconds: 30,
    body: html`<div class="notice trouble" role="status">
        <h1>${what}</h1>
        <p data-poll>${next}</p>
      </div>
      ${renderLeaving(view)}`,
  };
}

function renderSteps(view: View, deposit: Payment, provider: ProviderFacts | null): Html | null {
  const channel = findInstructions(deposit.provider, deposit.currency)?.channels[0];
  if (channel === undefined || provider === null) return null;
  const { words, language, now } = view;
  const isManual = provider.pinPrompt === 'MANUAL';
  const isMissed = now.getTime() - deposit.createdAt.getTime() >= MISSED_AFTER_MS;
  if (!isManual && !(provider.pinPromptRevivable === true && isMissed)) return null;
  const dialled = channel.quickLink;
  return html`<div class="card">
    <h2>${isManual ? words.manualPrompt(provider.displayName) : words.noPrompt}</h2>
    <ol class="steps">
      ${channel.instructions[language].map(({ text }) => html`<li>${text}</li>`)}
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
