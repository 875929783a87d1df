// The look of the hosted pages (docs/internals/look.md), as a theme: their ink, grounds and greens, as values. Rank is
// shown by size and weight: 24 px for titles and figures, 17 px for sections, 14 px for text, 13 and 12 px for what is
// beside it; 600 for what is read first. Distances are steps of 4 px. The colours of states are in theme.css.
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** From the ground of a notice to the ink of a button; 8 is the band of the hosted pages. */
const green: MantineColorsTuple = [
  '#e8f4f1',
  '#cfe7e1',
  '#a3d2c8',
  '#74bcad',
  '#4da896',
  '#2b917e',
  '#107768',
  '#00675b',
  '#00594f',
  '#00453d',
];

/** The usual red, but for 6, the ground of buttons in the dark theme: white can be read on it. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#d32f2f',
  '#d32f2f',
  '#e03131',
  '#c92a2a',
];

/** Greys with a little of the green in them. */
const gray: MantineColorsTuple = [
  '#f1f5f3',
  '#e7edea',
  '#dbe3df',
  '#cad4d0',
  '#b2beb9',
  '#8d9b96',
  '#6b7a75',
  '#3d4b47',
  '#26322e',
  '#0f1a17',
];

const dark: MantineColorsTuple = [
  '#f2f7f5',
  '#b9c7c2',
  '#98a8a2',
  '#7f908a',
  '#2e3c37',
  '#24302c',
  '#17211e',
  '#0c1412',
  '#090f0d',
  '#060a09',
];

export const theme = createTheme({
  colors: { green, teal: green, gray, dark, red },
  primaryColor: 'green',
  // White can be read on both.
  primaryShade: { light: 8, dark: 6 },
  black: '#0f1a17',
  defaultRadius: 'sm',
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.5rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.25' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  components: {
    // Nearly everything that is asked for is needed; a star at each would say nothing.
    ...Object.fromEntries(
      ['TextInput', 'PasswordInput', 'NativeSelect', 'Select', 'Textarea', 'NumberInput', 'FileInput'].map(
        (name) => [name, { defaultProps: { withAsterisk: false } }],
      ),
    ),
    Modal: { defaultProps: { radius: 'md' }, styles: { title: { fontWeight: 600, fontSize: '1.0625rem' } } },
    // Otherwise the heading of a dialog is a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    // On a phone tabs scroll: in two lines they would look like two lists.
    Tabs: {
      styles: {
        list: { flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' },
        tab: { flexShrink: 0 },
      },
    },
    // On a phone a long text breaks instead of running over the edge.
    Tooltip: { defaultProps: { openDelay: 150, multiline: true, maw: 'min(26rem, calc(100vw - 1rem))' } },
  },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
});

export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': '#4f5d58', '--mantine-color-placeholder': '#5c6a66' },
  dark: { '--mantine-color-dimmed': '#a9b8b2', '--mantine-color-placeholder': '#98a8a2' },
});
