// What every page has, anyone who draws it: escaped values, a strict policy, the host's brand.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, property, string } from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { html, Html, trusted } from '../../../src/edge/pages/html.ts';
import { DEFAULT_BRAND } from '../../../src/edge/pages/look/brand.ts';
import { createAsset, createLook } from '../../../src/edge/pages/look/look.ts';
import { renderPage, type Page } from '../../../src/edge/pages/page.ts';
import { complaintAbout, MINIMAL_SETTINGS } from '../../settings.ts';

const look = createLook(DEFAULT_BRAND);
const draw = (page: Partial<Page> = {}) =>
  renderPage(look, { language: 'en', title: 'Pay', body: html`<p>Body</p>`, ...page });

describe('the html template', () => {
  test('whatever text is put into it stays text', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        const [, attribute = '', content = ''] = String(html`<p title="${text}">${text}</p>`).split(
          /"|<\/p>/,
        );
        expect(attribute).not.toMatch(/[<>'`]/);
        expect(content).toBe(`>${attribute}`);
        expect(attribute.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(text);
      }),
    );
  });

  test('html in it stays html, in lists too, and what is absent shows nothing', () => {
    const items = ['<a>', 'b'].map((text) => html`<li>${text}</li>`);
    const list = html`<ul>
      ${items}
    </ul>`;
    expect(String(list).replaceAll(/\s/g, '')).toBe('<ul><li>&#60;a&#62;</li><li>b</li></ul>');
    expect(String(html`${null}${false}${0}`).trim()).toBe('0');
  });

  test('no one can pass a text for html', () => {
    expect(() => new Html('<script>', Symbol('made here') as never)).toThrow(/html template/);
    const impostor = { toString: () => '<b>' } as unknown as Html;
    expect(() => String(html`${impostor}`)).toThrow();
    expect(String(html`${trusted('<b>')}`)).toBe('<b>');
  });
});

describe('a page', () => {
  test('a page says its language, its title and whose it is', () => {
    const { text, headers } = draw({ language: 'fr', title: 'Payer <tout>' });
    expect(text).toMatch(/^<!doctype html>\n<html lang="fr">/);
    expect(text).toContain('<title>Payer &#60;tout&#62; · Malipo</title>');
    expect(headers['content-language']).toBe('fr');
  });

  test('a page allows its own style by hash, no script, no frame, nothing of others, and is kept nowhere', () => {
    const { text, headers } = draw();
    const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; base-uri 'none'; ` +
        "frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(text).not.toMatch(/ style=| on\w+=/);
  });

  test('with a script may run scripts of this host only, and refreshes itself only where there are none', () => {
    const script = createAsset('live.js', 'text/javascript', 'void 0');
    const { text, headers } = draw({ script, refreshSeconds: 5 });
    expect(headers['content-security-policy']).toContain("script-src 'self'; connect-src 'self'");
    expect(text).toContain(`<script defer src="${script.path}"></script>`);
    expect(text).toContain('<noscript><meta http-equiv="refresh" content="5" /></noscript>');
  });

  test('a page lets a form lead to the origins it names', () => {
    const { headers } = draw({ formOrigins: ['https://shop.example'] });
    expect(headers['content-security-policy']).toContain("form-action 'self' https://shop.example;");
  });
});

describe("a host's brand", () => {
  const folder = mkdtempSync(join(tmpdir(), 'brand-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  test("a host's brand is ours where none is configured", () => {
    expect(readConfig(MINIMAL_SETTINGS).brand).toEqual(DEFAULT_BRAND);
  });

  test('name, colour and mark are on every page, the mark as an image that can run nothing', () => {
    const { brand } = readConfig({
      ...MINIMAL_SETTINGS,
      MALIPO_BRAND_NAME: 'Pesa & Sons',
      MALIPO_BRAND_COLOUR: '#FFCC00',
      MALIPO_BRAND_MARK: file('mark.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
    });
    const branded = createLook(brand);
    const { text } = renderPage(branded, { language: 'en', title: 'Pay', body: html`` });
    expect(text).toContain('Pesa &#38; Sons</span>');
    expect(text).toContain('--band:#ffcc00');
    expect(text).toMatch(/<img class="mark" src="\/assets\/[0-9a-f]{16}\/mark\.svg" alt="" \/>/);
    expect(text).not.toContain('<script');
    expect(branded.assets).toMatchObject([{ type: 'image/svg+xml' }]);
  });

  test.each([
    ['a name that is too long', 'MALIPO_BRAND_NAME', 'x'.repeat(41), /1 to 40 characters/],
    ['a colour by name', 'MALIPO_BRAND_COLOUR', 'red', /a colour such as #00594f, not "red"/],
    ['a mark that is not there', 'MALIPO_BRAND_MARK', join(folder, 'no.svg'), /cannot be read/],
    ['a mark of another kind', 'MALIPO_BRAND_MARK', file('a.gif', 'GIF89a'), /SVG or PNG/],
    ['a mark that is too heavy', 'MALIPO_BRAND_MARK', file('b.svg', `<svg>${' '.repeat(6_000)}`), /6000/],
  ])('%s is refused at the start', (_, name, value, complaint) => {
    expect(complaintAbout({ [name]: value })).toMatch(complaint);
    expect(complaintAbout({ [name]: value })).toContain(name);
  });
});
