// What both command lines have in common: colours, progress, options and amounts.
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { renderMoney } from '../../src/commands/terminal/money.ts';
import { paint } from '../../src/commands/terminal/paint.ts';
import { parseOptions, requireOptions } from '../../src/commands/terminal/parse-options.ts';
import { renderProgress, startProgress } from '../../src/commands/terminal/progress.ts';
import { createPace } from '../../src/core/cells/moving/pace.ts';
import { reEncryptInRounds } from '../../src/core/encryption/re-encrypt.ts';
import { renderDuration } from '../../src/domain/time.ts';
import { parseAmount } from '../../src/domain/money.ts';

describe('Colours', () => {
  const HELP = 'Usage: malipo payment end --as COMPLETED|FAILED\n\nOptions:\n  --as COMPLETED|FAILED  status';
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  const file = new PassThrough();

  beforeEach(() => vi.stubEnv('FORCE_COLOR', undefined));
  afterEach(() => vi.unstubAllEnvs());

  test('Colours are added for a terminal only, and change no character.', () => {
    const text = `${HELP}\nstatus  COMPLETED\nError: It is CLOSED.`;
    const painted = paint(text, terminal);
    expect(painted).not.toBe(text);
    expect(stripVTControlCharacters(painted)).toBe(text);
    expect(paint(text, file)).toBe(text);
  });

  test('Colours mark statuses and headings, and not the choices of a usage line.', () => {
    const painted = paint(`${HELP}\nstatus  COMPLETED`, terminal);
    expect(painted).toContain('--as COMPLETED|FAILED\n');
    expect(painted).toSatisfy((text: string) => text.endsWith('status  \u001B[32mCOMPLETED\u001B[39m'));
    expect(painted).toSatisfy((text: string) => text.startsWith('\u001B[1mUsage:\u001B[22m'));
  });
});

describe('Progress', () => {
  test.each([
    [{ done: 5, total: 1_000, from: 0, elapsedMs: 500 }, '5 of 1,000 rows'],
    [{ done: 340, total: 1_000, from: 0, elapsedMs: 4_000 }, '340 of 1,000 rows, 85 per second, 8 s left'],
    [
      { done: 600, total: 1_000, from: 590, elapsedMs: 4_000 },
      '600 of 1,000 rows, 2.5 per second, 2 min 40 s left',
    ],
    [{ done: 1_000, total: 1_000, from: 0, elapsedMs: 10_000 }, '1,000 of 1,000 rows, 100 per second'],
  ])('Progress of %j is shown with its rate and the remaining time.', (moved, line) => {
    expect(renderProgress({ what: 'rows', ...moved })).toBe(line);
  });

  test('Progress redraws one line in a terminal, and writes a line every five seconds elsewhere.', () => {
    const written = { terminal: '', file: '' };
    let now = 0;
    const start = (isTerminal: boolean, name: keyof typeof written) =>
      startProgress(
        { isTerminal, write: (text) => void (written[name] += text) },
        { what: 'sent' },
        { now: () => now },
      );
    const all = [start(true, 'terminal'), start(false, 'file')];
    for (now = 1_000; now <= 10_000; now += 1_000) for (const one of all) one.move(now / 100, 100);
    for (const one of all) one.end();
    expect(written.file).toBe('50 of 100 sent, 10 per second, 5 s left\n100 of 100 sent, 10 per second\n');
    const drawn = written.terminal.split('\r');
    expect(drawn).toHaveLength(12);
    expect(drawn[5]).toContain('[##########..........] 50 of 100 sent, 10 per second, 5 s left');
    expect(written.terminal.match(/\n/g)).toHaveLength(1);
  });

  test('A move of a merchant says its rate and the remaining time, and more than was counted is no fault.', () => {
    const said: string[] = [];
    let now = 0;
    const pace = createPace(
      { onProgress: (text) => said.push(text) },
      { what: 'copied', total: 1_000 },
      { now: () => now },
    );
    now = 5_000;
    pace.add({ payments: 500, rows: 2_000 });
    now = 10_000;
    pace.add({ payments: 501, rows: 2_000 });
    pace.end(' while it was served');
    expect(said).toEqual([
      'copied 500 of 1000 payments, 2000 rows, 400 rows a second, 5 s left',
      'copied 1001 of 1001 payments, 4000 rows, 400 rows a second, 0 s left',
      'copied 1001 payments, 4000 rows, 400 rows a second while it was served',
    ]);
  });

  test('Re-encrypting tells the rows of a large table, and counts no small one.', async () => {
    const told: unknown[] = [];
    const pages = new Map([
      ['large', 60],
      ['small', 2],
    ]);
    const counted: string[] = [];
    await reEncryptInRounds([{ of: { table: 'large' } }, { of: { table: 'small' } }], {
      onProgress: () => undefined,
      onRows: (...row) => told.push(row),
      count: async ({ of: { table } }) => counted.push(table) * 12_000,
      page: async ({ of: { table } }, { after }) => {
        const no = Number(after?.[0] ?? 0) + 1;
        const next = no < (pages.get(table) ?? 0) ? [String(no)] : null;
        return { read: 200, reEncrypted: 0, left: 0, keyNos: [], next };
      },
    });
    expect(counted).toEqual(['large']);
    expect(told).toEqual([['large', 10_000, 12_000]]);
  });
});

