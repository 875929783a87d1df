// Which line of a file a row is on. Blank lines are no rows, and a cell in quotes may go over several lines.

/** The line on which the `rowNo`-th row below the heading begins; both are counted from 1. */
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
