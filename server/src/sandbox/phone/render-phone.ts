// The page of a simulated phone: the phone, its messages, and information for developers.
import { findProvider } from '../../domain/operators/catalogue.ts';
import type { Message } from '../fakes/payers/messages.ts';
import { html, type Html } from '../../edge/pages/html.ts';
import type { Look } from '../../edge/pages/look/look.ts';
import { renderPage, type Document } from '../../edge/pages/page.ts';
import { renderScreen, openPrompt } from './render-screen.ts';
import { PHONE_SCRIPT } from './phone-script.ts';
import { PHONE_STYLE } from './phone-style.ts';
import { PHONES_PATH, phonePath, type PhoneView, type ShownPrompt } from './view.ts';

export function renderPhone(look: Look, view: PhoneView): Document {
  const { phoneNumber } = view.phone;
  return renderPage(look, {
    language: 'en',
    title: `Phone ${phoneNumber}`,
    layout: 'WIDE',
    style: PHONE_STYLE,
    script: PHONE_SCRIPT,
    refreshSeconds: isTyping(view) ? TYPING_SECONDS : IDLE_SECONDS,
    body: html`<h1>Simulated phone</h1>
      <p class="hidden" role="status" id="news"></p>
      <div class="beside">
        <div>${renderScreen(view)}</div>
        <div>${renderMessages(view.phone.messages)} ${renderFacts(view)}</div>
      </div>`,
    foot: html`<p>
      <a href="${phonePath(phoneNumber)}">Refresh</a> · <a href="${PHONES_PATH}">All phones</a>
    </p>`,
  });
}

/** A reload would delete what is being typed; but without reloads the phone counts as no longer held. */
const TYPING_SECONDS = 90;
const IDLE_SECONDS = 4;

function isTyping(view: PhoneView): boolean {
  return openPrompt(view) !== null || view.isMenuOpen;
}

function renderMessages(messages: readonly Message[]): Html {
  return html`<section id="messages" data-live data-version="${messages.length}">
    <h2>Messages</h2>
    ${messages.length === 0 && html`<p class="soft">No messages yet.</p>`}
    <ul class="sms">
      ${messages.map(renderMessage)}
    </ul>
  </section>`;
}

function renderMessage({ provider, at, text }: Message): Html {
  return html`<li>
    <p class="soft">
      ${findProvider(provider)?.displayName ?? provider} · <time datetime="${at}">${at.slice(11, 19)}</time>
    </p>
    <p>${text}</p>
  </li>`;
}

function renderFacts(view: PhoneView): Html {
  const { phoneNumber } = view.phone;
  const facts = view.prompts.map(renderFact);
  return html`<section class="card" id="facts" data-live data-version="${view.prompts.length}">
    <h2>How this phone works</h2>
    <ul class="facts">
      ${facts}
      <li>
        Any four digits work as the PIN, except <code>0000</code>: it is wrong, and the third wrong PIN ends
        the payment.
      </li>
      <li>
        While this page is open, payments wait for your answer. Two minutes after you close it, this phone
        approves them automatically again.
      </li>
    </ul>
    <form method="post" action="${phonePath(phoneNumber)}/put-down">
      <button class="second">Close</button>
    </form>
  </section>`;
}

/** The outcome of the test phone number, which a payer could not know. */
function renderFact({ depositId, promptId, endsAs }: ShownPrompt): Html {
  return html`<li>
    ${depositId === null ? html`Payment <code>${promptId}</code>` : html`Deposit <code>${depositId}</code>`}
    ${
      endsAs === null
        ? 'completes when you approve it.'
        : html`ends with the operator's <code>${endsAs}</code> even if you approve it: this test number always
            does.`
    }
  </li>`;
}
