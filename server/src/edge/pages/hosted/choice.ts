// What a payer has told so far, read from a form: which wallet, how much. What is wrong is said in the payer's words.
import { findProvider, type CountryFacts, type ProviderFacts } from '../../../domain/operators/catalogue.ts';
import { decimalsWritten, parseAmount, type Amount } from '../../../domain/money.ts';
import { fits, type Offer } from '../../../domain/checkouts/page-terms.ts';
import { readPayerNumber } from '../../../domain/payments/payer-number.ts';
import { isErased, type Payment } from '../../../domain/payments/payment.ts';
import { EMPTY_FORM, LAST_WALLET, type Form } from './form.ts';
import { isPhoneFixed, type View } from './view.ts';
import { renderCountry, renderMoney, type Words } from './words.ts';

export type Problem = {
  readonly field: 'phone' | 'amount' | 'offer' | 'code' | 'form';
  readonly text: string;
};

export type Choice = {
  readonly country: CountryFacts;
  /** The wallets of that country. */
  readonly offers: readonly Offer[];
  /** As payments take it; null when it is no number of the country. */
  readonly phoneNumber: string | null;
  /** The number is that of the last attempt: the page keeps it, and shows only its end. */
  readonly isLastWallet: boolean;
  readonly amountText: string;
  /** The one that was chosen, or else the one the number belongs to. */
  readonly offer: Offer | null;
  /** Whether the offer is the one that the number belongs to, and was not chosen by the merchant. */
  readonly isPredicted: boolean;
  /** The provider that would have been chosen but cannot be used; no other takes its place. */
  readonly missing: ProviderFacts | null;
  readonly code: string;
};

/** "MTN_MOMO_RWA RWF": how a form names an offer. */
export function nameOf({ provider, currency }: Offer): string {
  return `${provider.code} ${currency.currency}`;
}

/** The countries a payer can choose from, in the order of the catalogue. */
export function listCountries(offers: readonly Offer[]): readonly CountryFacts[] {
  return [...new Map(offers.map(({ country }) => [country.alpha3, country])).values()];
}

/** The country to go on with; null while there are several and nothing says which. */
export function chosenCountry(view: View, asked: string): CountryFacts | null {
  const countries = listCountries(view.offers);
  const find = (isIt: (country: CountryFacts) => boolean) => countries.find(isIt);
  const { phoneNumber, provider } = view.page.order.terms.payer ?? {};
  const known = view.offers.find(
    ({ country, provider: { code } }) =>
      code === provider || (phoneNumber !== undefined && phoneNumber.startsWith(country.prefix)),
  );
  const last = findProvider(view.page.deposit?.provider ?? '')?.country;
  const likely = view.likelyCountries.flatMap((alpha2) => find((one) => one.alpha2 === alpha2) ?? []);
  return (
    find(({ alpha3 }) => alpha3 === asked) ??
    known?.country ??
    find(({ alpha3 }) => alpha3 === last) ??
    likely[0] ??
    (countries.length === 1 ? countries[0] : undefined) ??
    null
  );
}

/** What the payer chose for the attempt that failed, to try again with it; null where there is none. */
export function retryForm({ page, offers }: View): Form | null {
  const last = lastFailed(page.deposit);
  if (last === null) return null;
  const offer = `${last.provider} ${last.currency}`;
  const isUsable = offers.some((one) => nameOf(one) === offer && one.status === 'OPERATIONAL');
  return {
    ...EMPTY_FORM,
    wallet: LAST_WALLET,
    amount: last.amountText,
    offer: isUsable ? offer : '',
  };
}

/** Not of a payer whose data was erased. */
function lastFailed(deposit: Payment | null): Payment | null {
  return deposit?.state === 'FAILED' && !isErased(deposit.details) ? deposit : null;
}

