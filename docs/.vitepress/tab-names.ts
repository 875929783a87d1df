// VitePress gives tabs random names. The site is part of a release, and two builds of it must be equal.
import type { MarkdownOptions } from 'vitepress';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];

const RULE = 'container_code-group_open';

/** Tabs are named by where they stand in their page. */
export function nameTabs(markdown: Markdown): void {
  const render = markdown.renderer.rules[RULE];
  if (render === undefined) throw new Error(`VitePress no longer has the rule ${RULE}`);
  markdown.renderer.rules[RULE] = (tokens, at, ...others) => {
    const names = new Map<string, string>();
    return render(tokens, at, ...others).replaceAll(/"((?:group|tab)-)[\w-]+"/g, (name, kind: string) => {
      if (!names.has(name)) names.set(name, `"${kind}${at}-${names.size}"`);
      return names.get(name) ?? name;
    });
  };
}
