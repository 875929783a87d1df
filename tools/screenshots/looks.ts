// How a screen can be looked at, and what that adds to the name of its picture.
import type { WIDTHS } from '../../server/test/browser.ts';

export const COLOURS = ['light', 'dark'] as const;
export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

export type Look = {
  readonly size: keyof typeof WIDTHS;
  readonly colours: (typeof COLOURS)[number];
  readonly language: Language;
};

/** "-dark-wide-fr"; a phone, the light theme and English add nothing. */
export function endingOf({ size, colours, language }: Look): string {
  const parts = [colours === 'dark' && '-dark', size === 'desktop' && '-wide', language === 'fr' && '-fr'];
  return parts.filter(Boolean).join('');
}
