// The landing page: dashboard, documentation, test phones, and a first request to paste. Without scripts.
import type { Site } from '../../edge/built-files.ts';
import type { DemoLogins } from '../../edge/console/app.ts';
import { html, type Html } from '../../edge/pages/html.ts';
import type { Look } from '../../edge/pages/look/look.ts';
import { squeeze } from '../../edge/pages/look/style.ts';
import { renderPage, type Document } from '../../edge/pages/page.ts';
import { PHONES_PATH } from '../phone/view.ts';
import { renderFirstRequest, renderStatusRequest } from './first-request.ts';
import { LANDING_TEXTS, type LandingTexts } from './texts.ts';

export type Landing = {
  readonly language: keyof typeof LANDING_TEXTS;
  readonly baseUrl: string;
  readonly depositId: string;
  readonly apiToken: string;
  readonly demoLogins: DemoLogins;
  readonly isBuilding: (site: Site) => boolean;
};

export function renderLanding(look: Look, landing: Landing): Document {
  const texts = LANDING_TEXTS[landing.language];
  return renderPage(look, {
    language: landing.language,
    title: texts.title,
    style: STYLE,
    body: html`<h1>${texts.heading}</h1>
      <p class="lead">${texts.lead}</p>
      <div class="places">
        ${renderDashboard(landing, texts)} ${renderDocs(landing, texts)}
        ${renderPlace({ ...texts.phones, href: PHONES_PATH, isBuilding: false, more: null }, texts)}
      </div>
      ${renderApi(landing, texts)}`,
  });
}

type Place = {
  readonly name: string;
  readonly about: string;
  readonly href: string;
  readonly isBuilding: boolean;
  readonly more: Html | null;
};

function renderPlace({ name, about, href, isBuilding, more }: Place, texts: LandingTexts): Html {
  return html`<section class="card place">
    <h2><a href="${href}">${name}</a></h2>
    <p>${about}</p>
    ${more} ${isBuilding && html`<p class="soft">${texts.building}</p>`}
  </section>`;
}

function renderDashboard({ demoLogins, isBuilding }: Landing, texts: LandingTexts): Html {
  const more = renderLogins(demoLogins, texts);
  const place = { ...texts.dashboard, href: '/dashboard', isBuilding: isBuilding('dashboard'), more };
  return renderPlace(place, texts);
}

function renderDocs({ isBuilding }: Landing, texts: LandingTexts): Html {
  return renderPlace({ ...texts.docs, href: '/docs/', isBuilding: isBuilding('docs'), more: null }, texts);
}

/** The first of the merchant and the first of the platform; the sign-in page has all of them. */
function renderLogins({ people, password }: DemoLogins, texts: LandingTexts): Html {
  const emailOf = (role: string) => people.find((person) => person.role === role)?.email ?? '';
  return html`<dl class="logins">
    <dt>${texts.merchant}</dt>
    <dd>${emailOf('OWNER')}</dd>
    <dt>${texts.platform}</dt>
    <dd>${emailOf('OPERATOR_ADMIN')}</dd>
    <dt>${texts.password}</dt>
    <dd>${password}</dd>
  </dl>`;
}

function renderApi({ baseUrl, depositId, apiToken }: Landing, texts: LandingTexts): Html {
  const first = { baseUrl, depositId, apiToken };
  return html`<section>
    <h2>${texts.api.name}</h2>
    <p>${texts.api.about}</p>
    <pre><code>${renderFirstRequest(first)}</code></pre>
    <p>${texts.outcome}</p>
    <pre><code>${renderStatusRequest(first)}</code></pre>
    <p>
      ${texts.more}
      <a href="/docs/reference/sandbox-numbers">${texts.numbers}</a> ·
      <a href="/docs/api/v2.html">${texts.reference}</a>
    </p>
  </section>`;
}

/** A whole card is its link; a click on a line to paste selects all of it. */
const STYLE = squeeze(`
  main { max-width: 64rem }
  .band p, .band > div { max-width: 62rem }
  .lead { color: var(--soft); font-size: 1.125rem }
  .places { display: grid; gap: 1rem; margin: 0 0 1.5rem }
  @media (min-width: 48rem) { .places { grid-template-columns: repeat(3, 1fr) } h1 { font-size: 2rem } }
  .place { position: relative; margin: 0; border: 2px solid transparent }
  .place:hover, .place:focus-within { border-color: var(--action) }
  .place h2 { margin-top: 0; font-size: 1.25rem }
  .place a::after { content: ""; position: absolute; inset: 0 }
  .place p, .place dl { margin-bottom: .5rem }
  .logins { font-size: .9375rem }
  .logins dt { color: var(--soft); margin-top: .25rem }
  .logins dd { margin: 0; font-weight: 600; position: relative; user-select: all }
  pre { background: var(--raised); border-radius: 8px; padding: .75rem 1rem; margin: 0 0 1rem; white-space: pre-wrap;
    user-select: all; font-size: .875rem; line-height: 1.5 }
`);
