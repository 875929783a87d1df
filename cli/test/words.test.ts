// What needs no gateway: reading of words, help, completion, migration, and the reference page.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../src/commands/commands.ts';
import { renderBar } from '../src/batch/progress.ts';
import { lineOf } from '../src/batch/lines.ts';
import { renderReferencePage } from '../src/reference-page.ts';
import { openMachine, type Machine } from './machine.ts';

let machine: Machine;
beforeAll(async () => {
  machine = await openMachine();
});
afterAll(() => machine.remove());

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

  test('is in the reference page, which has nothing else: npm run generate:command-line-page writes it', () => {
    const page = readFileSync(new URL('../../docs/reference/command-line.md', import.meta.url), 'utf8');
    expect(page).toBe(renderReferencePage(COMMANDS));
  });
});

describe('wrong arguments', () => {
  test.each([
    [['nonsense'], 'There is no command "nonsense".'],
    [['deposits'], 'malipo deposits create'],
    [['deposits', 'create', '--colour', 'red'], "Unknown option '--colour'"],
    [['deposits', 'create'], '--amount is missing.'],
    [['deposits', 'get'], 'The argument ID is missing.'],
    [['deposits', 'get', 'a', 'b'], '"b" is one argument too many.'],
    [['completion', 'tcsh'], 'SHELL must be one of bash, zsh, fish, not "tcsh".'],
    [['sandbox', '--port', '70000'], '--port must be a whole number from 0 to 65535'],
  ])('%j end with code 2 and say what is wrong', async (words, said) => {
    const { exitCode, stderr } = await machine.malipo(...words);
    expect(stderr).toContain(said);
    expect(exitCode).toBe(2);
  });

  test('with --json the complaint is JSON', async () => {
    expect(await machine.json('deposits', 'get')).toMatchObject({ error: { code: 'USAGE' } });
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
    expect(await complete('bal')).toEqual(['balances']);
    expect(await complete('payouts', '')).toEqual(['create', 'get', 'resend', 'cancel', 'batch']);
    expect(await complete('payouts', 'batch', '--dr')).toEqual(['--dry-run']);
    expect(await complete('completion', 'z')).toEqual(['zsh']);
    expect(await complete('sandbox', '--operators', '')).toEqual(['simulator', 'fakes']);
  });

  test.each(['zsh', 'fish'])('for %s names every command', async (shell) => {
    const { stdout } = await machine.malipo('completion', shell);
    for (const { words } of COMMANDS) expect(stdout).toContain(`"${words}"`);
  });
});

describe('migrate', () => {
  const EARLIER = {
    refundId: '0b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e',
    depositId: '1b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e',
    amount: '5',
    metadata: [{ fieldName: 'order', fieldValue: '7', isPII: true }],
  };

  test('translates a body of API v1, and lists the changes on the standard error', async () => {
    const { stdout, stderr, exitCode } = await machine.withInput(
      JSON.stringify(EARLIER),
      'migrate',
      'refund',
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ amount: '5', metadata: [{ order: '7', isPII: true }] });
    expect(stderr).toContain('metadata');
  });

  test('refuses what is not a body of API v1', async () => {
    const { exitCode, stderr } = await machine.withInput('{"amount":5}', 'migrate', 'refund');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('This is no refund of API v1.');
  });
});

test('a bar is as full as the work is done', () => {
  expect(renderBar(0, 10)).toBe(`[${'.'.repeat(30)}]`);
  expect(renderBar(5, 10)).toBe(`[${'#'.repeat(15)}${'.'.repeat(15)}]`);
  expect(renderBar(10, 10)).toBe(`[${'#'.repeat(30)}]`);
});

test('a row is found on its line, past blank lines and cells of several lines', () => {
  const text = 'a,b\n\n1,"two\nlines"\n,\n2,x\n';
  expect([lineOf(text, 1), lineOf(text, 2)]).toEqual([3, 6]);
});
