// The style of the simulated phone: a small plain phone with a bright screen, with the same colours in light and dark
// mode.
import { squeeze } from '../../edge/pages/look/style.ts';

export const PHONE_STYLE = squeeze(`
  .phone { max-width: 20rem; margin: 0 auto 1.5rem; padding: 1rem; border-radius: 2.25rem; background: #1b2523;
    border: 2px solid #5b6a66 }
  .phone::before { content: ""; display: block; width: 3.5rem; height: .375rem; border-radius: 1rem;
    background: #5b6a66; margin: 0 auto .75rem }
  .glass { background: #e4f1ea; color: #0f1a17; border-radius: .75rem; padding: .5rem .875rem 1rem;
    min-height: 22rem; display: flex; flex-direction: column; font: 1rem/1.4 ui-monospace, monospace }
  .bar { display: flex; justify-content: space-between; gap: .5rem; font-size: .875rem; font-weight: 600;
    border-bottom: 2px solid #0f1a17; padding-bottom: .25rem; margin: 0 0 .75rem; white-space: nowrap }
  .glass p, .glass form { margin: 0 0 .75rem }
  .glass form { display: flex; flex-direction: column; flex: 1; margin: 0 }
  .glass input { background: #fff; color: #0f1a17; border-color: #0f1a17; font: inherit }
  .glass [name=pin] { font-size: 1.5rem; letter-spacing: .5em; text-align: center; padding: 0 }
  .glass .wrong { color: #8c1515 }
  .glass a { color: #00473f }
  .glass :focus-visible { outline-color: #0f1a17 }
  .big { font-size: 1.375rem; font-weight: 700; line-height: 1.3 }
  .time { font-size: 3rem; font-weight: 700; line-height: 1; text-align: center; margin: 2rem 0 .5rem !important }
  .idle { text-align: center }
  .soft-keys { display: flex; gap: .5rem; margin-top: auto }
  .soft-keys > * { margin: .5rem 0 0; padding: .5rem; flex: 1 }
  .glass button, .glass .button { background: #0f1a17; border-color: #0f1a17; color: #fff; font: inherit;
    font-weight: 700 }
  .glass .second { background: none; color: #0f1a17 }
  .glass .plain { width: 100%; background: none; border-color: transparent; color: #0f1a17; font-weight: 400;
    margin: .25rem 0 0 }
  .keys { display: grid; grid-template-columns: repeat(3, 1fr); gap: .5rem; margin-top: 1rem }
  .keys[hidden] { display: none }
  #messages h2 { margin-top: 0 }
  .keys button { margin: 0; padding: 0; border-color: #5b6a66; background: #2c3936; color: #fff; border-radius: 1.5rem }
  .phone > .keys :focus-visible { outline-color: #fff }
  .sms { list-style: none; padding: 0 }
  .sms li { background: var(--raised); border-radius: 12px 12px 12px 2px; padding: .5rem .875rem; margin: 0 0 .75rem }
  .sms p { margin: 0 }
  .facts { padding-left: 1.25rem }
  code { font-size: .9375rem }
`);
