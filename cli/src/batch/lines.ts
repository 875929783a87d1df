// Finds the line of a row in a file. Blank lines are not rows, and a quoted cell may have several lines.

/** The first line of the `rowNo`-th row below the header; both are counted from 1. */
export function lineOf(text: string, rowNo: number): number {
  let row = -1;
  let isInQuotes = false;
  for (const [index, line] of text.split('\n').entries()) {
    const isContinued = isInQuotes;
    if ((line.split('"').length - 1) % 2 === 1) isInQuotes = !isInQuotes;
    if (isContinued || /^[\s,;"\uFEFF]*$/.test(line)) continue;
    row += 1;
    if (row === rowNo) return index + 1;
  }
  return rowNo + 1;
}
