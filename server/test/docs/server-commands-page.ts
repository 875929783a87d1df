// Makes docs/reference/server-commands.md from the table of commands.
import type { Command } from '../../src/commands/command.ts';
import { COMMANDS, GROUPS } from '../../src/commands/commands.ts';

const INTRODUCTION = `# Commands of the server

Every command of \`malipo-server\`, which from a clone is \`node server/src/main.ts\`. \`malipo-server COMMAND --help\`
explains its options. All commands read the same [settings](configuration.md);
[Administration](../operating/administration.md) says when to use them.

† needs \`--by NAME\`, for the audit log. Approval is needed in production only, except for reviews and settlements.
This page is generated from \`server/src/commands/commands.ts\`.
`;

const BY = ' --by NAME';

export function renderServerCommandsPage(): string {
  const single = [...COMMANDS].filter(([name]) => !name.includes(' '));
  const grouped = [...GROUPS.keys()].map((group) =>
    renderSection(
      group,
      [...COMMANDS].filter(([name]) => name.startsWith(`${group} `)),
    ),
  );
  return [INTRODUCTION, renderSection('Processes and migration', single), ...grouped].join('\n');
}

function renderSection(title: string, commands: readonly (readonly [string, Command])[]): string {
  return [`## ${title}`, '', ...commands.map(renderCommand), ''].join('\n');
}

function renderCommand([name, { usage, summary }]: readonly [string, Command]): string {
  const call = ` ${name} ${usage}`.trimEnd();
  const mark = call.includes(BY) ? '†' : '';
  const short = call
    .replace(BY, '')
    .trim()
    .replaceAll(/(--[\w-]+) (?=[^-[<\s])/g, '$1=');
  // What is listed or shown is the name of the group.
  const purpose = / (list|show)$/.test(name) ? '' : `: ${summary}.`;
  return breakLines(`- \`${short}\`${mark}${purpose}`).join('\n  ');
}

const LENGTH_MAX = 118;

function breakLines(text: string): readonly string[] {
  return text.split(' ').reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1);
    return last === undefined || last.length + word.length >= LENGTH_MAX
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}
