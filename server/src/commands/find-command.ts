// Which command the words of a person mean.
import type { Command } from './command.ts';
import { COMMANDS, GROUPS } from './commands.ts';
import { renderGroup, renderHelp, renderOverview } from './help.ts';
import { findNearest } from './terminal/nearest-name.ts';
import { VERSION } from './version.ts';

export type FoundCommand =
  | {
      readonly type: 'COMMAND';
      readonly name: string;
      readonly command: Command;
      readonly args: readonly string[];
    }
  | { readonly type: 'HELP'; readonly text: string }
  | { readonly type: 'UNKNOWN'; readonly text: string };

export function findCommand(words: readonly string[]): FoundCommand {
  const [first = 'help', second = ''] = words;
  if (first === 'help') return helpAbout(words.slice(1));
  if (isHelp(first)) return helpAbout([]);
  if (first === '--version' || first === 'version')
    return { type: 'HELP', text: `malipo-server ${VERSION}\n` };
  for (const name of [`${first} ${second}`, first]) {
    const command = COMMANDS.get(name);
    if (command !== undefined) return choose(name, command, words.slice(name.split(' ').length));
  }
  if (!GROUPS.has(first)) return unknown(nameIn(words), findLikeName(nameIn(words)), '');
  if (isHelp(second)) return { type: 'HELP', text: renderGroup(first) };
  if (second === '' || second.startsWith('-')) return { type: 'UNKNOWN', text: renderGroup(first) };
  const nearest = findNearest(second, actionsOf(first));
  return unknown(`${first} ${second}`, nearest === null ? null : `${first} ${nearest}`, `${first} `);
}

function findLikeName(name: string): string | null {
  const names = [...COMMANDS.keys()];
  const withAction = names.filter((candidate) => candidate.endsWith(` ${name}`));
  if (withAction.length === 1) return withAction[0] ?? null;
  return findNearest(name, [...GROUPS.keys(), ...names]);
}

function actionsOf(group: string): readonly string[] {
  const names = [...COMMANDS.keys()].map((name) => name.split(' '));
  return names.flatMap(([first, second]) => (first === group && second !== undefined ? [second] : []));
}

function helpAbout(words: readonly string[]): FoundCommand {
  if (words.length === 0) return { type: 'HELP', text: renderOverview() };
  return findCommand([...words, '--help']);
}

function choose(name: string, command: Command, args: readonly string[]): FoundCommand {
  if (args.some(isHelp)) return { type: 'HELP', text: renderHelp(name, command) };
  return { type: 'COMMAND', name, command, args };
}

function unknown(name: string, nearest: string | null, group: string): FoundCommand {
  const suggestion = nearest === null ? '' : ` Did you mean: malipo-server ${nearest}?`;
  const text = `There is no command "${name}".${suggestion}\nAll commands: malipo-server ${group}--help\n`;
  return { type: 'UNKNOWN', text };
}

/** At most two words, up to the first option. */
function nameIn(words: readonly string[]): string {
  const end = words.findIndex((word) => word.startsWith('-'));
  return words.slice(0, Math.min(2, end === -1 ? words.length : end)).join(' ');
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}
