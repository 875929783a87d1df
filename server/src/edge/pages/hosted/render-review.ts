// The last look before paying: whom, how much, from which wallet, with which provider.
import { findInstructions } from '../../../domain/checkouts/instructions.ts';
import type { Offer } from '../../../domain/checkouts/page-terms.ts';
import { html, type Html } from '../html.ts';
import { amountOf, explainLimits, nameOf, type Choice, type Problem } from './choice.ts';
import { LAST_WALLET } from './form.ts';
import { renderCancel, renderOtherNumber, renderProblems } from './render-ask.ts';
import { renderExplanation } from './render-end.ts';
import { renderBesideOrder, renderLabel } from './render-order.ts';
import { addressOf, renderHidden, formFields, isPhoneFixed, type Screen, type View } from './view.ts';
import { maskPhone, renderMoney, renderPhone, renderSteps } from './words.ts';

type ReviewedChoice = Choice & { readonly phoneNumber: string };

export function renderReview(view: View, choice: ReviewedChoice, problems: readonly Problem[]): Screen {
  const { words, page } = view;
  const kept = {
    ...formFields(view, 'review'),
    country: choice.country.alpha3,
    ...walletFields(view, choice),
    amount: choice.amountText,
  };
  const amounts = [...new Set(choice.offers.map((offer) => moneyOf(view, choice, offer)))];
  const [only = ''] = amounts;
  const title = choice.isLastWallet ? words.tryAgain : words.review;
  const hasOther = choice.isLastWallet && !isPhoneFixed(view);
  const step = html`<h1>${title}</h1>
    <form method="post" action="${addressOf(view)}">
      ${renderHidden({ ...kept, step: hasOther ? 'again' : 'pay' })}
      ${choice.isLastWallet && problems.length === 0 && renderExplanation(view)}
      ${renderProblems(view, problems)} ${renderFrom(view, choice)} ${renderMissing(view, choice)}
      ${renderOffers(view, choice)} ${renderCode(view, choice, problems)}
      <div class="go"><button>${amounts.length > 1 ? words.payNow : words.pay(only)}</button></div>
      <p class="hint prompted">${words.prompted(page.merchant.companyName)}</p>
    </form>
    ${hasOther && renderOtherNumber(view, choice.country)} ${renderCancel(view)}`;
  return {
    title,
    kept: { ...kept, offer: choice.offer === null ? '' : nameOf(choice.offer) },
    // Where they differ, each stands beside its provider.
    body: renderBesideOrder(view, step, { amounts: amounts.length > 1 ? [] : amounts }),
  };
}

/** A number that the page does not show in full is not in its forms either. */
function walletFields(view: View, choice: ReviewedChoice): Readonly<Record<string, string>> {
  if (choice.isLastWallet) return { wallet: LAST_WALLET };
  return isPhoneFixed(view) ? {} : { phone: choice.phoneNumber };
}

/** A number that the payer typed here is shown in full; one that came from elsewhere is not, to anyone. */
function renderFrom(view: View, choice: ReviewedChoice): Html {
  const { words } = view;
  const isFixed = isPhoneFixed(view);
  const { phoneNumber, country } = choice;
  const number =
    isFixed || choice.isLastWallet ? maskPhone(phoneNumber) : renderPhone(phoneNumber, country.prefix);
  const isOpen = isFixed ? choice.offers.some(({ amountText }) => amountText === null) : !choice.isLastWallet;
  const address = addressOf(view, { country: country.alpha3 });
  return html`<p class="own">
    <span>${renderLabel(view, words.from)} <b>${number}</b></span>
    ${isOpen && html`<a href="${address}">${words.change}</a>`}
  </p>`;
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
        ? words.ownTrouble(missing.displayName)
        : words.notAccepted(page.merchant.companyName, missing.displayName);
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
        ${offer.provider.displayName}${hasCurrencies && html`<br />${moneyOf(view, choice, offer)}`}
        ${isDown && html`<span class="wrong">${words.inTrouble}</span>`}
      </span>
    </label>`;
  });
  return html`<fieldset id="offer" tabindex="-1">
    <legend>${words.provider}</legend>
    <div class="offers">${entries}</div>
    ${isChoice && html`<p class="hint">${words.providerHint}</p>`}
  </fieldset>`;
}

function renderCode(view: View, choice: Choice, problems: readonly Problem[]): Html | null {
  const offer = choice.offers.find(({ provider }) => provider.authType === 'PREAUTH');
  if (offer === undefined) return null;
  const { words } = view;
  const isWrong = problems.some(({ field }) => field === 'code');
  const channel = findInstructions(offer.provider.code, offer.currency.currency)?.channels[0];
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
        ${(channel === undefined ? [] : renderSteps(channel, words)).map((text) => html`<li>${text}</li>`)}
      </ol>
    </div>
  </div>`;
}
