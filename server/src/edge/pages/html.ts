// HTML that is escaped by construction: whatever is put into the template is text, unless it is HTML of ours already.
// There is no other way to make a piece of a page, so nothing a payer or merchant wrote can become markup.

/** A piece of a page. Only this file makes one, so a text can never pass for it. */
export class Html {
  readonly #text: string;

  constructor(text: string, key: typeof KEY) {
    if (key !== KEY) throw new Error('Html is made by the html template only.');
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

const KEY = Symbol('made here');

/** What may stand in a template. Null and false show nothing, so that a part can be left out where it stands. */
export type HtmlValue = Html | string | number | bigint | null | false | readonly HtmlValue[];

/** Attribute values must be quoted in the template; the quotes are escaped, spaces are not. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const text = parts.reduce((before, part, index) => before + render(values[index - 1] ?? null) + part);
  return new Html(text, KEY);
}

/** For constants of ours only, such as a drawing: never for anything that came from outside. */
export function trusted(text: string): Html {
  return new Html(text, KEY);
}

function render(value: HtmlValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(render).join('');
  if (typeof value === 'object') throw new Error('Only texts, numbers and html can stand in html.');
  return String(value).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
