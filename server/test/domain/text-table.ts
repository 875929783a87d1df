// Tables that people can read, as test data: columns between bars, the first line names them.

/** The lines of a table below its heading, each as its cells. A line of dashes is only for the eye. */
export function readTextTable(text: string): readonly (readonly string[])[] {
  const lines = text.trim().split('\n').map(cellsOf);
  return lines.slice(1).filter((cells) => !cells.every((cell) => /^-*$/.test(cell)));
}

function cellsOf(line: string): readonly string[] {
  return line.split('|').map((cell) => cell.trim());
}
