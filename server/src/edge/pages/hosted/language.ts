// In which language a payer is spoken to: as chosen on the page, else as the merchant said, else as the browser says.
import type { FastifyRequest } from 'fastify';
import { LANGUAGES, type Language } from '../../../domain/checkouts/page-terms.ts';

export function chosenLanguage(request: FastifyRequest): Language | null {
  const { lang } = request.query as { readonly lang?: unknown };
  return LANGUAGES.find((language) => language === lang) ?? null;
}

/** The one of ours that the browser likes best; English when it likes none. */
export function acceptedLanguage(header: string | undefined): Language {
  const liked = (header ?? '')
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';');
      const quality = parameters.map((text) => /^\s*q=([0-9.]+)$/.exec(text)?.[1]).find(Boolean) ?? '1';
      return { language: tag.split('-')[0], quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .flatMap(({ language }) => LANGUAGES.find((known) => known === language) ?? []);
  return liked[0] ?? 'en';
}
