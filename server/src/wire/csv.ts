// Lines of comma-separated values (RFC 4180).

export function renderCsvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

/** Quoted only if needed, so that most of a file is easy to read. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets treat a cell that starts like this as a formula, which can send data to another server. A leading
 * apostrophe makes it a text. For values from merchants, payers and operators.
 */
export function harmless(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}
