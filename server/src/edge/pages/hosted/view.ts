// What every screen of a hosted page is rendered from, and what it is made of.
import type { HostedPage } from '../../../core/checkouts/read-page.ts';
import { LANGUAGES, type Language, type Offer } from '../../../domain/checkouts/page-terms.ts';
import { html, type Html } from '../html.ts';
import type { Words } from './words.ts';

export type View = {
  readonly page: HostedPage;
  /** "/pay/0001…": where the page is. */
  readonly path: string;
  readonly language: Language;
  /** Whether the payer chose the language; then every address carries it. */
  readonly isChosen: boolean;
  readonly words: Words;
  /** Proves that a form is ours. */
  readonly token: string;
  /** Every wallet the payer could pay from. */
  readonly offers: readonly Offer[];
  /** Those whose provider does not take the amount. */
  readonly unfit: readonly Offer[];
  readonly now: Date;
};

export type Screen = {
  readonly title: string;
  readonly body: Html;
  readonly refreshSeconds?: number;
  readonly refreshUrl?: string;
  /** What a form held that this screen answers: choosing another language must not lose it. */
  readonly kept?: Readonly<Record<string, string>>;
};

/** The page's address with what must not get lost. None of it is about the payer. */
export function addressOf(
  { path, language, isChosen }: Pick<View, 'path' | 'language' | 'isChosen'>,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...(isChosen && { lang: language }), ...parameters }).toString();
  return query === '' ? path : `${path}?${query}`;
}

export function renderHidden(fields: Readonly<Record<string, string>>): readonly Html[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}

/** The fields of every form: which page and attempt it is of. */
export function formFields({ page, token }: View, step: string): Readonly<Record<string, string>> {
  return { step, token, attempt: String(page.attemptNo) };
}

/** Whether the payer must pay from the wallet that the merchant named. */
export function isPhoneFixed({ page }: Pick<View, 'page'>): boolean {
  const { payer } = page.order.terms;
  return payer !== undefined && !payer.canChange && payer.phoneNumber !== undefined;
}

export function reasonOf({ page, language }: View): string | undefined {
  const { reason } = page.order;
  return reason?.[language] ?? reason?.en ?? reason?.fr;
}

export function renderReason(view: View): Html | null {
  const reason = reasonOf(view);
  return reason === undefined
    ? null
    : html`<div>
        <dt>${view.words.forReason}</dt>
        <dd>${reason}</dd>
      </div>`;
}

/** The choice of languages: links, or a form where something was typed. */
export function renderLanguages(
  view: View,
  country: string | null,
  labels: Readonly<Record<Language, string>>,
  kept?: Screen['kept'],
): Html {
  const entries = LANGUAGES.map((language) => {
    if (language === view.language)
      return html`<li><span aria-current="true">${labels[language]}</span></li>`;
    const place: Readonly<Record<string, string>> = country === null ? {} : { country };
    const address = addressOf({ ...view, language, isChosen: true }, kept === undefined ? place : {});
    if (kept === undefined)
      return html`<li>
        <a href="${address}" lang="${language}" hreflang="${language}">${labels[language]}</a>
      </li>`;
    return html`<li>
      <form data-swap method="post" action="${address}">
        ${renderHidden(kept)}<button class="plain" lang="${language}">${labels[language]}</button>
      </form>
    </li>`;
  });
  return html`<nav aria-label="${view.words.chooseLanguage}">
    <ul class="languages">
      ${entries}
    </ul>
  </nav>`;
}
