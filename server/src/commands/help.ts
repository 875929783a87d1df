// How commands are used, for people.
import type { Command } from './command.ts';
import { COMMANDS, GROUPS } from './commands.ts';
import { readUsage, type UsedOption } from './read-usage.ts';
import { OPTION_TEXTS } from './option-texts.ts';

export function renderOverview(): string {
  const single = [...COMMANDS].filter(([name]) => !name.includes(' '));
  return `malipo-server runs and administers the gateway.

Usage: malipo-server COMMAND [options]

Commands:
${renderRows(single.map(([name, { summary }]) => [name, summary]))}

Groups of commands:
${renderRows([...GROUPS])}

Run "malipo-server GROUP --help" for the commands of a group, and "malipo-server COMMAND --help" for options.
`;
}

export function renderGroup(group: string): string {
  const commands = [...COMMANDS].filter(([name]) => name.startsWith(`${group} `));
  return `${sentence(GROUPS.get(group) ?? group)}

Commands:
${renderRows(commands.map(([name, { summary }]) => [name, summary]))}

Run "malipo-server COMMAND --help" for options.
`;
}

export function renderHelp(name: string, command: Command): string {
  const rows = readUsage(command.usage).map((used) => [renderOption(used), describeOption(used)]);
  const options = rows.length === 0 ? '' : `\nOptions:\n${renderRows(rows)}\n`;
  return `${sentence(command.summary)}\n\n${renderUsage(name, command)}\n${options}`;
}

function renderOption({ option, value }: UsedOption): string {
  return value === null ? `--${option}` : `--${option} ${value}`;
}

function describeOption({ option, value, isRequired }: UsedOption): string {
  const text = OPTION_TEXTS[`${option} ${value}`] ?? OPTION_TEXTS[option] ?? '';
  return isRequired || text.includes('default:') ? text : `${text} (optional)`;
}

export function renderUsage(name: string, { usage }: Command): string {
  return `Usage: ${['malipo-server', name, usage].filter((part) => part !== '').join(' ')}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A longer first column has its text below. */
const FIRST_COLUMN_MAX = 32;
const LINE_MAX = 110;

function renderRows(rows: readonly (readonly string[])[]): string {
  const lengths = rows.map(([first = '']) => first.length).filter((length) => length <= FIRST_COLUMN_MAX);
  const width = Math.max(0, ...lengths) + 4;
  return rows.map(([first = '', text = '']) => renderRow(first, text, width)).join('\n');
}

function renderRow(first: string, text: string, width: number): string {
  const lines = breakLines(text, LINE_MAX - width).join(`\n${' '.repeat(width)}`);
  const label = `  ${first}`;
  return label.length < width - 1 ? label.padEnd(width) + lines : `${label}\n${' '.repeat(width)}${lines}`;
}

function breakLines(text: string, lengthMax: number): readonly string[] {
  return text.split(' ').reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1);
    return last === undefined || last.length + word.length >= lengthMax
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}