test.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [80, '1 min 20 s'],
  [4_640.59, '1 h 17 min'],
])('%d seconds are read as %s.', (seconds, text) => {
  expect(renderDuration(seconds)).toBe(text);
});

test.each([
  ['100', { currency: 'RWF' }, '100'],
  ['100', { currency: 'KES' }, '100.00'],
  ['12.5', { currency: 'KES' }, '12.50'],
  ['12.5', { currency: 'RWF' }, '12.5'],
  ['12.5', { currency: 'UGX', country: 'UGA' }, '12.50'],
  ['12.5', { currency: 'XAF', provider: 'AIRTEL_GAB' }, '12.50'],
  ['100', { currency: 'XAF', country: 'CMR' }, '100'],
  ['100', { currency: 'EUR' }, '100.00'],
])('An amount of %s in %j is shown as %s.', (amount, place, text) => {
  expect(renderMoney(parseAmount(amount) ?? 0n, place)).toBe(text);
  expect(renderMoney(-(parseAmount(amount) ?? 0n), place)).toBe(`-${text}`);
});

describe('Options', () => {
  const KNOWN = [
    { name: 'amount', value: 'AMOUNT', isRequired: true },
    { name: 'phone', value: 'NUMBER', isRequired: true, replacedBy: 'file' },
    { name: 'file', value: 'FILE' },
    { name: 'wait' },
    { name: 'tag', value: 'TEXT', isRepeated: true },
  ];

  test('Options are values, switches and lists.', () => {
    const args = ['x', '--amount=-5', '--wait', '--tag', 'a', '--tag', 'b', '--', '--y'];
    expect(parseOptions(args, KNOWN)).toEqual({
      values: { amount: '-5', wait: true, tag: ['a', 'b'] },
      positionals: ['x', '--y'],
    });
  });

  test.each([
    [['--amont', '5'], 'Unknown option --amont. Did you mean --amount?'],
    [['--nonsense'], 'Unknown option --nonsense.'],
    [['-x'], 'Unknown option -x.'],
    [['--amount'], '--amount needs a value: --amount AMOUNT.'],
    [['--amount', '-5'], '--amount needs a value: --amount AMOUNT. One that begins with a dash: --amount=-5'],
    [['--wait=yes'], '--wait takes no value.'],
  ])('Options %j are answered with what is wrong.', (args, message) => {
    expect(() => parseOptions(args, KNOWN)).toThrow(message);
  });

  test('Options that are missing are named together, without those that another replaces.', () => {
    expect(() => requireOptions(KNOWN, {}, ['ID'])).toThrow('Missing: ID, --amount AMOUNT, --phone NUMBER.');
    expect(() => requireOptions(KNOWN, { amount: '', file: 'x' })).toThrow('Missing: --amount AMOUNT.');
    expect(() => requireOptions(KNOWN, { amount: '5', phone: '2' })).not.toThrow();
  });
});