/** What the terms fix is taken from them, whatever the form says. */
export function readChoice(
  view: View,
  country: CountryFacts,
  form: Form,
  options: { readonly testNumbersAllowed: boolean },
): Choice {
  const { payer } = view.page.order.terms;
  const offers = view.offers.filter((offer) => offer.country.alpha3 === country.alpha3);
  const last = form.wallet === LAST_WALLET ? lastFailed(view.page.deposit) : null;
  const typed = last === null ? form.phone : last.details.phoneNumber;
  const phoneText = isPhoneFixed(view) ? (payer?.phoneNumber ?? '') : typed;
  const number = readPayerNumber(phoneText, country, options);
  const usable = offers.filter(({ status }) => status === 'OPERATIONAL');
  const named = offers.find((offer) => nameOf(offer) === form.offer);
  const guess = payer?.provider ?? number?.provider;
  const guessed = usable.find(({ provider }) => provider.code === guess);
  const missing = guessed === undefined ? findProvider(guess ?? '') : null;
  const [only] = usable.length === 1 && missing === null ? usable : [];
  const offer = named ?? guessed ?? only;
  return {
    country,
    offers,
    phoneNumber: number?.phoneNumber ?? null,
    isLastWallet: last !== null,
    amountText: readAmountText(form.amount),
    offer: offer ?? null,
    isPredicted: payer?.provider === undefined && offer?.provider.code === number?.provider,
    missing,
    code: form.code.trim(),
  };
}

export function hasNumber(choice: Choice): choice is Choice & { readonly phoneNumber: string } {
  return choice.phoneNumber !== null;
}

/** The amount as an offer asks for it, or as the payer entered it. */
export function amountOf(choice: Choice, offer: Offer): string {
  return offer.amountText ?? choice.amountText;
}

/** What keeps the payer from going on to the last look. */
export function listProblems(choice: Choice, { words }: View): readonly Problem[] {
  const { phoneNumber, country, offer, offers } = choice;
  return [
    ...(phoneNumber === null
      ? [{ field: 'phone', text: words.problems.phone(renderCountry(country, words)) } as const]
      : []),
    ...listAmountProblems(choice, offer === null ? offers : [offer], words),
  ];
}

/** What keeps the payer from paying. */
export function listPayProblems(choice: Choice, view: View): readonly Problem[] {
  const { offer, code } = choice;
  const { problems, trouble } = view.words;
  if (offer === null) return [...listProblems(choice, view), { field: 'offer', text: problems.provider }];
  const isDown = offer.status !== 'OPERATIONAL';
  const text = trouble(offer.provider.displayName);
  return [
    ...listProblems(choice, view),
    ...(isDown ? [{ field: 'offer', text } as const] : []),
    ...(offer.provider.authType === 'PREAUTH' && (code === '' || code.length > 36)
      ? [{ field: 'code', text: problems.code } as const]
      : []),
  ];
}

export function parsePositive(text: string): Amount | null {
  const amount = parseAmount(text);
  return amount === null || amount === 0n ? null : amount;
}

/** One of the offers must take what the payer entered; each says what it takes. */
function listAmountProblems(
  { amountText }: Choice,
  offers: readonly Offer[],
  words: Words,
): readonly Problem[] {
  const field = 'amount';
  if (offers.length === 0 || offers.some((offer) => offer.amountText !== null)) return [];
  if (parsePositive(amountText) === null) return [{ field, text: words.problems.amount }];
  if (offers.some(({ limits }) => fits(amountText, limits))) return [];
  return offers.map((offer) => ({ field, text: explainLimits(offer, amountText, words) }));
}

/** Which amounts a provider takes, said of one that it does not take. */
export function explainLimits(
  { limits, currency, provider }: Offer,
  amountText: string,
  words: Words,
): string {
  if (decimalsWritten(amountText) > limits.decimals && limits.decimals === 0)
    return words.problems.decimals(provider.displayName);
  const money = (text: string) => renderMoney(text, currency.currency, words);
  return words.problems.bounds(
    provider.displayName,
    money(limits.minAmountText),
    money(limits.maxAmountText),
  );
}

/** "1 000", "1,000" and "1000,50" as people write them. The last look shows what was understood. */
function readAmountText(text: string): string {
  const dense = text.replace(/[\s\u00A0\u202F'’]/g, '');
  const pointed = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(dense)
    ? dense.replaceAll(',', '')
    : dense.replace(',', '.');
  return pointed.replace(/^0+(?=\d)/, '');
}
