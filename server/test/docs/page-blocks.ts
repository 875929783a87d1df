// The blocks of code of a page. A tab is a block with a label: "```php [PHP]". Tabs stand in a group, between
// "::: code-group" and ":::".

export type Fence = {
  /** What stands behind the backquotes, without the label. */
  readonly info: string;
  /** Null for a block that is not a tab. */
  readonly label: string | null;
  readonly text: string;
  /** What stands between it and the block before. */
  readonly between: string;
};

export function readFences(page: string): readonly Fence[] {
  let end = 0;
  return [...page.matchAll(/^( *)```([^\n]*?)(?: ?\[([^\]\n]+)\])?\n([\s\S]*?)^\1```$/gm)].map((found) => {
    const [whole, indent = '', info = '', label, indented = ''] = found;
    const text = indented.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const between = page.slice(end, found.index);
    end = found.index + whole.length;
    return { info, label: label ?? null, text, between };
  });
}

/** The labels of each group of tabs. */
export function readGroups(page: string): readonly (readonly string[])[] {
  const groups = [...page.matchAll(/^::: code-group\n([\s\S]*?)^:::$/gm)];
  return groups.map(([, tabs = '']) => readFences(tabs).map(({ label }) => label ?? ''));
}

/** What a page says that a block prints: the block of text or JSON right behind it, or behind its group of tabs. */
export function outputBehind(fences: readonly Fence[], at: number): string | null {
  const isTab = fences[at]?.label !== null;
  const next = fences.findIndex(({ label }, index) => index > at && !(isTab && label !== null));
  const found = fences[next];
  if (found === undefined || !['json', 'text'].includes(found.info) || found.label !== null) return null;
  return /^\s*(?::::\s*)?$/.test(found.between) ? found.text : null;
}
