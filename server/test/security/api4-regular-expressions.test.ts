// B3: one text from outside must not hold up the process. Every regular expression of server and SDK is found by
// reading the source, and is fed a megabyte of what would be worst for it.
import { describe, expect, test } from 'vitest';
import { redact } from '../../src/connectors/redact.ts';
import { findRegularExpressions, type FoundExpression } from './regular-expressions.ts';

/** What only ever reads texts of the host itself, or plays an operator in tests and in the sandbox. */
const INSIDE: readonly RegExp[] = [
  /^server\/src\/commands\//,
  /^server\/src\/config-values\.ts$/,
  /^server\/src\/store\/(schema\/migrate|cells\/cell)\.ts$/,
  /^server\/src\/sandbox\/(fakes|simulator)\//,
  /^server\/src\/connectors\/[a-z-]+\/fake[a-z-]*\.ts$/,
  /^server\/src\/domain\/operators\/catalogue\//,
  /^server\/src\/edge\/(docs|pages\/look\/style)\.ts$/,
  // The address of the gateway, and digits that we wrote ourselves.
  /^sdk\/src\/connection\.ts \/\\\/\+\$\/$/,
  /^server\/src\/domain\/money\.ts \/0\+\$\/$/,
];

/** Built by a running process: an example of what is built, or null where it never meets a text from outside. */
const BUILT: Readonly<Record<string, RegExp>> = {
  'new RegExp(testNumberPattern)': /^26076[0-9]{7}$/,
  'new RegExp(`^${country.prefix}`)': /^250/,
  'new RegExp(`^${pattern}$`)': /^\/v2\/deposits\/[^/]+$/,
  'pattern: `^(${words})(,(${words}))*$`': /^(DEPOSIT|PAYOUT)(,(DEPOSIT|PAYOUT))*$/,
  'new RegExp(`-----BEGIN ${label}-----([^-]+)-----END ${label}-----`)':
    /-----BEGIN PUBLIC KEY-----([^-]+)-----END PUBLIC KEY-----/,
};

const MEGABYTE = 1_000_000;

/** A quadratic expression takes minutes for a megabyte, a linear one milliseconds; this machine may be busy. */
const MS_MAX = 1_000;

const SEEDS = [
  ...Array.from('aA0 \t\n"\'\\/-.=,;:#*[](){}<>&?@_+%!é\u0301'),
  '\\"',
  '"a"',
  '"a":',
  ', ',
  'a=',
  '?a',
  '&a',
  '0,',
  '000,',
  '0.',
  '[a]',
  '{{',
  '<script',
  '://',
  'a;',
];

describe('B3: no regular expression takes long over a text from outside', () => {
  const found = findRegularExpressions(['server/src', 'sdk/src']).filter(
    ({ path, written }) => !INSIDE.some((inside) => inside.test(path) || inside.test(`${path} ${written}`)),
  );

  test('every one that is built while running has an example here', () => {
    const built = found.filter(({ pattern }) => pattern === null).map(({ written }) => written);
    expect(built.toSorted()).toEqual(Object.keys(BUILT).toSorted());
  });

  test('the search finds them: it would notice a quadratic one', () => {
    expect(found.length).toBeGreaterThan(100);
    expect(slowest(/("[\w.-]*(?:pin|otp)[\w.-]*"\s*:)/gi)).toBeGreaterThan(MS_MAX);
  });

  test.each(found.map((one) => [`${one.path} ${one.written}`, one] as const))(
    'one megabyte is read in time by %s',
    (_name, one) => {
      expect(slowest(patternOf(one))).toBeLessThan(MS_MAX);
    },
  );

  test('one megabyte of any kind is redacted in time', () => {
    const texts = [...SEEDS, 'pin', '"pin":"', '&pin'].map((seed) => seed.repeat(MEGABYTE / seed.length));
    const values = ['250783456789', 'a'.repeat(1_000), `b${'a'.repeat(999)}`];
    const begin = processorMs();
    for (const text of texts) redact(text, values);
    expect((processorMs() - begin) / texts.length).toBeLessThan(MS_MAX / 10);
  });
});

function patternOf({ written, pattern }: FoundExpression): RegExp {
  return pattern ?? BUILT[written] ?? /^$/;
}

/** How long a text of a megabyte takes at worst, as far as shorter ones do not already tell that it is too long. */
function slowest(pattern: RegExp): number {
  let texts = attacksOn(pattern);
  let worstMs = 0;
  for (const length of [4_000, 100_000, MEGABYTE]) {
    const timed = texts.map((text) => ({ text, ms: timeOf(pattern, text(length)) }));
    timed.sort((a, b) => b.ms - a.ms);
    worstMs = (timed[0]?.ms ?? 0) * (MEGABYTE / length);
    if (worstMs > MS_MAX) return worstMs;
    texts = timed.slice(0, 2).map(({ text }) => text);
  }
  return worstMs;
}

/** Repetitions of what stands in the pattern and of what often makes patterns slow, behind what may begin a match. */
function attacksOn({ source }: RegExp): readonly ((length: number) => string)[] {
  const words = source.replaceAll(/\\[a-zA-Z]/g, ' ').match(/[A-Za-z]{2,}/g) ?? [];
  const starts = ['', '"', /^\^?((?:\\?[/A-Za-z"*(-])+)/.exec(source)?.[1]?.replaceAll('\\', '') ?? ''];
  return [...new Set(starts)].flatMap((start) =>
    [...new Set([...SEEDS, ...words])].map(
      (seed) => (length: number) => `${start}${seed.repeat(Math.ceil(length / seed.length))}\u0000`,
    ),
  );
}

/** The best of several where it took long: a machine with other work to do is not the expression's fault. */
function timeOf(pattern: RegExp, text: string): number {
  const first = timeOnce(pattern, text);
  return first < 2 ? first : Math.min(first, ...Array.from({ length: 5 }, () => timeOnce(pattern, text)));
}

function timeOnce(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0;
  const begin = processorMs();
  if (pattern.global) text.replaceAll(pattern, '');
  else pattern.test(text);
  return processorMs() - begin;
}

/** Not the time that passes: what else the machine does is not the expression's fault. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
