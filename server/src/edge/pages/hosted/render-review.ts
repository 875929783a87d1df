// The last look before paying: whom, how much, from which wallet, with which provider.
import { findInstructions } from '../../../domain/checkouts/instructions.ts';
import type { Offer } from '../../../domain/checkouts/page-terms.ts';
import { html, type Html } from '../html.ts';
import { amountOf, explainLimits, nameOf, type Choice, type Problem } from './choice.ts';
import { renderCancel, renderProblems } from './render-ask.ts';
import {
  addressOf,
  renderHidden,
  renderReason,
  formFields,
  isPhoneFixed,
  type Screen,
  type View,
} from './view.ts';
import { maskPhone, renderMoney, renderPhone } from './words.ts';

export function renderReview(
  view: View,
  choice: Choice & { readonly phoneNumber: string },
  problems: readonly Problem[],
): Screen {
  const { words, page } = view;
  const kept = {
    ...formFields(view, 'review'),
    country: choice.country.alpha3,
    phone: choice.phoneNumber,
    amount: choice.amountText,
  };
  const [first] = choice.offers;
  const shown = choice.offer ?? first;
  const money = shown === undefined ? '' : moneyOf(view, choice, shown);
  const isFixed = isPhoneFixed(view);
  return {
    title: words.review,
    kept: { ...kept, offer: choice.offer === null ? '' : nameOf(choice.offer) },
    body: html`<h1>${words.review}</h1>
      ${renderProblems(view, problems)}
      <dl class="amounts card">
        <div>
          <dt>${words.to}</dt>
          <dd>${page.merchant.companyName}</dd>
        </div>
        ${renderReason(view)}
        <div>
          <dt>${words.from}</dt>
          <dd>
            ${isFixed ? maskPhone(choice.phoneNumber) : renderPhone(choice.phoneNumber, choice.country.prefix)}
          </dd>
        </div>
        <div class="total">
          <dt>${words.total}</dt>
          <dd>${money}</dd>
        </div>
      </dl>
      <form method="post" action="${addressOf(view)}">
        ${renderHidden({ ...kept, step: 'pay' })} ${renderMissing(view, choice)} ${renderOffers(view, choice)}
        ${renderCode(view, choice, problems)}
        <p class="hint prompted">${words.prompted(page.merchant.companyName)}</p>
        <button>${words.pay(money)}</button>
      </form>
      ${
        isFixed && shown?.amountText !== null
          ? null
          : html`<p>
              <a class="button second" href="${addressOf(view, { country: choice.country.alpha3 })}"
                >${words.change}</a
              >
            </p>`
      }
      ${renderCancel(view)}`,
  };
}

function moneyOf({ words }: View, choice: Choice, offer: Offer): string {
  return renderMoney(amountOf(choice, offer), offer.currency.currency, words);
}

/** Why the number's provider cannot be used. No other is chosen: only a ported number has a wallet there. */
function renderMissing(view: View, { missing, country }: Choice): Html | null {
  if (missing === null) return null;
  const { words, page } = view;
  const isOwn = ({ provider }: Offer) => provider.code === missing.code;
  const unfit = view.unfit.find((offer) => isOwn(offer) && offer.country.alpha3 === country.alpha3);
  const why =
    unfit !== undefined
      ? explainLimits(unfit, unfit.amountText ?? '', words)
      : view.offers.some(isOwn)
        ? words.trouble(missing.displayName)
        : words.notTaken(page.merchant.companyName, missing.displayName);
  const isByNumber = page.order.terms.payer?.provider === undefined;
  return html`<div class="notice trouble" role="status">
    <p>${why} ${isByNumber && words.otherProvider(missing.displayName)}</p>
  </div>`;
}

/** The provider, predicted and changeable. */
function renderOffers(view: View, choice: Choice): Html {
  const { words } = view;
  const isChoice = choice.offers.length > 1 && choice.isPredicted;
  const hasCurrencies = new Set(choice.offers.map(({ currency }) => currency.currency)).size > 1;
  const entries = choice.offers.map((offer) => {
    const isChosen = choice.offer !== null && nameOf(choice.offer) === nameOf(offer);
    const isDown = offer.status !== 'OPERATIONAL';
    return html`<label class="choice">
      <input
        type="radio"
        name="offer"
        value="${nameOf(offer)}"
        required${isChosen && html` checked`}${
          isDown && html` disabled`
        }${offer.provider.authType === 'PREAUTH' && html` data-code`}${
          offer.provider.authType !== 'PROVIDER_AUTH' && html` data-unprompted`
        }
      />
      <span>
        ${offer.provider.displayName}${hasCurrencies && html` · ${moneyOf(view, choice, offer)}`}
        ${isDown && html`<span class="wrong">${words.inTrouble}</span>`}
      </span>
    </label>`;
  });
  return html`<fieldset id="offer" tabindex="-1">
    <legend>${words.provider}</legend>
    ${entries} ${isChoice && html`<p class="hint">${words.providerHint}</p>`}
  </fieldset>`;
}

function renderCode(view: View, choice: Choice, problems: readonly Problem[]): Html | null {
  const offer = choice.offers.find(({ provider }) => provider.authType === 'PREAUTH');
  if (offer === undefined) return null;
  const { words, language } = view;
  const isWrong = problems.some(({ field }) => field === 'code');
  const steps = findInstructions(offer.provider.code, offer.currency.currency)?.channels[0];
  return html`<div class="code">
    <label for="code">${words.code} (${offer.provider.displayName})</label>
    <input
      id="code"
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      maxlength="36"
      value="${choice.code}"
      aria-describedby="code-hint"
      ${isWrong && html` aria-invalid="true"`}
    />
    <div class="hint" id="code-hint">
      ${words.codeHint}
      <ol class="steps">
        ${(steps?.instructions[language] ?? []).map(({ text }) => html`<li>${text}</li>`)}
      </ol>
    </div>
  </div>`;
}
