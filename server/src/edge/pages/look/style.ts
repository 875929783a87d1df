// The style of every page, written once and sent inside the page: on 2G a round trip costs more than these bytes.
// Colours are custom properties only, so a browser that knows none (Opera Mini) shows its own plain controls, and
// everything can still be read. Nothing here may be needed to understand a page.
import type { Palette } from './palette.ts';

/** Steps of space, in rem: the only distances there are. */
const SPACE = { hair: '.25rem', small: '.5rem', medium: '1rem', large: '1.5rem', huge: '2.5rem' } as const;

/** Fingers are wide and screens are cheap: nothing that is pressed is lower than this. */
const TARGET = '48px';

export function renderStyle({ light, dark }: { readonly light: Palette; readonly dark: Palette }): string {
  return squeeze(`
    :root { color-scheme: light dark; ${propertiesOf(light)} }
    @media (prefers-color-scheme: dark) { :root { ${propertiesOf(dark)} } }
    @media print { :root { ${propertiesOf(light)} } }
    ${GROUND}${TEXT}${CONTROLS}${NOTICES}${PARTS}${MEDIA}`);
}

const GROUND = `
  * { box-sizing: border-box }
  html { font: 1.0625rem/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100% }
  body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere }
  .band { background: var(--band); color: var(--on-band); padding: 0 ${SPACE.medium} }
  main, .foot { max-width: 34rem; margin: 0 auto }
  .band > div { display: flex; align-items: center; justify-content: space-between; gap: ${SPACE.medium};
    min-height: ${TARGET}; max-width: 32rem; margin: 0 auto }
  .band p { display: flex; align-items: center; gap: ${SPACE.small}; font-weight: 600 }
  .strip { background: var(--trouble); color: var(--paper); padding: ${SPACE.hair} ${SPACE.medium};
    font-size: .875rem; font-weight: 600; text-align: center }
  .mark { width: auto; height: 1.75rem; max-width: 8rem; flex: none; display: block }
  main { padding: ${SPACE.large} ${SPACE.medium} }
  .foot { padding: ${SPACE.medium}; color: var(--soft); font-size: .9375rem }
  .wide main, .wide .foot { max-width: 64rem }
  .wide .band > div { max-width: 62rem }
  @media (min-width: 48rem) { .beside { display: grid; grid-template-columns: 1fr 1fr; gap: ${SPACE.huge} } }
`;

const TEXT = `
  h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 ${SPACE.medium} }
  h2 { font-size: 1.125rem; line-height: 1.3; margin: ${SPACE.large} 0 ${SPACE.small} }
  p, ol, ul, dl, form, fieldset { margin: 0 0 ${SPACE.medium} }
  .band p, .strip { margin: 0 }
  a { color: var(--action) }
  .soft, .hint, small { color: var(--soft); font-size: .9375rem }
  .figure { font-size: 2rem; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums }
  .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  ol.steps { padding-left: 1.75rem }
  ol.steps li { padding: ${SPACE.hair} 0 }
`;

const CONTROLS = `
  label, legend { display: block; font-weight: 600; padding: 0 }
  fieldset { border: 0; padding: 0; min-width: 0 }
  fieldset > :last-child { margin-bottom: 0 }
  input, select, button, .button { font: inherit; min-height: ${TARGET}; border-radius: 8px;
    padding: ${SPACE.small} ${SPACE.medium}; border: 2px solid var(--line) }
  input, select { width: 100%; background: var(--paper); color: var(--ink); margin: ${SPACE.hair} 0 }
  input + label { margin-top: ${SPACE.small} }
  [type=radio], [type=checkbox] { width: 1.5rem; height: 1.5rem; min-height: 0; margin: 0; flex: none;
    accent-color: var(--action) }
  [aria-invalid=true] { border-color: var(--failure) }
  .wrong { color: var(--failure); font-weight: 600 }
  .prefixed { display: flex; align-items: center; gap: ${SPACE.small}; white-space: nowrap }
  .choice { display: flex; align-items: center; gap: ${SPACE.medium}; min-height: ${TARGET}; font-weight: 400;
    border: 2px solid var(--line); border-radius: 8px; padding: ${SPACE.small} ${SPACE.medium};
    margin: ${SPACE.small} 0 }
  .choice:has(:checked) { border-color: var(--action); background: var(--raised) }
  .choice img { width: 2rem; height: 2rem }
  button, .button { display: block; width: 100%; text-align: center; text-decoration: none; font-weight: 700;
    cursor: pointer; background: var(--action); border-color: var(--action); color: var(--paper);
    margin: ${SPACE.medium} 0 0 }
  .button { display: flex; align-items: center; justify-content: center }
  .second { background: var(--paper); color: var(--action) }
  .plain { width: auto; display: inline-block; background: none; border-color: transparent; color: var(--action);
    text-decoration: underline; padding: 0 ${SPACE.small}; margin: 0 }
  [disabled] { opacity: .6; cursor: default }
  :focus-visible { outline: 3px solid var(--ink); outline-offset: 3px }
  input:focus-visible, select:focus-visible { outline-offset: 0 }
  .band :focus-visible { outline-color: var(--on-band) }
`;

