// The page where a developer chooses a phone.
import { html, type Html } from '../../edge/pages/html.ts';
import type { Look } from '../../edge/pages/look/look.ts';
import { renderPage, type Document } from '../../edge/pages/page.ts';
import { PHONES_PATH, phonePath } from './view.ts';

export function renderPhones(look: Look, phoneNumbers: readonly string[]): Document {
  return renderPage(look, {
    language: 'en',
    title: 'Simulated phones',
    body: html`<h1>Simulated phones</h1>
      <p>
        Open a phone of the sandbox and act as its owner: enter the PIN, decline, or do nothing. No real money
        moves.
      </p>
      <form method="get" action="${PHONES_PATH}">
        <label for="number">Phone number</label>
        <input id="number" name="number" type="tel" inputmode="tel" required placeholder="250783456789" />
        <p class="hint">With the country code.</p>
        <button>Open phone</button>
      </form>
      ${phoneNumbers.length > 0 && renderRecent(phoneNumbers)}`,
  });
}

function renderRecent(phoneNumbers: readonly string[]): Html {
  const items = phoneNumbers.map(
    (number) => html`<li><a class="button second" href="${phonePath(number)}">+${number}</a></li>`,
  );
  return html`<h2>Recent numbers</h2>
    <ul class="links">
      ${items}
    </ul>`;
}

/** What cannot be shown, and why. */
export function renderNoPhone(look: Look, problem: string): Document {
  return renderPage(look, {
    language: 'en',
    title: 'Phone not available',
    body: html`<div class="notice trouble">
        <h1>This phone cannot be shown</h1>
        <p>${problem}</p>
      </div>
      <p><a href="${PHONES_PATH}">Choose another phone</a></p>`,
  });
}
