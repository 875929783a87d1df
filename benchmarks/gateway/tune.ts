// The best number of clients for each side. The result is copied into figures.ts.
import { createMeasures, type CLIENTS, type Tempo } from './figures.ts';
import type { Setup } from './setup.ts';

const TEMPO: Tempo = { warmMs: 500, windowMs: 1_500 };

const TUNED: Readonly<Partial<Record<keyof typeof CLIENTS, readonly number[]>>> = {
  bare: [2, 4, 8, 16],
  bare_batched: [1, 2, 4, 8],
  gateway: [128, 256, 512, 1_024],
  insert_route: [32, 64, 128, 256],
  intake: [32, 64, 128, 256],
  select_route: [16, 32, 64, 128],
  status: [16, 32, 64, 128],
};

/** `only` names the figures to measure; default: all. */
export async function tune(setup: Setup, only: readonly string[]): Promise<string> {
  const measures = createMeasures();
  const chosen = Object.entries(TUNED).filter(([name]) => only.length === 0 || only.includes(name));
  // Status checks read what intake has created.
  for (const name of ['gateway', 'insert_route', 'intake'] as const) await measures[name](setup, TEMPO);
  const lines: string[] = [];
  for (const [name, tried] of chosen as [keyof typeof TUNED, readonly number[]][]) {
    const rates = new Map<number, number[]>(tried.map((clients) => [clients, []]));
    // Up and down again, so that a drift of the machine does not look like an effect of the count.
    for (const clients of [...tried, ...tried.toReversed()]) {
      rates.get(clients)?.push((await measures[name](setup, TEMPO, clients)).perSecond);
    }
    const cells = [...rates].map(([clients, some]) => `${clients}: ${some.map(Math.round).join(' ')}`);
    lines.push(`${name.padEnd(16)}${cells.join('   ')}`);
  }
  return `${lines.join('\n')}\n`;
}
