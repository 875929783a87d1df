// Two columns of text: names, and what they mean, broken into lines that fit a terminal.

/** A longer first column has its text below. */
const FIRST_COLUMN_MAX = 32;
const LINE_MAX = 110;

export function renderRows(rows: readonly (readonly string[])[]): string {
  const lengths = rows.map(([first = '']) => first.length).filter((length) => length <= FIRST_COLUMN_MAX);
  const width = Math.max(0, ...lengths) + 4;
  return rows.map(([first = '', text = '']) => renderRow(first, text, width)).join('\n');
}

function renderRow(first: string, text: string, width: number): string {
  const lines = breakLines(text, LINE_MAX - width).join(`\n${' '.repeat(width)}`);
  const label = `  ${first}`;
  return label.length < width - 1 ? label.padEnd(width) + lines : `${label}\n${' '.repeat(width)}${lines}`;
}

export function breakLines(text: string, lengthMax: number): readonly string[] {
  return text.split(' ').reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1);
    return last === undefined || last.length + word.length >= lengthMax
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}
