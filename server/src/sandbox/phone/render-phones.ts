// The page where a developer chooses a phone.
import { html, type Html } from '../../edge/pages/html.ts';
import type { Look } from '../../edge/pages/look/look.ts';
import { renderPage, type Document } from '../../edge/pages/page.ts';
import { PHONES_PATH, phonePath } from './view.ts';

export function renderPhones(look: Look, phoneNumbers: readonly string[]): Document {
  return renderPage(look, {
    language: 'en',
    title: 'Simulated phones',
    body: html`<h1>Play a payer</h1>
      <p>
        Pick up any phone of the sandbox: you see what its operator shows, type the PIN, decline, or do
        nothing. No money moves.
      </p>
      <form method="get" action="${PHONES_PATH}">
        <label for="number">Phone number</label>
        <input id="number" name="number" type="tel" inputmode="tel" required placeholder="250783456789" />
        <p class="hint">With the dial code of its country.</p>
        <button>Pick up</button>
      </form>
      ${phoneNumbers.length > 0 && renderRecent(phoneNumbers)}`,
  });
}

function renderRecent(phoneNumbers: readonly string[]): Html {
  const items = phoneNumbers.map(
    (number) => html`<li><a class="button second" href="${phonePath(number)}">+${number}</a></li>`,
  );
  return html`<h2>Lately paid or paid to</h2>
    <ul class="languages">
      ${items}
    </ul>`;
}

/** What cannot be shown, and why. */
export function renderNoPhone(look: Look, problem: string): Document {
  return renderPage(look, {
    language: 'en',
    title: 'No phone',
    body: html`<div class="notice trouble">
        <h1>There is no phone to show</h1>
        <p>${problem}</p>
      </div>
      <p><a href="${PHONES_PATH}">Choose another phone</a></p>`,
  });
}
