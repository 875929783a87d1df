// A page of the documentation that can be run: its blocks, in order.

export type Block =
  /** Commands for the first terminal, which stays the same from block to block. */
  | { readonly type: 'run'; readonly text: string }
  /** Commands for a separate terminal, which stays open. */
  | { readonly type: 'terminal'; readonly text: string }
  /** A file that the reader writes. */
  | { readonly type: 'file'; readonly name: string; readonly text: string }
  /** The expected output of a terminal: 0 is the first one, others are counted in the order they were opened. */
  | { readonly type: 'expect'; readonly terminal: number | null; readonly text: string };

/** Where the reader gets the packages. Blocks marked with one are for its readers only: "```sh run clone". */
export type Source = 'clone' | 'registry';

/** A tab has a label: "```js pay.mjs [Node.js]". */
const BLOCK = /^```(\w+)(?: ([^\n[]*?))?(?: ?\[([^\]\n]+)\])?\n([\s\S]*?)^```$/gm;

/** Of tabs, the reader takes those of one language. */
export type Language = 'Node.js' | 'PHP' | 'Python';

export type Reader = { readonly source: Source; readonly language: Language };

export function readBlocks(page: string, { source, language: spoken }: Reader): readonly Block[] {
  return [...page.matchAll(BLOCK)].flatMap(([, language = '', marks = '', label = spoken, text = '']) =>
    label === spoken ? readBlock({ language, marks, text, source }) : [],
  );
}

type Fence = {
  readonly language: string;
  readonly marks: string;
  readonly text: string;
  readonly source: Source;
};

function readBlock({ language, marks, text, source }: Fence): readonly Block[] {
  if (language === 'sh' && marks.startsWith('run')) {
    if (marks === 'run terminal') return [{ type: 'terminal', text }];
    return marks === 'run' || marks === `run ${source}` ? [{ type: 'run', text }] : [];
  }
  if (language === 'text') {
    const terminal = /^terminal (\d+)$/.exec(marks)?.[1];
    return [{ type: 'expect', terminal: terminal === undefined ? null : Number(terminal), text }];
  }
  return marks === '' ? [] : [{ type: 'file', name: marks, text }];
}

/** Whether the lines of `expected` are in the output. "…" matches anything. */
export function isSaid(expected: string, said: string): boolean {
  const lines = expected.trim().split('\n');
  return lines.every((line) => patternOf(line).test(said));
}

function patternOf(line: string): RegExp {
  const parts = line
    .trim()
    .split('…')
    .map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(String.raw`^\s*${parts.join(String.raw`.*\s*`).replaceAll(/ +/g, String.raw`\s+`)}`, 'm');
}
