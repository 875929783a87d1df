// How the words after `malipo-server` find a command, its help, or a suggestion.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMMANDS, GROUPS } from '../../src/commands/commands.ts';
import { findCommand } from '../../src/commands/find-command.ts';
import { OPTION_TEXTS } from '../../src/commands/option-texts.ts';
import { readUsage } from '../../src/commands/read-usage.ts';
import { runCommand } from '../command-process.ts';

const names = [...COMMANDS.keys()];
const textOf = (...words: readonly string[]) => {
  const found = findCommand(words);
  return found.type === 'COMMAND' ? `the command ${found.name}` : found.text;
};

describe('A command', () => {
  test.each(names)('%s is found by its words, and the rest are its options.', (name) => {
    const found = findCommand([...name.split(' '), '--by', 'Ana']);
    expect(found).toEqual({ type: 'COMMAND', name, command: COMMANDS.get(name), args: ['--by', 'Ana'] });
  });

  test('A command is one word, or a group and an action, and no group is also a command.', () => {
    for (const name of names) expect(name).toMatch(/^[a-z]+$|^[a-z]+(-[a-z]+)* [a-z]+(-[a-z]+)*$/);
    expect([...GROUPS.keys()].filter((group) => COMMANDS.has(group))).toEqual([]);
  });

  test('with two words belongs to a group that is described, and every group has a command.', () => {
    const used = names.filter((name) => name.includes(' ')).map((name) => name.split(' ')[0]);
    expect([...new Set(used)]).toEqual([...GROUPS.keys()]);
  });
});

describe('Help', () => {
  test.each([[['--help']], [['-h']], [['help']], [[]]])(
    'for %j lists single commands and all groups.',
    (words) => {
      const found = findCommand(words);
      expect(found.type).toBe('HELP');
      const listed = [...textOf(...words).matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, name]) => name);
      expect(listed).toEqual([...names.filter((name) => !name.includes(' ')), ...GROUPS.keys()]);
    },
  );

  test.each([...GROUPS.keys()])('for the group %s lists its commands and no others.', (group) => {
    const listed = [...textOf(group, '--help').matchAll(/^ {2}([a-z-]+ [a-z0-9-]+)(?: {2}|$)/gm)];
    expect(listed.map(([, name]) => name)).toEqual(names.filter((name) => name.startsWith(`${group} `)));
    expect(textOf('help', group)).toBe(textOf(group, '--help'));
  });

  test.each(names)('for %s shows its usage and explains each of its options.', (name) => {
    const found = findCommand([...name.split(' '), '--help']);
    expect(found.type).toBe('HELP');
    const { usage = '' } = COMMANDS.get(name) ?? {};
    const text = textOf(...name.split(' '), '--by', 'Ana', '-h');
    expect(text).toContain(`Usage: ${`malipo-server ${name} ${usage}`.trim()}\n`);
    for (const { name: option } of readUsage(usage))
      expect(text).toMatch(new RegExp(`^ {2}--${option}\\b.*(\\n )?.*\\w`, 'm'));
  });

  test('Help has a text for every option, and none for an option that no command has.', () => {
    const used = names.flatMap((name) => readUsage(COMMANDS.get(name)?.usage ?? ''));
    const keys = used.map(({ name, value }) =>
      `${name} ${value}` in OPTION_TEXTS ? `${name} ${value}` : name,
    );
    expect(Object.keys(OPTION_TEXTS).toSorted()).toEqual([...new Set(keys)].toSorted());
  });

  test('Help says which options are required.', () => {
    const text = textOf('callback', 'list', '--help');
    expect(text).toMatch(/^ {2}--merchant ID +id of the merchant \(required\)$/m);
    expect(text).toMatch(/^ {2}--payment ID +id of the payment$/m);
  });

  test('The version is that of the package.', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(textOf('--version')).toBe(`malipo-server ${version}\n`);
  });
});

describe('A name that there is not', () => {
  test.each([
    ['a misspelt group', ['merchnt', 'create'], 'merchant create'],
    ['a misspelt group alone', ['walet'], 'wallet'],
    ['a misspelt action', ['merchant', 'creat', '--by', 'Ana'], 'merchant create'],
    ['words in the other order', ['create', 'merchant'], 'merchant create'],
    ['words joined by a hyphen', ['create-merchant', '--by', 'Ana'], 'merchant create'],
    ['an action without its group', ['top-up', '--amount', '1'], 'wallet top-up'],
    ['a misspelt single command', ['wroker'], 'worker'],
  ])('A name that there is not is answered with the nearest one: %s.', (_title, words, suggested) => {
    expect(textOf(...words)).toContain(`Did you mean: malipo-server ${suggested}?\n`);
  });

  test('A name that there is not is answered with where to look when nothing is near.', () => {
    expect(textOf('quux')).toBe('There is no command "quux".\nAll commands: malipo-server --help\n');
    expect(textOf('merchant', 'fly')).toBe(
      'There is no command "merchant fly".\nAll commands: malipo-server merchant --help\n',
    );
  });

  test('A name that there is not is also that of a group alone, which is answered with the commands of the group.', () => {
    expect(findCommand(['merchant'])).toEqual({ type: 'UNKNOWN', text: textOf('merchant', '--help') });
  });

  test('of an inherited property is not found either.', () => {
    expect(findCommand(['constructor']).type).toBe('UNKNOWN');
  });
});

describe('As a process', () => {
  test('help goes to standard output with code 0, without any setting.', async () => {
    const { code, output, errors } = await runCommand({}, ['merchant', 'create', '--help']);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toContain('Usage: malipo-server merchant create --name NAME');
  });

  test('all missing options are named at once, and a wrong one is answered with the nearest.', async () => {
    const missing = await runCommand({}, ['merchant', 'suspend', '--no-color']);
    expect(missing.code).toBe(1);
    expect(missing.errors.split('\n')).toEqual([
      'malipo-server merchant suspend: Missing: --merchant ID, --by NAME.',
      'Usage: malipo-server merchant suspend --merchant ID --by NAME',
      'Options: malipo-server merchant suspend --help',
    ]);
    const wrong = await runCommand({}, ['merchant', 'suspend', '--marchant', 'x']);
    expect(wrong.errors).toContain('Unknown option --marchant. Did you mean --merchant?');
  });

  test('a name that there is not ends with code 2, and nothing is on standard output.', async () => {
    const { code, output, errors } = await runCommand({}, ['create-merchant', '--name', 'x']);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toContain('malipo-server merchant create');
  });
});
