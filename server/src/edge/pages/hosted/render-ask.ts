// The first screens: in which country, from which number, how much.
import type { CountryFacts } from '../../../domain/operators/catalogue.ts';
import type { Offer } from '../../../domain/checkouts/page-terms.ts';
import { html, type Html } from '../html.ts';
import { explainLimits, listCountries, type Problem } from './choice.ts';
import { renderExplanation, renderLeaving } from './render-end.ts';
import type { Form } from './form.ts';
import {
  addressOf,
  renderHidden,
  formFields,
  isPhoneFixed,
  reasonOf,
  type Screen,
  type View,
} from './view.ts';
import { maskPhone, renderMoney } from './words.ts';

export function renderCountries(view: View): Screen {
  const { words, language } = view;
  const entries = listCountries(view.offers)
    .map(({ alpha3, displayName }) => ({ alpha3, name: displayName[language] }))
    .toSorted((one, other) => one.name.localeCompare(other.name, language));
  return {
    title: words.payTo(view.page.merchant.companyName),
    body: html`${renderHead(view, null)}
      <form method="get" action="${view.path}">
        ${view.isChosen ? renderHidden({ lang: language }) : null}
        <label for="country">${words.chooseCountry}</label>
        <select id="country" name="country" required>
          <option value="">…</option>
          ${entries.map(({ alpha3, name }) => html`<option value="${alpha3}">${name}</option>`)}
        </select>
        <button>${words.continue}</button>
      </form>
      ${renderCancel(view)}`,
  };
}

export function renderAsk(
  view: View,
  country: CountryFacts,
  { form, problems }: { readonly form: Form; readonly problems: readonly Problem[] },
): Screen {
  const { words, language, page } = view;
  const here = view.offers.filter((offer) => offer.country.alpha3 === country.alpha3);
  const isOpen = listCountries(view.offers).length > 1;
  return {
    title: words.payTo(page.merchant.companyName),
    body: html`${renderHead(view, here)} ${renderTrouble(view, here)} ${renderProblems(view, problems)}
      <form data-swap method="post" action="${addressOf(view)}">
        ${renderHidden({ ...formFields(view, 'review'), country: country.alpha3, offer: form.offer })}
        ${
          isOpen
            ? html`<p>
                ${words.country}: <b>${country.displayName[language]}</b>
                <a href="${addressOf(view, { country: 'any' })}">${words.change}</a>
              </p>`
            : null
        }
        ${renderPhone(view, country, form, problems)} ${renderAmount(view, here, form, problems)}
        <button>${words.continue}</button>
      </form>
      ${renderCancel(view)}`,
  };
}

/** How many providers' reasons a person reads. */
const REASONS_MAX = 5;

/** No provider can take the payment: why, and the way out. */
export function renderUnpayable(view: View): Screen {
  const { words, unfit } = view;
  const { companyName } = view.page.merchant;
  const limits = unfit.map((offer) => explainLimits(offer, offer.amountText ?? '', words));
  const reasons = limits.length === 0 ? [words.noProvider(companyName)] : [...new Set(limits)];
  const title = words.noOffer(companyName);
  return {
    title,
    body: html`${renderHead(view, unfit)}
      <div class="notice trouble" role="status">
        <h2>${title}</h2>
        ${reasons.slice(0, REASONS_MAX).map((reason) => html`<p>${reason}</p>`)}
        <p>${words.askShop}</p>
      </div>
      ${view.page.checkout === null ? null : renderLeaving(view)} ${renderCancel(view)}`,
  };
}

/** Whom, what for and, where it is fixed, how much; and how an earlier attempt failed. */
function renderHead(view: View, here: readonly Offer[] | null): Html {
  const { words, page } = view;
  const fixed = [
    ...new Set((here ?? []).flatMap((offer) => (offer.amountText === null ? [] : moneyOf(view, offer)))),
  ];
  const reason = reasonOf(view);
  const failed = page.deposit?.state === 'FAILED' ? renderExplanation(view) : null;
  return html`<h1>${words.payTo(page.merchant.companyName)}</h1>
    ${failed} ${reason !== undefined && html`<p>${words.forReason}: <b>${reason}</b></p>`}
    ${fixed.map((money) => html`<p class="figure">${money}</p>`)}`;
}

function moneyOf({ words }: View, { amountText, currency }: Offer): string {
  return renderMoney(amountText ?? '', currency.currency, words);
}

