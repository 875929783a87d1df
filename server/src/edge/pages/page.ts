// A whole page: the document around a body, and the headers that go with it.
//
// The style stands in the page itself, allowed by its hash. The first view then is one request and one answer that
// fits in the ten packets a server may send before it hears back (about 14 KB): on 2G a second round trip takes
// 0.6 s and more, and the style's 3 KB take half of that. Scripts come after the page, from a path that carries the
// hash of their contents, and are kept permanently: no page needs one to be used.
import { createHash } from 'node:crypto';
import { html, trusted, type Html } from './html.ts';
import type { Asset, Look } from './look/look.ts';

export type Page = {
  /** Its code: "en". */
  readonly language: string;
  readonly title: string;
  /** What stands in `<main>`. */
  readonly body: Html;
  /** What stands below it: where to go, whose page it is. */
  readonly foot?: Html;
  /** What stands on the band behind the name: the choice of languages. */
  readonly onBand?: Html;
  /** What stands below the band across the page. */
  readonly strip?: string;
  /** A style of this page only, on top of the look. */
  readonly style?: string;
  readonly script?: Asset;
  /** Loads the page again, for browsers without scripts. */
  readonly refreshSeconds?: number;
  /** Loads this address instead. */
  readonly refreshUrl?: string;
  /** WIDE: more room on a wide screen. SPLIT: `.order` and `.step` beside each other there. */
  readonly layout?: 'WIDE' | 'SPLIT';
  /** Origins other than ours that a form's answer may lead to: browsers hold redirects to `form-action` too. */
  readonly formOrigins?: readonly string[];
};

export type Document = { readonly text: string; readonly headers: Readonly<Record<string, string>> };

export function renderPage(look: Look, page: Page): Document {
  const style = look.style + (page.style ?? '');
  return {
    text: `<!doctype html>\n${renderDocument(look, page, style).toString()}`,
    headers: headersOf(page, style),
  };
}

function renderDocument(look: Look, page: Page, style: string): Html {
  const { language, title, body, foot, onBand, strip, script, layout } = page;
  return html`<html lang="${language}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${title} · ${look.name}</title>
      ${look.icon !== null && html`<link rel="icon" href="${look.icon.path}" />`}
      ${page.refreshSeconds !== undefined && renderRefresh(page.refreshSeconds, page.refreshUrl)}
      <style>${trusted(style)}</style>
      ${script !== undefined && html`<script defer src="${script.path}"></script>`}
    </head>
    <body${layout !== undefined && html` class="${layout.toLowerCase()}"`}>
      <header>
        <div class="band">
          <div><p>${look.mark}<span>${look.name}</span></p>${onBand ?? null}</div>
        </div>
        ${strip !== undefined && html`<p class="strip">${strip}</p>`}
      </header>
      <main>${body}</main>
      ${foot !== undefined && html`<footer class="foot">${foot}</footer>`}
    </body>
  </html>`;
}

/** With scripts a page hears of news by itself, and a reload would take away what is being typed. */
function renderRefresh(seconds: number, url?: string): Html {
  const content = url === undefined ? seconds : `${seconds};url=${url}`;
  return html`<noscript><meta http-equiv="refresh" content="${content}" /></noscript>`;
}

function headersOf(page: Page, style: string): Document['headers'] {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': page.language,
    'content-security-policy': policyOf(page, style),
    // For browsers too old to know frame-ancestors.
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

function policyOf({ script, formOrigins = [] }: Page, style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const lively = script === undefined ? [] : ["script-src 'self'", "connect-src 'self'"];
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "img-src 'self'",
    ...lively,
    ["form-action 'self'", ...formOrigins].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
