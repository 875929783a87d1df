// Values that often break programs.
import type { Random } from '../kit/random.ts';

/** Names that every JavaScript object has, and some with a meaning in runtimes and libraries. */
export const PROTOTYPE_NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '__defineGetter__',
  'isPrototypeOf',
];

/** Texts with a meaning for a database, a shell, a browser, a parser or a terminal. */
export const PIECES: readonly string[] = [
  '\u0000',
  '\u0001',
  '\u001b[2J',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u200b',
  '\u200d',
  '\u202e',
  '\u2028',
  '\ufeff',
  '\ufffd',
  '\uffff',
  '\ud800',
  '\udfff\ud800',
  '😀',
  '👩‍👩‍👧‍👦',
  'e\u0301',
  'a\u0301'.repeat(40),
  '\u0300'.repeat(2_000),
  '٣',
  '３',
  'İ',
  'ß',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '"',
  "'",
  '\\',
  '%00',
  '%s%n',
  '${7*7}',
  '{{7*7}}',
  "' OR '1'='1",
  "'; drop table payments; --",
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '=cmd|calc',
  '+',
  '-',
  '.',
  ',',
  '0',
  '1e5',
  '__proto__',
];

const NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.1,
  1.5,
  1e21,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  2 ** 64,
];

const TEXTS: readonly string[] = [
  '',
  ' ',
  '0',
  '00',
  '-1',
  '+1',
  '1.',
  '.5',
  '01',
  '1e3',
  '1,000',
  '0x10',
  '1_000',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '999999999999999999',
  '1000000000000000000',
  '999999999999999999.9999',
  '999999999999999999.99999',
  '0.00001',
  '0.0000',
  '100.10000',
  '00000000-0000-0000-0000-000000000000',
  '00000000-0000-4000-8000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '0000-01-01',
  '9999-12-31',
  '2026-02-30',
  '2025-02-29T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '0001-01-01T00:00:00Z',
  '2026-01-01T25:61:61Z',
  '2026-01-01T00:00:00+99:99',
  '2016-12-31T23:59:60Z',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data',
  'https://user:secret@shop.example/',
  'https://',
  'https://shop.example\\@evil.example',
  'https://xn--/',
  'http://[::1]:1/',
  '//shop.example',
  'rwf',
  'RWFX',
  'ZZZ',
];

/** A marker that `renderJson` turns into what no JSON library would write. */
export function rawJson(text: string): string {
  return `\u0002${text}\u0003`;
}

/** The text of a value, with its markers replaced. */
export function renderJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.replaceAll(/"\\u0002(.*?)\\u0003"/g, (_, inside: string) => {
    const [, opened = '', times = '0', closed = ''] = /^nest:(.)(\d+)(.)$/.exec(inside) ?? [];
    if (opened === '') return inside;
    const open = opened === '{' ? '{"a":' : '[';
    return `${open.repeat(Number(times))}1${closed.repeat(Number(times))}`;
  });
}

/** Anything, of any type. */
export function randomHostile(random: Random): unknown {
  return random.pickWeighted<() => unknown>([
    [4, () => random.pick(TEXTS)],
    [3, () => randomHostileText(random, random.pick(TEXTS))],
    [3, () => random.pick(NUMBERS)],
    [
      1,
      () => rawJson(random.pick(['1e999', '-1e999', '1'.repeat(5_000), '0.'.padEnd(4_000, '1'), '1E-9999'])),
    ],
    [1, () => rawJson(random.pick(['nest:[9000]', 'nest:[300]', 'nest:{4000}', 'nest:[120000]']))],
    [2, () => random.pick([null, true, false])],
    [2, () => random.pick([[], {}, [[]], [null], [{}], { '': '' }, [[], {}, null, 1, '']])],
    [2, () => ({ [random.pick(PROTOTYPE_NAMES)]: random.pick<unknown>([1, null, {}, 'x']) })],
    [1, () => ({ toString: 1, valueOf: 1 })],
    [1, () => 'x'.repeat(random.pick([23, 24, 36, 37, 65, 255, 256, 1_001, 10_001, 100_000]))],
  ])();
}

/** A text with something inserted, or changed. */
export function randomHostileText(random: Random, text: string): string {
  const at = random.between(0, text.length);
  return random.pickWeighted<() => string>([
    [6, () => text.slice(0, at) + random.pick(PIECES) + text.slice(at)],
    [1, () => text.toUpperCase()],
    [1, () => text.toLowerCase()],
    [1, () => ` ${text}`],
    [1, () => `${text} `],
    [1, () => `${text}\n`],
    [1, () => text.slice(0, at)],
    [1, () => text + text],
    [1, () => text.repeat(random.pick([3, 20, 500]))],
    [1, () => text.replace(/\d/, random.pick(['٣', '３', '०', 'O', '-', '']))],
    [1, () => random.pick(PIECES)],
  ])();
}
