import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AMOUNT_LENGTH_MAX,
  decimalsWritten,
  parseAmount,
  renderAmount,
  shareOf,
} from '../../src/domain/money.ts';

const digit = fc.constantFrom(...'0123456789'.split(''));

const wholePart = fc.oneof(
  fc.constant('0'),
  fc
    .tuple(fc.constantFrom(...'123456789'.split('')), fc.array(digit, { maxLength: 17, size: 'max' }))
    .map(([first, rest]) => first + rest.join('')),
);

const fractionPart = fc.array(digit, { minLength: 1, maxLength: 4 }).map((digits) => digits.join(''));

/** Texts of the documented form, as the parts they were made of. */
const writtenAmount = fc.record({ whole: wholePart, fraction: fc.option(fractionPart, { nil: null }) });

/** Texts that are often nearly an amount: the documented form with one character put in, taken out or changed. */
const nearlyAmount = fc
  .tuple(
    writtenAmount.map(textOf),
    fc.nat(),
    fc.constantFrom(...'0123456789.-+eE ,_x\n٣'.split('')),
    fc.nat(2),
  )
  .map(([text, position, character, removed]) => {
    const at = position % (text.length + 1);
    return text.slice(0, at) + character + text.slice(at + removed);
  });

const anyText = fc.oneof(
  writtenAmount.map(textOf),
  nearlyAmount,
  fc
    .array(fc.constantFrom(...'0123456789.'.split('')), { maxLength: 26 })
    .map((characters) => characters.join('')),
  fc.string({ unit: 'binary' }),
);

describe('the text of an amount', () => {
  test('the text of an amount is accepted if and only if it has the documented form', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(parseAmount(text) !== null).toBe(hasDocumentedForm(text));
      }),
      { numRuns: 20_000 },
    );
  });

  test.each([
    ['0', 0n],
    ['0.5', 5_000n],
    ['10.50', 105_000n],
    ['10.00', 100_000n],
    ['0.0001', 1n],
    ['999999999999999999.9999', 9_999_999_999_999_999_999_999n],
  ])('%s is accepted', (text, amount) => {
    expect(parseAmount(text)).toBe(amount);
  });

  test.each(['', '.', '.5', '5.', '05', '00', '-1', '+1', '1e3', '1,5', ' 1', '1 ', '1\n', '1.00000', '٣'])(
    '%j is refused',
    (text) => {
      expect(parseAmount(text)).toBeNull();
    },
  );

  test('the text of an amount is refused with more than 18 digits before the point', () => {
    expect(parseAmount('1'.repeat(18))).toBe(BigInt('1'.repeat(18)) * 10_000n);
    expect(parseAmount('1'.repeat(19))).toBeNull();
  });

  test('the text of an amount counts its decimals as written, zeroes included', () => {
    fc.assert(
      fc.property(writtenAmount, (written) => {
        expect(decimalsWritten(textOf(written))).toBe(written.fraction?.length ?? 0);
      }),
    );
  });
});

describe('reading and writing an amount', () => {
  test('an amount comes back from its own text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 22n - 1n }), (amount) => {
        const text = renderAmount(amount);
        expect(text.length).toBeLessThanOrEqual(AMOUNT_LENGTH_MAX);
        expect(parseAmount(text)).toBe(amount);
      }),
    );
  });

  test('a text comes back without the zeroes that say nothing', () => {
    fc.assert(
      fc.property(writtenAmount, (written) => {
        const amount = parseAmount(textOf(written));
        expect(renderAmount(amount!)).toBe(shortest(written));
      }),
    );
  });

  test('a sum below zero is written with its sign', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 22n }), (amount) => {
        expect(renderAmount(-amount)).toBe(`-${renderAmount(amount)}`);
      }),
    );
    expect(renderAmount(0n)).toBe('0');
  });
});

describe('a share of an amount', () => {
  const decimals = fc.constantFrom(0, 2);
  const basisPoints = fc.bigInt({ min: 0n, max: 10_000n });
  const amount = fc.oneof(
    fc.bigInt({ min: 0n, max: 10n ** 22n - 1n }),
    // Small amounts meet the half exactly far more often than large ones.
    fc.bigInt({ min: 0n, max: 100n }).map((units) => units * 10_000n),
    fc.bigInt({ min: 0n, max: 10_000n }).map((cents) => cents * 100n),
  );

  test('a share of an amount is the nearest smallest unit of the currency, and the even one of two equally near', () => {
    fc.assert(
      fc.property(amount, basisPoints, decimals, (whole, points, places) => {
        const unit = places === 0 ? 10_000n : 100n;
        const share = shareOf(whole, { basisPoints: points, decimals: places });
        expect(share % unit).toBe(0n);
        // Both sides in units of one basis point, so that the exact share needs no division.
        const distance = absolute(whole * points - share * 10_000n);
        const half = (unit * 10_000n) / 2n;
        expect(distance <= half).toBe(true);
        if (distance === half) expect((share / unit) % 2n).toBe(0n);
      }),
      { numRuns: 20_000 },
    );
  });

  test('a share of an amount is never more than an amount the provider could have been given, and all of it at 100 %', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
        basisPoints,
        decimals,
        (units, points, places) => {
          const whole = units * (places === 0 ? 10_000n : 100n);
          const share = shareOf(whole, { basisPoints: points, decimals: places });
          expect(share >= 0n && share <= whole).toBe(true);
          expect(shareOf(whole, { basisPoints: 10_000n, decimals: places })).toBe(whole);
        },
      ),
    );
  });

  test.each([
    // amount, basis points, decimals, share
    ['50', 100n, 0, '0'],
    ['150', 100n, 0, '2'],
    ['250', 100n, 0, '2'],
    ['251', 100n, 0, '3'],
    ['100', 150n, 0, '2'],
    ['0.50', 100n, 2, '0'],
    ['1.50', 100n, 2, '0.02'],
    ['2.50', 100n, 2, '0.02'],
    ['2.51', 100n, 2, '0.03'],
    ['999999999999999999.99', 10_000n, 2, '999999999999999999.99'],
  ])('of %s at %s basis points with %s decimals is %s', (text, points, places, expected) => {
    const share = shareOf(parseAmount(text)!, { basisPoints: points, decimals: places });
    expect(renderAmount(share)).toBe(expected);
  });
});

function textOf({ whole, fraction }: { whole: string; fraction: string | null }): string {
  return fraction === null ? whole : `${whole}.${fraction}`;
}

function shortest({ whole, fraction }: { whole: string; fraction: string | null }): string {
  let rest = fraction ?? '';
  while (rest.endsWith('0')) rest = rest.slice(0, -1);
  return textOf({ whole, fraction: rest === '' ? null : rest });
}

/** The specification's sentences, one by one and without a regular expression. */
function hasDocumentedForm(text: string): boolean {
  if (text.length < 1 || text.length > 23) return false;
  const [whole, fraction, ...more] = text.split('.');
  if (whole === undefined || more.length > 0) return false;
  if (!isDigits(whole) || whole.length > 18 || (whole.startsWith('0') && whole !== '0')) return false;
  return fraction === undefined || (isDigits(fraction) && fraction.length <= 4);
}

function isDigits(text: string): boolean {
  return text !== '' && text.split('').every((character) => character >= '0' && character <= '9');
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
