// The style that only hosted pages have. It stands in every screen, because scripts put one screen in the place of
// another.
import { createPalettes, type Palette } from '../look/palette.ts';
import type { Colour } from '../look/contrast.ts';
import { squeeze } from '../look/style.ts';

/**
 * A phone shows the order as a block under the band, a wide screen as a card beside the step. What pays stays in sight
 * at the lower edge where a screen is longer than the phone's.
 */
const LAYOUT = `
  .split main { padding-top: 0 }
  .order { background: var(--raised); margin: 0 -1rem 1rem; padding: .75rem 1rem }
  .order > * { margin: 0 }
  .order h1 { font-size: 1.25rem }
  .order .figure { font-size: 1.75rem }
  .shop { font-weight: 600 }
  .logo { height: 2rem; max-width: 6rem; padding: 3px; background: #fff; border-radius: 6px }
  .step h1 { font-size: 1.375rem; margin-bottom: .5rem }
  .own { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin: 0 0 .5rem }
  .own a { display: flex; align-items: center; min-height: 48px; white-space: nowrap }
  main summary { padding: .75rem 0; text-decoration: underline; cursor: pointer }
  .step .notice { padding: .75rem; margin-bottom: .75rem }
  .offers { display: grid; grid-template-columns: repeat(auto-fit, minmax(max(9rem, 40%), 1fr)); gap: .5rem;
    margin: .5rem 0 }
  .offers .choice { margin: 0; padding: .5rem .75rem; gap: .75rem }
  .offers .wrong { display: block; font-size: .8125rem; font-weight: 400 }
  .go { position: sticky; bottom: 0; z-index: 1; background: var(--paper); padding: .5rem 0; margin: 0 0 .5rem }
  .go button { margin: 0 }
  html { scroll-padding-bottom: 5rem }
  @media (max-height: 24rem) { .go { position: static } }
  @media (min-width: 56rem) {
    .split main, .split .foot { max-width: 62rem }
    .split .band > div { max-width: 60rem }
    .split main { display: grid; grid-template-columns: 5fr 6fr; gap: 3rem; align-items: start; padding: 3rem 1rem }
    .order { margin: 0; padding: 2rem; border-top: 6px solid var(--band); border-radius: 12px; display: grid;
      gap: .75rem; min-height: 10rem; align-content: start }
    .order h1, .shop { font-size: 1.5rem }
    .order .figure { font-size: 2.5rem }
    .step { max-width: 32rem }
    .step h1 { font-size: 1.75rem; margin-bottom: 1rem }
    .go { position: static }
  }
`;

/**
 * The field for a one-time code is there for anyone who chooses the provider that wants one; old browsers always show
 * it. What is said of a request on the phone goes when a provider is chosen that sends none.
 */
const CHOICES = `
  @supports selector(:has(*)) { .code { display: none } form:has([data-code]:checked) .code { display: block }
    form:has([data-unprompted]:checked) .prompted { display: none } }
`;

export const HOSTED_STYLE = squeeze(LAYOUT + CHOICES);

/** The colours that follow from a merchant's own, in place of those of the host's. */
export function renderMerchantColours(colour: Colour): string {
  const { light, dark } = createPalettes(colour);
  return (
    `:root{${coloursOf(light)}}` +
    `@media (prefers-color-scheme:dark){:root{${coloursOf(dark)}}}` +
    `@media print{:root{${coloursOf(light)}}}`
  );
}

function coloursOf({ band, onBand, action }: Palette): string {
  return `--band:${band};--on-band:${onBand};--action:${action}`;
}
