// In which language a payer reads: as chosen on the page, else as the merchant said, else as the browser says. Every
// file in languages/ is a language, named by its code: a further one needs nothing else.
import { readdirSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import { words as english } from './languages/en.ts';
import type { Words } from './words.ts';

/** The words by the code of their language, in the order of the languages' names. */
export const LANGUAGES: ReadonlyMap<string, Words> = await readLanguages(
  new URL('languages/', import.meta.url),
);

async function readLanguages(folder: URL): Promise<ReadonlyMap<string, Words>> {
  // Published packages hold JavaScript.
  const files = readdirSync(folder).filter((file) => /^[a-z]{2,3}\.[jt]s$/.test(file));
  const entries = await Promise.all(
    files.map(async (file) => {
      const { words } = (await import(new URL(file, folder).href)) as { readonly words: Words };
      return [file.slice(0, file.indexOf('.')), words] as const;
    }),
  );
  return new Map(
    entries.toSorted(([, one], [, other]) => one.languageName.localeCompare(other.languageName, 'en')),
  );
}

export function wordsIn(language: string): Words {
  return LANGUAGES.get(language) ?? english;
}

/** `ofMerchant`: what the request for the page said. */
export function languageFor(request: FastifyRequest, ofMerchant?: string): string {
  return chosenLanguage(request) ?? ofMerchant ?? acceptedLanguage(request.headers['accept-language']);
}

export function chosenLanguage(request: FastifyRequest): string | null {
  const { lang } = request.query as { readonly lang?: unknown };
  return typeof lang === 'string' && LANGUAGES.has(lang) ? lang : null;
}

/** The one of ours that the browser likes best; English when it likes none. */
function acceptedLanguage(header: string | undefined): string {
  return parseAccepted(header).find(({ language }) => LANGUAGES.has(language))?.language ?? 'en';
}

/** The countries in the browser's languages, as alpha-2 codes, the best liked first: "fr-SN" is Senegal. */
export function acceptedCountries(request: FastifyRequest): readonly string[] {
  return parseAccepted(request.headers['accept-language']).flatMap(({ country }) => country ?? []);
}

type Accepted = { readonly language: string; readonly country: string | null };

function parseAccepted(header = ''): readonly Accepted[] {
  return header
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';');
      const quality = parameters.map((text) => /^\s*q=([0-9.]+)$/.exec(text)?.[1]).find(Boolean) ?? '1';
      const [language = '', ...subtags] = tag.split('-');
      const country = subtags.find((subtag) => /^[a-z]{2}$/.test(subtag))?.toUpperCase() ?? null;
      return { language, country, quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality);
}
