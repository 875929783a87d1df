// Makes docs/guides/migrate.md from the table of what changes between the API versions.
import {
  ANSWER_ROWS,
  REMARKS,
  REQUEST_ROWS,
  type AnswerRow,
  type Exchange,
  type RequestRow,
} from './migration-table.ts';

const INTRODUCTION = `# Moving to API v2

[API v1](../reference/api-v1.md) goes on working, and both tell the same of one payment. You can therefore move
call by call: a payment started in one API version can be read, refunded, cancelled and announced again in the other.
Its callbacks come in the words of the API version that started it, so let your endpoint understand both before you
start the first payment in the current one.

This page is made from a table that the tests execute: every before and after below is sent to a running gateway, and
the two are compared. Of requests and answers only what matters is shown; {deposit} stands for the identifier of a
deposit, {unknown} for one that no payment has.

## Let a program do the bodies

\`\`\`
malipo-server request translate --kind deposit --file body.json
\`\`\`

turns a request body of API v1 into one of API v2 and says what changed. The kind is
deposit, payout, refund or prediction. Without a file it reads standard input; a list, as bulk payouts send it, is
turned entry by entry.
`;

export function renderMigratePage(): string {
  return [
    INTRODUCTION,
    '## Requests that start a payment\n',
    renderTable(),
    ...[...Map.groupBy(REQUEST_ROWS, exampleOf).values()].map(renderRequestRows),
    ...ANSWER_ROWS.map(renderRow),
    '## Also\n',
    `${Object.values(REMARKS)
      .map((remark) => `- ${wrap(remark, '  ')}`)
      .join('\n')}\n`,
  ].join('\n');
}

function renderTable(): string {
  const rows = REQUEST_ROWS.map(({ earlier, current }) => `| \`${earlier}\` | \`${current}\` |`);
  return `${['| Earlier | Current |', '|---|---|', ...rows].join('\n')}\n`;
}

/** Rows with one example are shown together. */
function exampleOf({ before, after }: RequestRow): string {
  return JSON.stringify([before, after]);
}

function renderRequestRows(rows: readonly RequestRow[]): string {
  const { before, after } = rows[0]!;
  const heading = rows.map(({ earlier }) => `\`${earlier}\``).join(', ');
  const becomes = Object.keys(after).length === 0 ? 'It is left out.\n' : `becomes\n\n${renderJson(after)}`;
  return `### ${heading}\n\n${renderJson(before)}\n${becomes}`;
}

function renderRow({ what, change, before, after }: AnswerRow): string {
  return `## ${what}\n\n${wrap(change)}\n\nBefore:\n\n${renderExchange(before)}\nAfter:\n\n${renderExchange(after)}`;
}

function renderExchange({ ask, body, host, status, answer, anonymous }: Exchange): string {
  const lines = [
    host === undefined ? ask : `${ask}\nHost: ${host}`,
    ...(anonymous === true ? ['(no token)'] : []),
    ...(body === undefined ? [] : [readable(body)]),
    '',
    `-> ${status ?? 200} ${readable(shown(answer))}`,
  ];
  return `\`\`\`\n${lines.join('\n')}\n\`\`\`\n`;
}

/** Of a long list one element is shown. */
function shown(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(shown);
  if (typeof answer !== 'object' || answer === null) return answer;
  if ('holds' in answer) return [shown(answer.holds), '…'];
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, shown(value)]));
}

function renderJson(value: unknown): string {
  return `\`\`\`json\n${readable(value)}\n\`\`\`\n`;
}

const WIDTH = 118;

/** On one line where it fits; otherwise one line for each field. */
function readable(value: unknown): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  return line.length <= WIDTH - 10 ? line : JSON.stringify(value, null, 2);
}

function wrap(text: string, indent = ''): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length + 1 > WIDTH) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
