// The reference page of the command line, generated from the table of commands.
import { EVERYWHERE, type Command } from './command.ts';
import { describe, renderOption, renderUsage } from './help.ts';

export function renderReferencePage(commands: readonly Command[]): string {
  return `# The command line

\`malipo\` is for developers and for anyone who pays from a terminal: a gateway on this machine, payments, callbacks,
batches of payouts. [Five minutes](../five-minutes.md) shows how it is installed. What a host does manually is
\`malipo-server\`, see [Administration](../operating/administration.md). This page is made from the commands themselves
by \`npm run generate:command-line-page\`.

## Everywhere

${renderTable(
  ['Option', 'What it does'],
  EVERYWHERE.map((option) => [`\`${renderOption(option)}\``, option.summary]),
)}

Exit codes: 0 when it is done, 1 when it did not come to what was wanted, 2 for wrong words. Results go to the standard
output, everything said meanwhile to the standard error. \`malipo completion\` has the shell complete commands.

## Which gateway

A profile is an address with a token, in \`$XDG_CONFIG_HOME/malipo/profiles.json\`, or \`~/.config/malipo\`, which only
you can read. \`--profile\` goes first, then the environment, then the current profile.

${renderTable(
  ['Name', 'Meaning'],
  ENVIRONMENT.map(([name, meaning]) => [`\`${name}\``, meaning]),
)}

${commands.map(renderSection).join('\n\n')}
`;
}

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ['MALIPO_URL', 'The address of the gateway.'],
  ['MALIPO_TOKEN', 'The API token.'],
  ['MALIPO_PROFILE', 'The profile to use instead of the current one.'],
];

function renderSection(command: Command): string {
  const { words, summary, details, arguments: args = [], options = [], examples } = command;
  const rows = [
    ...args.map((argument) => [`\`${argument.name}\``, describe(argument)]),
    ...options.map((option) => [`\`${renderOption(option)}\``, describe(option)]),
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
