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

/** The colour itself, or the nearest lighter or darker one of its hue that can be read on every ground. */
export function fitColour(colour: Colour, { grounds, ratioMin }: ContrastDemand): Colour {
  const fits = (candidate: Colour) => grounds.every((ground) => contrastRatio(candidate, ground) >= ratioMin);
  if (fits(colour)) return colour;
  const end = readableOn(grounds[0] ?? '#ffffff', ['#000000', '#ffffff']);
  const { hue, saturation, lightness } = toHsl(colour);
  const lightnesses = Array.from({ length: STEPS }, (_, index) => {
    const share = (index + 1) / STEPS;
    return lightness + ((end === '#ffffff' ? 1 : 0) - lightness) * share;
  });
  return lightnesses.map((value) => fromHsl({ hue, saturation, lightness: value })).find(fits) ?? end;
}

/** Fine enough that no one sees the steps. */
const STEPS = 100;

/** Hue in sixths of the circle, the others from 0 to 1. A mixture with white would be dull; this keeps its strength. */
type Hsl = { readonly hue: number; readonly saturation: number; readonly lightness: number };

function toHsl(colour: Colour): Hsl {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => value / 255);
  const high = Math.max(red, green, blue);
  const spread = high - Math.min(red, green, blue);
  const lightness = high - spread / 2;
  if (spread === 0) return { hue: 0, saturation: 0, lightness };
  const saturation = spread / (1 - Math.abs(2 * lightness - 1));
  return { hue: hueOf([red, green, blue], { high, spread }), saturation, lightness };
}

type Extent = { readonly high: number; readonly spread: number };

function hueOf([red, green, blue]: readonly [number, number, number], { high, spread }: Extent): number {
  if (high === red) return ((green - blue) / spread + 6) % 6;
  return high === green ? (blue - red) / spread + 2 : (red - green) / spread + 4;
}

function fromHsl({ hue, saturation, lightness }: Hsl): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const texts = [0, 4, 2].map((offset) => {
    // Each channel is at its height for two sixths of the circle, at its depth for two, and between them in between.
    const height = Math.max(0, Math.min(1, Math.abs(((hue + offset) % 6) - 3) - 1));
    const value = lightness + reach * (2 * height - 1);
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${texts.join('')}`;
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
