// Gives every failure code an address of its own, for the links that the API sends with failures.
import type { MarkdownOptions } from 'vitepress';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];

const PAGE = 'reference/failure-codes.md';

/** The row of a table gets the code in its first cell as identifier. */
export function anchorFailureCodes(markdown: Markdown): void {
  markdown.core.ruler.push('anchor_failure_codes', ({ tokens, env }) => {
    if (env.relativePath !== PAGE) return;
    for (const [index, row] of tokens.entries()) {
      const first = tokens[index + 2]?.children?.[0];
      if (row.type === 'tr_open' && first?.type === 'code_inline') row.attrSet('id', first.content);
    }
  });
}
