// Contrast as WCAG 2.2 measures it, and colours moved until they have enough of it.

/** "#rrggbb" in lower case. */
export type Colour = `#${string}`;

export function parseColour(text: string): Colour | null {
  const found = /^#([0-9a-f]{6})$/.exec(text.trim().toLowerCase());
  return found === null ? null : `#${found[1]}`;
}

/** From 1 (the same) to 21 (black on white). */
export function contrastRatio(one: Colour, other: Colour): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The one of two that can be read on a ground. Of black and white, one always reaches 4.5. */
export function readableOn(ground: Colour, [one, other]: readonly [Colour, Colour]): Colour {
  return contrastRatio(one, ground) >= contrastRatio(other, ground) ? one : other;
}

export type ContrastDemand = { readonly grounds: readonly Colour[]; readonly ratioMin: number };

/** The colour itself, or the nearest mixture with black or white that can be read on every ground. */
export function fitColour(colour: Colour, { grounds, ratioMin }: ContrastDemand): Colour {
  const fits = (candidate: Colour) => grounds.every((ground) => contrastRatio(candidate, ground) >= ratioMin);
  const towards = readableOn(grounds[0] ?? '#ffffff', ['#000000', '#ffffff']);
  const shares = Array.from({ length: SHARES + 1 }, (_, index) => index / SHARES);
  return shares.map((share) => mix(colour, towards, share)).find(fits) ?? towards;
}

/** Fine enough that nobody sees the steps. */
const SHARES = 100;

function mix(colour: Colour, other: Colour, share: number): Colour {
  const others = channels(other);
  const mixed = channels(colour).map((value, index) =>
    Math.round(value + ((others[index] ?? 0) - value) * share),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => linear(value / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function channels(colour: Colour): readonly number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}
