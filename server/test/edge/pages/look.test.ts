// The look: every pair of colours that stand on each other is computed, for our brand and for any other.
import { gzipSync } from 'node:zlib';
import { assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_BRAND } from '../../../src/edge/pages/look/brand.ts';
import { contrastRatio, fitColour, parseColour, type Colour } from '../../../src/edge/pages/look/contrast.ts';
import { createLook } from '../../../src/edge/pages/look/look.ts';
import { createPalettes, DEFAULT_COLOUR, type Palette } from '../../../src/edge/pages/look/palette.ts';

type Role = keyof Palette;

/** What is written in which colour on which ground, and the contrast it must have. */
const PAIRS: readonly (readonly [of: Role, on: Role, ratioMin: number])[] = [
  // Read in the sun: AAA.
  ['ink', 'paper', 12],
  ['ink', 'raised', 12],
  ['soft', 'paper', 7],
  ['soft', 'raised', 7],
  ['info', 'raised', 7],
  ['trouble', 'raised', 7],
  ['success', 'raised', 7],
  ['failure', 'raised', 7],
  ['failure', 'paper', 7],
  // The sign of a notice is written in paper on its tone.
  ['paper', 'info', 7],
  ['paper', 'trouble', 7],
  ['paper', 'success', 7],
  ['paper', 'failure', 7],
  // Edges of controls.
  ['line', 'paper', 3],
  ['line', 'raised', 3],
];

/** These come from the host's colour, whatever it is: AA. */
const BRAND_PAIRS: typeof PAIRS = [
  ['action', 'paper', 4.5],
  ['action', 'raised', 4.5],
  ['paper', 'action', 4.5],
  ['onBand', 'band', 4.5],
];

function tooFaint(palette: Palette, pairs: typeof PAIRS): readonly string[] {
  return pairs
    .map(([of, on, ratioMin]) => ({ of, on, ratioMin, ratio: contrastRatio(palette[of], palette[on]) }))
    .filter(({ ratio, ratioMin }) => ratio < ratioMin)
    .map(({ of, on, ratio }) => `${of} on ${on}: ${ratio.toFixed(2)}`);
}

const colours = integer({ min: 0, max: 0xffffff }).map(
  (value): Colour => `#${value.toString(16).padStart(6, '0')}`,
);

describe('contrast', () => {
  test.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#0000ff', '#ffffff', 8.59],
  ] as const)('%s on %s is %d to 1, as WCAG computes it', (one, other, ratio) => {
    expect(contrastRatio(one, other)).toBeCloseTo(ratio, 2);
    expect(contrastRatio(other, one)).toBeCloseTo(ratio, 2);
  });

  test('a colour that can be read is left as it is, and one that cannot is moved no further than needed', () => {
    const demand = { grounds: ['#ffffff'], ratioMin: 4.5 } as const;
    expect(fitColour('#00594f', demand)).toBe('#00594f');
    // Grey stays grey, red stays red.
    expect(fitColour('#999999', demand)).toBe('#767676');
    expect(fitColour('#ff8080', demand)).toMatch(/^#([0-9a-f]{2})([0-9a-f]{2})\2$/);
    const moved = fitColour('#ffcc00', demand);
    expect(contrastRatio(moved, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrastRatio(moved, '#ffffff')).toBeLessThan(4.8);
  });

  test('only a colour of six hex digits is one', () => {
    expect(parseColour(' #AbCdEf ')).toBe('#abcdef');
    for (const text of ['red', '#fff', '#1234567', '#12345g', '']) expect(parseColour(text)).toBeNull();
  });
});

describe('the palettes', () => {
  test.each(['light', 'dark'] as const)('every pair of our own %s palette can be read', (shade) => {
    expect(tooFaint(createPalettes(DEFAULT_COLOUR)[shade], [...PAIRS, ...BRAND_PAIRS])).toEqual([]);
  });

  test('whatever colour a host chooses, what is drawn with it can be read, light and dark', () => {
    assert(
      property(colours, (colour) => {
        const { light, dark } = createPalettes(colour);
        expect(tooFaint(light, BRAND_PAIRS)).toEqual([]);
        expect(tooFaint(dark, BRAND_PAIRS)).toEqual([]);
      }),
    );
  });

  test('the band at the top shows the host its own colour unchanged', () => {
    expect(createPalettes('#ffcc00').light).toMatchObject({ band: '#ffcc00', onBand: '#000000' });
  });
});

describe('the style', () => {
  const { style } = createLook(DEFAULT_BRAND);

  test('the style weighs at most 3 KB compressed', () => {
    expect(gzipSync(style).length).toBeLessThanOrEqual(3_072);
  });

  test('the style loads nothing: no font, no image, no other style', () => {
    expect(style).not.toMatch(/url\(|@import|@font-face/);
  });

  test('the style uses no colour that its palettes do not define', () => {
    const used = [...style.matchAll(/var\(--([a-z-]+)/g)].map(([, name]) => name);
    const defined = [...style.matchAll(/--([a-z-]+):/g)].map(([, name]) => name);
    expect(used.filter((name) => !defined.includes(name))).toEqual([]);
    expect(style.replaceAll(/:root\{[^}]*\}/g, '')).not.toMatch(/#[0-9a-f]{3,6}\b/);
  });
});
