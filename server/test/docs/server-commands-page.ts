// Makes docs/reference/server-commands.md from the table of commands.
import type { Command } from '../../src/commands/command.ts';
import { COMMANDS } from '../../src/commands/commands.ts';

const INTRODUCTION = `# Commands of the server

Every command of \`malipo-server\`, which from a clone is \`node server/src/main.ts\`. All read the same
[settings](configuration.md). Those that change anything say who does it, with \`--by\`, and are written down;
[Administration](../operating/administration.md) tells of each what it is for.

This page is made from \`server/src/commands/commands.ts\` and tested against it.
`;

export function renderServerCommandsPage(): string {
  return [INTRODUCTION, ...[...COMMANDS].map(([name, command]) => renderCommand(name, command))].join('\n');
}

function renderCommand(name: string, { usage, summary }: Command): string {
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  const call = breakLines(`malipo-server ${usage}`, / (?=--|\[)/).join(' \\\n    ');
  return [`## ${name}`, '', '```', call, '```', '', ...breakLines(sentence, / /), ''].join('\n');
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
