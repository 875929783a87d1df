// The mark: a coin that drops into an open purse, which is also an M. One colour, that of the text beside it.
import { trusted, type Html } from '../html.ts';

const COIN = '<circle cx="12" cy="4.4" r="3" fill="currentColor"/>';
const PURSE =
  '<path d="M4 20.3V9.4l8 7 8-7v10.9" fill="none" stroke="currentColor" stroke-width="3.4" ' +
  'stroke-linecap="round" stroke-linejoin="round"/>';

/** Drawn without a name: the host's own stands beside it as text. */
export const MARK: Html = trusted(
  `<svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${COIN}${PURSE}</svg>`,
);

/** The same for the tab of a browser and for documents, as a file of its own. */
export function renderMarkFile(colour: string): string {
  const shapes = (COIN + PURSE).replaceAll('currentColor', colour);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${shapes}</svg>`;
}
