// The first screens: in which country, from which number, how much.
import type { CountryFacts } from '../../../domain/operators/catalogue.ts';
import type { Offer } from '../../../domain/checkouts/page-terms.ts';
import { html, type Html } from '../html.ts';
import { explainLimits, listCountries, type Problem } from './choice.ts';
import { renderExplanation, renderLeaving } from './render-end.ts';
import { renderBesideOrder, renderLabel } from './render-order.ts';
import { EMPTY_FORM, type Form } from './form.ts';
import { addressOf, renderHidden, formFields, isPhoneFixed, type Screen, type View } from './view.ts';
import { maskPhone, renderCountry, renderMoney } from './words.ts';

export function renderCountries(view: View): Screen {
  const { words, language } = view;
  const entries = listCountries(view.offers)
    .map((country) => ({ alpha3: country.alpha3, name: renderCountry(country, words) }))
    .toSorted((one, other) => one.name.localeCompare(other.name, language));
  const step = html`<form method="get" action="${view.path}">
      ${renderLastFailure(view)} ${view.isChosen ? renderHidden({ lang: language }) : null}
      <label for="country">${words.chooseCountry}</label>
      <select id="country" name="country" required>
        <option value="">…</option>
        ${entries.map(({ alpha3, name }) => html`<option value="${alpha3}">${name}</option>`)}
      </select>
      <div class="go"><button>${words.continue}</button></div>
    </form>
    ${renderCancel(view)}`;
  return {
    title: words.payTo(view.page.merchant.companyName),
    body: renderBesideOrder(view, step, { isHeading: true }),
  };
}

export function renderAsk(
  view: View,
  country: CountryFacts,
  { form, problems }: { readonly form: Form; readonly problems: readonly Problem[] },
): Screen {
  const { words, page } = view;
  const here = view.offers.filter((offer) => offer.country.alpha3 === country.alpha3);
  const isOpen = listCountries(view.offers).length > 1;
  // All in the form: its button stays in sight as far as the form reaches.
  const step = html`<form data-swap method="post" action="${addressOf(view)}">
      ${renderHidden({ ...formFields(view, 'review'), country: country.alpha3, offer: form.offer })}
      ${renderLastFailure(view)} ${renderTrouble(view, here)} ${renderProblems(view, problems)}
      ${
        isOpen
          ? html`<p class="own">
              <span>${renderLabel(view, words.country)} <b>${renderCountry(country, words)}</b></span>
              <a href="${addressOf(view, { country: 'any' })}">${words.change}</a>
            </p>`
          : null
      }
      ${renderPhone(view, country, form, problems)} ${renderAmount(view, here, form, problems)}
      <div class="go"><button>${words.continue}</button></div>
    </form>
    ${renderCancel(view)}`;
  return {
    title: words.payTo(page.merchant.companyName),
    body: renderBesideOrder(view, step, { amounts: fixedAmounts(view, here), isHeading: true }),
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
  const step = html`<div class="notice trouble" role="status">
      <h1>${title}</h1>
      ${reasons.slice(0, REASONS_MAX).map((reason) => html`<p>${reason}</p>`)}
      <p>${words.noMoneyTaken} ${words.contactShop}</p>
    </div>
    ${view.page.checkout === null ? null : renderLeaving(view)} ${renderCancel(view)}`;
  return { title, body: renderBesideOrder(view, step, { amounts: fixedAmounts(view, unfit) }) };
}

/** How an earlier attempt failed. */
function renderLastFailure(view: View): Html | null {
  return view.page.deposit?.state === 'FAILED' ? renderExplanation(view) : null;
}

/** Without repetition, as people read them. */
function fixedAmounts({ words }: View, offers: readonly Offer[]): readonly string[] {
  const amounts = offers.flatMap(({ amountText, currency }) =>
    amountText === null ? [] : renderMoney(amountText, currency.currency, words),
  );
  return [...new Set(amounts)];
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

/** A retry keeps the last number; another one is a press away. */
export function renderOtherNumber(view: View, country: CountryFacts): Html {
  const here = view.offers.filter((offer) => offer.country.alpha3 === country.alpha3);
  return html`<details>
    <summary>${view.words.otherNumber}</summary>
    <form data-swap method="post" action="${addressOf(view)}">
      ${renderHidden({ ...formFields(view, 'review'), country: country.alpha3 })}
      ${renderPhone(view, country, EMPTY_FORM, [])} ${renderAmount(view, here, EMPTY_FORM, [])}
      <div class="go"><button>${view.words.continue}</button></div>
    </form>
  </details>`;
}

function renderPhone(view: View, country: CountryFacts, form: Form, problems: readonly Problem[]): Html {
  const { words } = view;
  if (isPhoneFixed(view)) {
    const { phoneNumber = '' } = view.page.order.terms.payer ?? {};
    return html`<p>${renderLabel(view, words.from)} <b>${maskPhone(phoneNumber)}</b></p>`;
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
