// The screen of the phone: one thing at a time, as on most payers' phones.
import { showAmount } from '../../domain/shown-amount.ts';
import { html, type Html } from '../../edge/pages/html.ts';
import { phonePath, type CodeMenu, type PhoneView, type ShownPrompt } from './view.ts';

/** `data-version` changes when the part must be replaced, and not while a person types into it. */
export function renderScreen(view: PhoneView): Html {
  const { content, version } = chooseContent(view);
  return html`<div class="phone" id="screen" data-live data-version="${version}">
    <div class="glass">
      <p class="bar"><span>${view.network}</span><span>+${view.phone.phoneNumber}</span></p>
      ${content}
    </div>
    ${renderKeys()}
  </div>`;
}

/** The first prompt that was not ignored, else the menu, else the time only. */
function chooseContent(view: PhoneView): { readonly content: Html; readonly version: string } {
  const prompt = openPrompt(view);
  if (prompt !== null) {
    const content =
      prompt.pageUrl === null ? renderPrompt(view, prompt) : renderRedirect(prompt, prompt.pageUrl);
    return { content, version: `${prompt.promptId} ${prompt.pinsLeft}` };
  }
  if (view.codeMenu !== null && view.isMenuOpen) {
    return { content: renderCodeMenu(view, view.codeMenu), version: 'menu' };
  }
  return { content: renderIdle(view), version: `idle ${timeOf(view.now)}` };
}

export function openPrompt({ prompts }: PhoneView): ShownPrompt | null {
  return prompts.find(({ ignoredUntil }) => ignoredUntil === null) ?? null;
}

/** Enter submits with the first button of a form. */
function renderPrompt({ phone }: PhoneView, prompt: ShownPrompt): Html {
  const { promptId, pinsLeft, merchantName, message } = prompt;
  return html`<form method="post" action="${phonePath(phone.phoneNumber)}/answer" autocomplete="off">
    <input type="hidden" name="promptId" value="${promptId}" />
    <p class="big">Pay ${showAmount(prompt, 'en')} to ${merchantName}?</p>
    ${message !== merchantName && html`<p>${message}</p>`}
    ${pinsLeft < 3 && html`<p class="wrong" role="alert">Wrong PIN. Tries left: ${pinsLeft}</p>`}
    <label for="pin">Enter PIN to pay</label>
    ${renderPinField()}
    <div class="soft-keys">
      <button name="decision" value="APPROVE">Send</button>
      <button class="second" name="decision" value="DECLINE" formnovalidate>Decline</button>
    </div>
    <button class="plain" name="decision" value="IGNORE" formnovalidate>Ignore</button>
  </form>`;
}

function renderPinField(): Html {
  return html`<input
    id="pin"
    name="pin"
    type="password"
    inputmode="numeric"
    pattern="[0-9]{4}"
    maxlength="4"
    autocomplete="off"
    required
    title="Four digits"
  />`;
}

function renderRedirect(prompt: ShownPrompt, pageUrl: string): Html {
  return html`<p class="big">Pay ${showAmount(prompt, 'en')} to ${prompt.merchantName}?</p>
    <p>Approve it on the operator's page.</p>
    <div class="soft-keys"><a class="button" href="${pageUrl}">Open page</a></div>`;
}

function renderIdle({ phone, now, codeMenu, prompts }: PhoneView): Html {
  return html`<p class="time">${timeOf(now)}</p>
    <p class="idle">No pending request</p>
    ${prompts.map(renderIgnored)}
    ${
      codeMenu !== null &&
      html`<div class="soft-keys">
        <a class="button second" href="${phonePath(phone.phoneNumber)}?menu=code"
          >Dial ${codeMenu.shortCode} for a payment code</a
        >
      </div>`
    }`;
}

function renderIgnored(prompt: ShownPrompt): Html {
  const until = prompt.ignoredUntil ?? '';
  return html`<p class="idle">
    You ignored a request for ${showAmount(prompt, 'en')} from ${prompt.merchantName}. It expires at
    ${until.slice(11, 19)}.
  </p>`;
}

function renderCodeMenu({ phone, menuFault }: PhoneView, { shortCode, currency }: CodeMenu): Html {
  return html`<form method="post" action="${phonePath(phone.phoneNumber)}/code" autocomplete="off">
    <p class="big">${shortCode}</p>
    ${menuFault === 'amount' && html`<p class="wrong" role="alert">Enter a valid amount.</p>`}
    ${menuFault === 'pin' && html`<p class="wrong" role="alert">Wrong PIN.</p>`}
    <label for="amount">Amount in ${currency}</label>
    <input id="amount" name="amount" inputmode="decimal" maxlength="12" required />
    <label for="pin">PIN</label>
    ${renderPinField()}
    <div class="soft-keys">
      <button>Send</button>
      <a class="button second" href="${phonePath(phone.phoneNumber)}">Back</a>
    </div>
  </form>`;
}

/** Shown only if a script can make them work. */
function renderKeys(): Html {
  const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'C', '0', 'OK'];
  return html`<div class="keys" hidden>
    ${keys.map((key) => html`<button type="button" data-key="${key}">${key}</button>`)}
  </div>`;
}

function timeOf(now: Date): string {
  return now.toISOString().slice(11, 16);
}
