// Makes docs/guides/migrate.md from the table of what changes between the API versions.
import { ANSWER_ROWS, REMARKS, REQUEST_ROWS, type AnswerRow, type Exchange } from './migration-table.ts';

const INTRODUCTION = `# Migrate to v2

[API v1](../reference/api-v1.md) keeps working, so you can migrate call by call. A payment started in one version can be
read, refunded and cancelled in the other. **Its callbacks come in the version that started it**: let your endpoint
understand both first. Tests send every request of this page; {deposit} and {unknown} stand for identifiers.

\`\`\`sh
malipo-server request translate --kind deposit --file body.json
\`\`\`

translates a body of v1. Kinds: deposit, payout, refund, prediction. Without a file it reads standard input.
`;

export function renderMigratePage(): string {
  return [
    INTRODUCTION,
    '## Requests that start a payment\n',
    renderTable(),
    renderRequests(),
    ...ANSWER_ROWS.map(renderRow),
    `${Object.values(REMARKS).join(' ')}\n`,
  ].join('\n');
}

function renderTable(): string {
  const rows = REQUEST_ROWS.map(({ earlier, current }) => `| \`${earlier}\` | \`${current}\` |`);
  return `${['| API v1 | API v2 |', '|---|---|', ...rows].join('\n')}\n`;
}

/** The fragments of all rows in one request. */
function renderRequests(): string {
  const before = Object.assign({}, ...REQUEST_ROWS.map((row) => row.before)) as unknown;
  const after = Object.assign({}, ...REQUEST_ROWS.map((row) => row.after)) as unknown;
  return `\`\`\`text\nv1 ${JSON.stringify(before)}\nv2 ${JSON.stringify(after)}\n\`\`\`\n`;
}

function renderRow({ what, change, before, after }: AnswerRow): string {
  const exchanges = `v1 ${renderExchange(before)}\nv2 ${renderExchange(after)}`;
  return `## ${what}\n\n${wrap(change)}\n\n\`\`\`text\n${exchanges}\n\`\`\`\n`;
}

function renderExchange({ ask, body, host, status, answer, anonymous }: Exchange): string {
  const lines = [
    `${ask}${host === undefined ? '' : ` at ${host}`}${anonymous === true ? ' without token' : ''}`,
    ...(body === undefined ? [] : [JSON.stringify(body)]),
    `${status ?? 200} ${JSON.stringify(shown(answer))}`,
  ];
  return lines.join('\n   ');
}

/** Of a long list one element is shown. */
function shown(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(shown);
  if (typeof answer !== 'object' || answer === null) return answer;
  if ('holds' in answer) return [shown(answer.holds), '…'];
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, shown(value)]));
}

const WIDTH = 118;

function wrap(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length + 1 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
