// The reference page of the command line, generated from the table of commands.
import { renderOption } from '@malipo/server/terminal/parse-options';
import { EVERYWHERE, type Command } from './command.ts';
import { describe, explainOption, renderUsage } from './help.ts';

export function renderReferencePage(commands: readonly Command[]): string {
  return `# The command line

\`malipo\` is for developers and for anyone who pays from a terminal: a sandbox on this machine, payments, callbacks
(webhooks), batches of payouts. [Five minutes](../five-minutes.md) shows how to install it. Platform administrators use
\`malipo-server\`, see [Administration](../operating/administration.md). This page is generated from the commands by
\`npm run generate:command-line-page\`.

## Options of every command

${renderTable(
  ['Option', 'What it does'],
  EVERYWHERE.map((option) => [`\`${renderOption(option)}\``, option.summary]),
)}

\`malipo help COMMAND\` is the same as \`malipo COMMAND --help\`; \`malipo --version\` prints the version. Exit codes: 0
for success, 1 for failure, 2 for wrong arguments. Results go to standard output, everything else to standard error.
Text has colours in a terminal that supports them, unless \`NO_COLOR\` is set; JSON never has. \`malipo completion\`
prints shell completion.

## Which gateway

A profile is the URL of a gateway and an API token. Profiles are in \`$XDG_CONFIG_HOME/malipo/profiles.json\`, by
default in \`~/.config/malipo\`, which only you can read. \`--profile\` has priority over the environment, and the
environment over the current profile.

${renderTable(
  ['Name', 'Meaning'],
  ENVIRONMENT.map(([name, meaning]) => [`\`${name}\``, meaning]),
)}

${commands.map(renderSection).join('\n\n')}
`;
}

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ['MALIPO_URL', 'The URL of the gateway.'],
  ['MALIPO_TOKEN', 'The API token.'],
  ['MALIPO_MERCHANT_ID', 'Your merchant ID: malipo listen then refuses callbacks for another merchant.'],
  ['MALIPO_PROFILE', 'The profile to use instead of the current one.'],
];

function renderSection(command: Command): string {
  const { words, summary, details, arguments: args = [], options = [], examples } = command;
  const rows = [
    ...args.map((argument) => [`\`${argument.name}\``, describe(argument)]),
    ...options.map((option) => [`\`${renderOption(option)}\``, explainOption(option)]),
  ];
  return [
    `## malipo ${words}`,
    `${summary}.${details === undefined ? '' : `\n${details}`}`,
    `\`\`\`\n${renderUsage(command)}\n\`\`\``,
    ...(rows.length === 0 ? [] : [renderTable(['Argument or option', 'What it does'], rows)]),
    `\`\`\`\n${examples.join('\n')}\n\`\`\``,
  ].join('\n\n');
}

function renderTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  return [renderRow(heading), `|${heading.map(() => '---').join('|')}|`, ...rows.map(renderRow)].join('\n');
}

function renderRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}
