// What needs no gateway: reading of words, help, completion, migration, and the reference page.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GROUPS } from '../../server/src/commands/commands.ts';
import { COMMANDS } from '../src/commands/commands.ts';
import { lineOf } from '../src/batch/lines.ts';
import { renderReferencePage } from '../src/reference-page.ts';
import { openMachine, type Machine } from './machine.ts';

let machine: Machine;
beforeAll(async () => {
  machine = await openMachine();
});
afterAll(() => machine.remove());

describe('help', () => {
  test.each([[[]], [['help']], [['--help']], [['-h']]])('for %j lists every command', async (words) => {
    const { exitCode, stdout } = await machine.malipo(...words);
    expect(exitCode).toBe(0);
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${command.words} `, 'm'));
  });

  test('for a group lists its commands and no others', async () => {
    const { exitCode, stdout } = await machine.malipo('help', 'wallet');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('wallet list');
    expect(stdout).not.toContain('deposit create');
    expect((await machine.malipo('wallets', '--help')).stdout).toBe(stdout);
  });

  test('for a command is the same as --help, and marks required options', async () => {
    const { stdout } = await machine.malipo('help', 'deposit', 'create');
    expect(stdout).toBe((await machine.malipo('deposits', 'create', '-h')).stdout);
    expect(stdout).toMatch(/^ {2}--amount AMOUNT .*\(required without --file\)$/m);
    expect(stdout).toMatch(/^ {2}--provider CODE .*phone number\.$/m);
    expect((await machine.malipo('login', '--help')).stdout).toMatch(/^ {2}--url URL .*\(required\)$/m);
  });

  test('the version is that of every package', async () => {
    const packages = ['cli', 'server', 'sdk'].map((name) =>
      readFileSync(new URL(`../../${name}/package.json`, import.meta.url), 'utf8'),
    );
    const versions = new Set(packages.map((text) => JSON.parse(text).version));
    expect([...versions].map((version) => `malipo ${version}\n`)).toEqual([
      (await machine.malipo('--version')).stdout,
    ]);
  });
});

test('a group has the name that the server has for it', () => {
  const used = new Set(COMMANDS.flatMap(({ words }) => (words.includes(' ') ? words.split(' ')[0] : [])));
  const kinds = ['deposit', 'payout', 'refund', 'remittance', 'split-payment', 'checkout'];
  const ownGroups = [...kinds, 'profile'];
  expect([...used].filter((group) => !ownGroups.includes(group ?? '') && !GROUPS.has(group ?? ''))).toEqual(
    [],
  );
});

describe('every command', () => {
  test.each(COMMANDS.map(({ words }) => words))(
    '%s has help with usage, options and an example',
    async (words) => {
      const { exitCode, stdout } = await machine.malipo(...words.split(' '), '--help');
      expect(exitCode).toBe(0);
      expect(stdout).toContain(`Usage: malipo ${words}`);
      expect(stdout).toContain('--json');
      expect(stdout).toMatch(/Examples:\n {2}\S/);
    },
  );

  test('every command is in the reference page, which has nothing else: npm run generate:command-line-page writes it', () => {
    const page = readFileSync(new URL('../../docs/reference/command-line.md', import.meta.url), 'utf8');
    expect(page).toBe(renderReferencePage(COMMANDS));
  });
});

describe('wrong arguments', () => {
  test.each([
    [['nonsense'], 'Error: There is no command "nonsense".\nAll commands: malipo help'],
    [['deposit', 'creat'], 'Did you mean: malipo deposit create?'],
    [['trigga', 'success'], 'Did you mean: malipo trigger?'],
    [['deposit'], 'deposit create'],
    [['deposit', '--json'], 'deposit create'],
    [['--json', 'deposit', 'create'], 'Put --json after the command.'],
    [['deposit', 'create', '--colour', 'red'], 'Error: Unknown option --colour.\nUsage: '],
    [['deposit', 'create', '--amont', '5'], 'Unknown option --amont. Did you mean --amount?'],
    [['deposit', 'create', '--amount'], '--amount needs a value: --amount AMOUNT.'],
    [['deposit', 'create', '--wait=yes'], '--wait takes no value.'],
    [['deposit', 'create'], 'Missing: --amount AMOUNT, --currency CODE, --phone NUMBER.'],
    [['deposit', 'create', '--amount', '5'], 'Missing: --currency CODE, --phone NUMBER.'],
    [['remittance', 'create'], 'Missing: --file FILE.'],
    [['login'], 'Missing: --url URL.'],
    [['deposit', 'get'], 'Missing: ID.'],
    [['deposit', 'get', 'a', 'b'], 'Unexpected argument "b".'],
    [['completion', 'tcsh'], 'SHELL must be one of bash, zsh, fish, not "tcsh".'],
    [['sandbox', '--port', '70000'], '--port must be a whole number from 0 to 65535'],
  ])('%j end with code 2 and say what is wrong', async (words, said) => {
    const { exitCode, stdout, stderr } = await machine.malipo(...words);
    expect(stderr).toContain(said);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  test('with --json the complaint is JSON', async () => {
    expect(await machine.json('deposit', 'get')).toMatchObject({ error: { code: 'USAGE' } });
  });
});

/** What bash offers after these words. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await machine.malipo('completion', 'bash');
  const typed = ['malipo', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${stdout}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _malipo; echo "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ');
}

describe('completion', () => {
  test('in bash completes commands, their second words, options and choices', async () => {
    expect(await complete('wal')).toEqual(['wallet']);
    expect(await complete('payout', '')).toEqual(['create', 'get', 'resend', 'cancel', 'batch']);
    expect(await complete('payout', 'batch', '--dr')).toEqual(['--dry-run']);
    expect(await complete('completion', 'z')).toEqual(['zsh']);
    expect(await complete('sandbox', '--operators', '')).toEqual(['simulator', 'fakes']);
  });

  test.each(['zsh', 'fish'])('for %s names every command', async (shell) => {
    const { stdout } = await machine.malipo('completion', shell);
    for (const { words } of COMMANDS) expect(stdout).toContain(`"${words}"`);
  });
});

describe('request translate', () => {
  const EARLIER = {
    refundId: '0b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e',
    depositId: '1b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e',
    amount: '5',
    metadata: [{ fieldName: 'order', fieldValue: '7', isPII: true }],
  };

  test('request translate prints the body for API v2, and lists the changes on the standard error', async () => {
    const { stdout, stderr, exitCode } = await machine.withInput(
      JSON.stringify(EARLIER),
      'request',
      'translate',
      'refund',
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ amount: '5', metadata: [{ order: '7', isPII: true }] });
    expect(stderr).toContain('metadata');
  });

  test('request translate refuses what is not a body of API v1', async () => {
    const { exitCode, stderr } = await machine.withInput('{"amount":5}', 'request', 'translate', 'refund');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('This is not a refund of API v1.');
  });
});

test('a row is found on its line, past blank lines and cells of several lines', () => {
  const text = 'a,b\n\n1,"two\nlines"\n,\n2,x\n';
  expect([lineOf(text, 1), lineOf(text, 2)]).toEqual([3, 6]);
});
