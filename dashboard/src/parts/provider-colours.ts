// The colour that people know an operator by, with an ink that can be read on it. Others are grey.
const DARK = '#0f1a17';
const WHITE = '#ffffff';

const COLOURS: Readonly<Record<string, readonly [ground: string, ink: string]>> = {
  Airtel: ['#c8102e', WHITE],
  Free: ['#a3142f', WHITE],
  Halotel: ['#f57c00', DARK],
  'M-Pesa': ['#2e7d32', WHITE],
  Moov: ['#0b5aa2', WHITE],
  Movitel: ['#f57c00', DARK],
  MTN: ['#ffcb05', DARK],
  Orange: ['#ff7900', DARK],
  Safaricom: ['#2e7d32', WHITE],
  Telecel: ['#8e1b1b', WHITE],
  Tigo: ['#00377b', WHITE],
  TNM: ['#00695c', WHITE],
  Vodacom: ['#b3000c', WHITE],
  Wave: ['#1dc8ff', DARK],
  Zamtel: ['#00703c', WHITE],
};

/** By the operator's name; a country may follow it. */
export function coloursOf(name: string): { readonly ground: string; readonly ink: string } {
  const [ground, ink] = COLOURS[name.split(' ')[0] ?? ''] ?? ['#3d4b47', WHITE];
  return { ground, ink };
}