/** Said before anybody tries. */
function renderTrouble({ words }: View, here: readonly Offer[]): Html | null {
  const down = here.filter(({ status }) => status !== 'OPERATIONAL');
  if (down.length === 0) return null;
  const names = [...new Set(down.map(({ provider }) => provider.displayName))];
  const text = down.length === here.length ? words.allTrouble : words.trouble(names.join(', '));
  return html`<div class="notice trouble" role="status"><p>${text}</p></div>`;
}

export function renderProblems({ words }: View, problems: readonly Problem[]): Html | null {
  if (problems.length === 0) return null;
  const items = problems.map(({ field, text }) =>
    field === 'form' ? html`<li>${text}</li>` : html`<li><a href="#${field}">${text}</a></li>`,
  );
  return html`<div class="notice failure" role="alert">
    <b>${words.problem}</b>
    <ul>
      ${items}
    </ul>
  </div>`;
}

function renderPhone(view: View, country: CountryFacts, form: Form, problems: readonly Problem[]): Html {
  const { words } = view;
  if (isPhoneFixed(view)) {
    const { phoneNumber = '' } = view.page.order.terms.payer ?? {};
    return html`<p>${words.from}: <b>${maskPhone(phoneNumber)}</b></p>`;
  }
  const isWrong = problems.some(({ field }) => field === 'phone');
  const known = view.page.order.terms.payer?.phoneNumber ?? '';
  const value = form.phone === '' ? known.replace(new RegExp(`^${country.prefix}`), '') : form.phone;
  const digits = country.nationalDigits.join(', ');
  return html`<label for="phone">${words.phone}</label>
    <div class="prefixed">
      <span aria-hidden="true">+${country.prefix}</span>
      <input
        id="phone"
        name="phone"
        type="tel"
        inputmode="tel"
        autocomplete="tel-national"
        required
        value="${value}"
        aria-describedby="phone-hint"
        ${isWrong && html` aria-invalid="true"`}
      />
    </div>
    <p class="hint" id="phone-hint">${words.phoneHint(digits, `+${country.prefix}`)}</p>`;
}

function renderAmount(
  view: View,
  here: readonly Offer[],
  form: Form,
  problems: readonly Problem[],
): Html | null {
  const open = here.filter(({ amountText }) => amountText === null);
  if (open.length === 0) return null;
  const { words } = view;
  const isWrong = problems.some(({ field }) => field === 'amount');
  const currencies = [...new Set(open.map(({ currency }) => currency.currency))];
  const hasDecimals = open.some(({ limits }) => limits.decimals > 0);
  return html`<label for="amount">${words.enterAmount(currencies.join(' / '))}</label>
    <input
      id="amount"
      name="amount"
      inputmode="${hasDecimals ? 'decimal' : 'numeric'}"
      autocomplete="off"
      required
      value="${form.amount}"
      aria-describedby="amount-hint"
      ${isWrong && html` aria-invalid="true"`}
    />
    <p class="hint" id="amount-hint">
      ${currencies.map((currency) => renderLimits(view, open, currency))}
      ${hasDecimals ? words.twoDecimals : words.noDecimals}
    </p>`;
}

/** The widest bounds; the chosen provider's own are checked when it is known. */
function renderLimits({ words }: View, open: readonly Offer[], currency: string): string {
  const limits = open.filter((offer) => offer.currency.currency === currency).map((offer) => offer.limits);
  const [least] = limits.toSorted((one, other) => (one.minAmount < other.minAmount ? -1 : 1));
  const [most] = limits.toSorted((one, other) => (one.maxAmount > other.maxAmount ? -1 : 1));
  const money = (text: string) => renderMoney(text, currency, words);
  return `${words.limits(money(least?.minAmountText ?? ''), money(most?.maxAmountText ?? ''))} `;
}

/** Checkouts only: how long, and the way out. */
export function renderCancel(view: View): Html {
  const { page, words, now } = view;
  if (page.checkout === null) return renderLeaving(view);
  const seconds = Math.max(0, Math.round((page.expiresAt.getTime() - now.getTime()) / 1_000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return html`<p class="soft">
      ${words.timeLeft} <time class="countdown" data-seconds="${seconds}">${text}</time>
    </p>
    <form method="post" action="${addressOf(view)}">
      ${renderHidden(formFields(view, 'cancel'))}<button class="second">${words.cancel}</button>
    </form>`;
}
