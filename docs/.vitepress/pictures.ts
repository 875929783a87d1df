// A picture in both themes is written as `<picture>`, which follows the system of the reader: that is how it is shown
// in the repository. The site has a switch of its own, so there both pictures are in the page, and look.css hides one.
// A hidden one is not loaded.
import type { MarkdownOptions } from 'vitepress';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];

const PICTURE = new RegExp(
  [
    '<picture>',
    String.raw`<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">`,
    '<img src="([^"]+)"([^>]*)>',
    '</picture>',
  ].join(String.raw`\s*`),
  'g',
);

export function switchPictures(markdown: Markdown): void {
  markdown.core.ruler.push('pictures-of-both-themes', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== 'html_block') continue;
      token.content = token.content.replaceAll(PICTURE, (_, dark: string, light: string, rest: string) =>
        [
          `<img class="in-light" loading="lazy" src="${light}"${rest}>`,
          `<img class="in-dark" loading="lazy" src="${dark}"${rest}>`,
        ].join(''),
      );
      if (token.content.includes('<picture>'))
        throw new Error(`This picture is not understood: ${token.content}`);
    }
  });
}