/** A notice is told by its sign and its words; the colour only helps. */
const NOTICES = `
  .notice { background: var(--raised); border: 2px solid var(--tone, var(--info)); border-radius: 8px;
    padding: ${SPACE.medium}; margin: 0 0 ${SPACE.large}; display: flow-root }
  .notice::before { content: "i"; float: left; width: 1.5rem; height: 1.5rem; border-radius: 50%;
    margin-right: ${SPACE.small}; background: var(--tone, var(--info)); color: var(--paper); font-weight: 700;
    line-height: 1.5rem; text-align: center }
  .notice > :last-child { margin-bottom: 0 }
  .notice h1, .notice h2, .notice b { display: block; color: var(--tone, var(--info)); margin: 0 0 ${SPACE.small};
    overflow: hidden }
  .notice h1 { font-size: 1.25rem }
  .trouble { --tone: var(--trouble) } .trouble::before { content: "!" }
  .success { --tone: var(--success) } .success::before { content: "✓" }
  .failure { --tone: var(--failure) } .failure::before { content: "×" }
`;

const PARTS = `
  .card { background: var(--raised); border-radius: 12px; padding: ${SPACE.medium}; margin: 0 0 ${SPACE.large} }
  .card > :first-child { margin-top: 0 }
  .card > :last-child { margin-bottom: 0 }
  dl.amounts div { display: flex; justify-content: space-between; gap: ${SPACE.medium}; padding: ${SPACE.hair} 0 }
  dl.amounts dt { color: var(--soft) }
  dl.amounts dd { margin: 0; font-weight: 600; text-align: right; font-variant-numeric: tabular-nums }
  dl.amounts .total { border-top: 2px solid var(--line); font-size: 1.125rem; margin-top: ${SPACE.small};
    padding-top: ${SPACE.small} }
  dl.amounts .total dt { color: var(--ink); font-weight: 600 }
  .waiting { text-align: center; padding: ${SPACE.medium} 0 }
  .waiting::before { content: ""; display: block; width: 3rem; height: 3rem; margin: 0 auto ${SPACE.medium};
    border: 5px solid var(--raised); border-top-color: var(--action); border-radius: 50%;
    animation: turn 1.2s linear infinite }
  .waiting ~ .soft { text-align: center }
  h1:has(+ .waiting) { text-align: center }
  @keyframes turn { to { transform: rotate(1turn) } }
  .countdown { font-variant-numeric: tabular-nums; font-weight: 700 }
  .links { display: flex; flex-wrap: wrap; gap: 0 ${SPACE.medium}; list-style: none; padding: 0 }
  .languages { position: relative; flex: none }
  .languages summary, .languages a, .languages button { display: flex; align-items: center;
    min-height: ${TARGET}; cursor: pointer; white-space: nowrap }
  .languages summary::after { content: ""; border: .3em solid transparent; border-top-color: currentColor;
    margin: .3em 0 0 .4em }
  .languages ul { margin: 0; padding: 0 ${SPACE.medium}; list-style: none; background: var(--paper);
    border: 2px solid var(--line); border-radius: 8px }
  .languages [open] ul { position: absolute; right: 0; z-index: 2 }
  .languages ul :focus-visible { outline-color: var(--ink) }
  .languages form { margin: 0 }
  .languages button { font-weight: inherit; border: 0; padding: 0 }
`;

/** On paper nothing can be pressed; for eyes that movement troubles, what waits is dashed and stands still. */
const MEDIA = `
  @media (prefers-reduced-motion: reduce) { .waiting::before { animation: none; border-style: dashed } }
  @media print { button, .button, .languages, .waiting::before { display: none }
    .band { background: none; color: var(--ink) } }
`;

/** `onBand` becomes `--on-band`. */
function propertiesOf(palette: Palette): string {
  return Object.entries(palette)
    .map(([role, colour]) => `--${role.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${colour}`)
    .join(';');
}

/** Takes out what only people who read this file need. No value of ours depends on spaces beside these signs. */
export function squeeze(css: string): string {
  return css
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .trim();
}
