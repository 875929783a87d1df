// The look of a gateway, made once at its start from the host's brand: style, mark, name, and the files that pages
// load later. What they load lies under the hash of its contents, so it may be kept permanently.
import { createHash } from 'node:crypto';
import { html, type Html } from '../html.ts';
import type { Brand } from './brand.ts';
import { renderMarkFile, MARK } from './mark.ts';
import { createPalettes } from './palette.ts';
import { renderStyle } from './style.ts';

export type Look = {
  readonly name: string;
  /** The style of every page; a page may add its own. */
  readonly style: string;
  /** The host's mark, or ours, to stand before the name. */
  readonly mark: Html;
  /** Null: none, for a page that is not the host's. */
  readonly icon: Asset | null;
  /** What must be served for the pages to be whole. */
  readonly assets: readonly Asset[];
};

export type Asset = { readonly path: string; readonly type: string; readonly bytes: Buffer };

export function createLook(brand: Brand): Look {
  const own = createAsset('mark.svg', 'image/svg+xml', renderMarkFile(brand.colour));
  const shared = { name: brand.name, style: renderStyle(createPalettes(brand.colour)) };
  if (brand.mark === null) return { ...shared, mark: MARK, icon: own, assets: [own] };
  const { type, bytes } = brand.mark;
  const theirs = createAsset(type === 'image/png' ? 'mark.png' : 'mark.svg', type, bytes);
  // Never inside the page: an SVG that we did not draw may hold anything, and an image can do nothing.
  const mark = html`<img class="mark" src="${theirs.path}" alt="" />`;
  return { ...shared, mark, icon: theirs, assets: [theirs] };
}

export function createAsset(name: string, type: string, content: string | Buffer): Asset {
  const bytes = Buffer.from(content);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { path: `/assets/${hash}/${name}`, type, bytes };
}
