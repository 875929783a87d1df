// The payment page of a simulated operator that redirects payers. It belongs to the operator, so it does not show the
// host's brand.
import type { PayPage } from '../fakes/payers/pay-page.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import { showAmount } from '../../domain/shown-amount.ts';
import { html, type Html } from '../../edge/pages/html.ts';
import { createLook } from '../../edge/pages/look/look.ts';
import { renderPage, type Document } from '../../edge/pages/page.ts';

/** Neither our colour nor that of any operator. */
const OPERATOR_COLOUR = '#3b3f5c';

export function renderPayPage(page: PayPage): Document {
  const name = findProvider(page.provider)?.displayName ?? page.provider;
  const look = createLook({ name: `${name} (simulated)`, colour: OPERATOR_COLOUR, mark: null });
  return renderPage(
    { ...look, mark: html``, icon: null },
    {
      language: 'en',
      title: showAmount(page, 'en'),
      formOrigins: page.returnOrigins,
      body: page.status === 'PENDING' ? renderQuestion(page) : renderEnd(page),
      foot: html`<p>This is a sandbox. No real money moves.</p>`,
    },
  );
}

function renderQuestion(page: PayPage): Html {
  return html`<h1>Approve this payment?</h1>
    <p class="figure">${showAmount(page, 'en')}</p>
    <dl class="amounts card">
      <div>
        <dt>Message</dt>
        <dd>${page.message}</dd>
      </div>
      <div>
        <dt>From</dt>
        <dd>+${page.phoneNumber}</dd>
      </div>
    </dl>
    <form method="post">
      <button name="decision" value="APPROVE">Approve</button>
      <button class="second" name="decision" value="DECLINE">Decline</button>
    </form>`;
}

function renderEnd(page: PayPage): Html {
  return page.status === 'SUCCESSFUL'
    ? html`<div class="notice success">
        <h1>Paid</h1>
        <p>${showAmount(page, 'en')}. Message: ${page.message}. You can close this page.</p>
      </div>`
    : html`<div class="notice failure">
        <h1>Not paid</h1>
        <p>${showAmount(page, 'en')}. Message: ${page.message}. You can close this page.</p>
      </div>`;
}
