// Random numbers that can be had again: everything a proof does by chance comes from one seed, in streams by name, so
// that drawing one more number for the load does not move the faults.

export type Random = {
  /** From 0 up to, not including, 1. */
  readonly next: () => number;
  /** A whole number from `min` to `max`, both included. */
  readonly whole: (min: number, max: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Value>(from: readonly Value[]) => Value;
  /** One of the values, each as often as its weight says. */
  readonly weighted: <Value>(from: readonly (readonly [weight: number, value: Value])[]) => Value;
  /** How long to wait for the next of events that come once in `meanMs` on average, whenever they like. */
  readonly waitMs: (meanMs: number) => number;
};

export function createRandom(seed: number, stream: string): Random {
  const next = mulberry32(hashOf(`${seed}/${stream}`));
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const pick = <Value>(from: readonly Value[]): Value => {
    const value = from[whole(0, from.length - 1)];
    if (value === undefined) throw new Error('there is nothing to pick from');
    return value;
  };
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick,
    weighted: (from) => {
      let left = next() * from.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of from) if ((left -= weight) < 0) return value;
      return pick(from)[1];
    },
    waitMs: (meanMs) => -Math.log(1 - next()) * meanMs,
  };
}

/** Tommy Ettinger's generator: 32 bits of state, good enough to choose victims by. */
function mulberry32(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
