// Summaries of many measurements.

/** How long a step took, in milliseconds. */
export type Step = { readonly p50Ms: number; readonly p99Ms: number };

/** The median of several rounds, with their minimum and maximum. */
export type Spread = { readonly median: number; readonly min: number; readonly max: number };

/** How long each step took, turn by turn. */
export class Timings {
  readonly #ms = new Map<string, number[]>();

  add(taken: Readonly<Record<string, number>>): void {
    for (const [step, ms] of Object.entries(taken)) {
      const all = this.#ms.get(step);
      if (all === undefined) this.#ms.set(step, [ms]);
      else all.push(ms);
    }
  }

  steps(): Readonly<Record<string, Step>> {
    return Object.fromEntries([...this.#ms].map(([name, ms]) => [name, stepOf(ms)]));
  }
}

export function stepOf(ms: readonly number[]): Step {
  const sorted = ms.toSorted((a, b) => a - b);
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

/** Interpolated between the two nearest values. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? 0;
  return below + (above - below) * (place - Math.floor(place));
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
