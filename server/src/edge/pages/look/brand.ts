// What a host may make of the pages: its name, its colour, its mark. Read at the start, so that a mistake is told to
// anyone who can fix it, and not to a payer.
import { readFileSync } from 'node:fs';
import { parseColour, type Colour } from './contrast.ts';
import { DEFAULT_COLOUR } from './palette.ts';

export type Brand = {
  readonly name: string;
  readonly colour: Colour;
  /** Null: our own mark. */
  readonly mark: BrandMark | null;
};

export type BrandMark = { readonly type: 'image/svg+xml' | 'image/png'; readonly bytes: Buffer };

export const DEFAULT_BRAND: Brand = { name: 'Malipo', colour: DEFAULT_COLOUR, mark: null };

/** Longer names break on a screen of 320 px. */
const NAME_LENGTH_MAX = 40;

/** A first view has 14 KB, and style and words take about half of them. */
export const MARK_BYTES_MAX = 6_000;

/** A few bytes can be an image that takes all memory of a cheap phone. */
const MARK_SIDE_MAX = 1_024;

export type BrandProblem = { readonly type: 'PROBLEM'; readonly problem: string };

/** Also with a code, for the dashboard's words. */
export type MarkProblem = BrandProblem & {
  readonly because: 'LOGO_TYPE' | 'LOGO_TOO_LARGE' | 'LOGO_TOO_WIDE';
  readonly parameters: Readonly<Record<string, string>>;
};

export function parseBrandName(text: string): string | BrandProblem {
  const name = text.trim();
  if (name.length > 0 && name.length <= NAME_LENGTH_MAX) return name;
  return problem(`must have 1 to ${NAME_LENGTH_MAX} characters`);
}

/** Any colour will do: where it could not be read, it is moved towards black or white. */
export function parseBrandColour(text: string): Colour | BrandProblem {
  return parseColour(text) ?? problem(`must be a colour such as ${DEFAULT_COLOUR}, not "${text}"`);
}

export function readBrandMark(path: string): BrandMark | BrandProblem {
  const bytes = readBytes(path);
  if (bytes === null) return problem(`names the file "${path}", which cannot be read`);
  const mark = parseMark(bytes);
  return 'problem' in mark ? problem(`names the file "${path}", which ${mark.problem}`) : mark;
}

/** A small SVG or PNG image. */
export function parseMark(bytes: Buffer): BrandMark | MarkProblem {
  const type = typeOf(bytes);
  if (type === null)
    return { ...problem('must be an SVG or PNG image'), because: 'LOGO_TYPE', parameters: {} };
  if (bytes.length > MARK_BYTES_MAX) {
    return {
      ...problem(`has ${bytes.length} bytes; payers on slow networks can wait for ${MARK_BYTES_MAX}`),
      because: 'LOGO_TOO_LARGE',
      parameters: { bytes: String(bytes.length), bytesMax: String(MARK_BYTES_MAX) },
    };
  }
  if (type === 'image/png' && sidesOf(bytes).some((side) => side > MARK_SIDE_MAX)) {
    return {
      ...problem(`must be at most ${MARK_SIDE_MAX} pixels wide and high`),
      because: 'LOGO_TOO_WIDE',
      parameters: { pixelsMax: String(MARK_SIDE_MAX) },
    };
  }
  return { type, bytes };
}

/** Width and height, which stand in the first part of a PNG. */
function sidesOf(png: Buffer): readonly number[] {
  return png.length < 24 ? [] : [png.readUInt32BE(16), png.readUInt32BE(20)];
}

function problem(text: string): BrandProblem {
  return { type: 'PROBLEM', problem: text };
}

function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

function typeOf(bytes: Buffer): BrandMark['type'] | null {
  if (bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n') return 'image/png';
  return /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(bytes.toString('utf8'))
    ? 'image/svg+xml'
    : null;
}
