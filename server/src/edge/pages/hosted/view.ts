// What every screen of a hosted page is rendered from, and what it is made of.
import type { HostedPage } from '../../../core/checkouts/read-page.ts';
import type { Offer } from '../../../domain/checkouts/page-terms.ts';
import { html, type Html } from '../html.ts';
import { LANGUAGES } from './language.ts';
import type { Words } from './words.ts';

export type View = {
  readonly page: HostedPage;
  /** "/pay/0001…": where the page is. */
  readonly path: string;
  readonly language: string;
  /** Whether the payer chose the language; then every address carries it. */
  readonly isChosen: boolean;
  readonly words: Words;
  /** The countries that the browser names, as alpha-2 codes, the best liked first. */
  readonly likelyCountries: readonly string[];
  /** Proves that a form is ours. */
  readonly token: string;
  /** Every wallet the payer could pay from. */
  readonly offers: readonly Offer[];
  /** Those whose provider does not take the amount. */
  readonly unfit: readonly Offer[];
  readonly now: Date;
};

/** What every page is framed by, also that of a payment link, where no payment has begun. */
export type Framed = Pick<View, 'path' | 'language' | 'isChosen' | 'words'> & {
  readonly page: Pick<HostedPage, 'merchant'>;
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

/** The choice of languages: links, or a form where something was typed. */
export function renderLanguages(view: Framed, country: string | null, kept?: Screen['kept']): Html {
  const others = [...LANGUAGES].filter(([language]) => language !== view.language);
  const entries = others.map(([language, { languageName }]) => {
    const place: Readonly<Record<string, string>> = country === null ? {} : { country };
    const address = addressOf({ ...view, language, isChosen: true }, kept === undefined ? place : {});
    if (kept === undefined)
      return html`<li>
        <a href="${address}" lang="${language}" hreflang="${language}">${languageName}</a>
      </li>`;
    return html`<li>
      <form data-swap method="post" action="${address}">
        ${renderHidden(kept)}<button class="plain" lang="${language}">${languageName}</button>
      </form>
    </li>`;
  });
  return html`<nav class="languages" aria-label="${view.words.chooseLanguage}">
    <details>
      <summary>${view.words.languageName}</summary>
      <ul>
        ${entries}
      </ul>
    </details>
  </nav>`;
}
