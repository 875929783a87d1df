// Makes docs/reference/server-commands.md from the table of commands.
import type { Command } from '../../src/commands/command.ts';
import { COMMANDS, GROUPS } from '../../src/commands/commands.ts';

const INTRODUCTION = `# Commands of the server

Every command of \`malipo-server\`, which from a clone is \`node server/src/main.ts\`. A command is one word, or a group
and an action: \`malipo-server merchant create\`. \`malipo-server --help\` lists the groups, \`malipo-server merchant
--help\` the commands of a group, and \`malipo-server merchant create --help\` explains the options.

All read the same [settings](configuration.md). Those that change anything say who does it, with \`--by\`, and are
recorded; [Administration](../operating/administration.md) explains what each is for.

This page is made from \`server/src/commands/commands.ts\` and tested against it.
`;

export function renderServerCommandsPage(): string {
  const single = [...COMMANDS].filter(([name]) => !name.includes(' '));
  const grouped = [...GROUPS].flatMap(([group, summary]) => [
    [`## ${group}`, '', sentence(summary), ''].join('\n'),
    ...[...COMMANDS]
      .filter(([name]) => name.startsWith(`${group} `))
      .map(([name, command]) => renderCommand(`### ${name}`, name, command)),
  ]);
  return [
    INTRODUCTION,
    ...single.map(([name, command]) => renderCommand(`## ${name}`, name, command)),
    ...grouped,
  ].join('\n');
}

function renderCommand(heading: string, name: string, { usage, summary }: Command): string {
  const call = breakLines(`malipo-server ${name} ${usage}`.trim(), / (?=--|\[)/).join(' \\\n    ');
  return [heading, '', '```', call, '```', '', ...breakLines(sentence(summary), / /), ''].join('\n');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** As much as the site shows at once. */
const LENGTH_MAX = 76;

/** Filled up with words; `between` is where words may be parted. */
function breakLines(text: string, between: RegExp): readonly string[] {
  return text.split(between).reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1);
    return last === undefined || last.length + word.length >= LENGTH_MAX
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}
