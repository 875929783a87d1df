// The colours, light and dark, defined once. Text is read on a cheap screen in the sun, so ours aims at 7:1 where
// WCAG AA asks for 4.5:1; server/test/edge/pages/look.test.ts computes every pair.
import { fitColour, readableOn, type Colour } from './contrast.ts';

export type Palette = {
  /** The ground of the page, and of what stands out from it. */
  readonly paper: Colour;
  readonly raised: Colour;
  readonly ink: Colour;
  /** For what is said beside: hints, labels of amounts. */
  readonly soft: Colour;
  /** Edges of controls, which must be seen (3:1). */
  readonly line: Colour;
  /** The band at the top: the host's own colour, unchanged, and what is written on it. */
  readonly band: Colour;
  readonly onBand: Colour;
  /** Links, buttons, focus: the host's colour, moved until it can be read. Buttons carry `paper` as text. */
  readonly action: Colour;
  /** The four kinds of notices. */
  readonly info: Colour;
  readonly trouble: Colour;
  readonly success: Colour;
  readonly failure: Colour;
};

export const DEFAULT_COLOUR: Colour = '#00594f';

/** WCAG 2.2 AA for text on light. On dark more: thin strokes of a deep hue sink into the ground. */
const ACTION_RATIO_MIN = { light: 4.5, dark: 6.5 };

const LIGHT = {
  paper: '#ffffff',
  raised: '#f1f5f3',
  ink: '#0f1a17',
  soft: '#3d4b47',
  line: '#6b7a75',
  info: '#174a7c',
  trouble: '#7a4300',
  success: '#0b5a2b',
  failure: '#9b1c1c',
} as const;

const DARK = {
  paper: '#0c1412',
  raised: '#17211e',
  ink: '#f2f7f5',
  soft: '#b9c7c2',
  line: '#7f908a',
  info: '#a3cdf7',
  trouble: '#f5c37a',
  success: '#86dfa5',
  failure: '#ffb0a8',
} as const;

export function createPalettes(colour: Colour): { readonly light: Palette; readonly dark: Palette } {
  const onBand = readableOn(colour, ['#ffffff', '#000000']);
  const paint = (shades: typeof LIGHT | typeof DARK, ratioMin: number): Palette => {
    const action = fitColour(colour, { grounds: [shades.paper, shades.raised], ratioMin });
    return { ...shades, band: colour, onBand, action };
  };
  return { light: paint(LIGHT, ACTION_RATIO_MIN.light), dark: paint(DARK, ACTION_RATIO_MIN.dark) };
}
