// Repeatable randomness: xoshiro128** seeded through splitmix32. Everything random in a run comes from here, so that a
// seed defines a whole run.

/** Each name has its own stream: one more random number for the load must not change the faults. */
export function streamOf(seed: number, name: string): Random {
  return new Random(hashOf(`${seed}/${name}`));
}

export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 0;

  constructor(seed: number) {
    let mixed = seed >>> 0;
    const split = () => {
      mixed = (mixed + 0x9e3779b9) >>> 0;
      let word = mixed;
      word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
      word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
      return word ^ (word >>> 15);
    };
    this.#a = split();
    this.#b = split();
    this.#c = split();
    this.#d = split();
  }

  /** Any whole number of 32 bits. */
  word(): number {
    const second = this.#b;
    const times5 = Math.imul(second, 5);
    const result = Math.imul((times5 << 7) | (times5 >>> 25), 9) >>> 0;
    this.#c ^= this.#a;
    this.#d ^= second;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= second << 9;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** In [0, 1). */
  share(): number {
    return this.word() / 0x1_0000_0000;
  }

  /** A whole number from `least` up to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.share() * (most - least + 1));
  }

  chance(share: number): boolean {
    return this.share() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }

  /** A random key of `weights`, by weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Name[];
    let left = this.share() * names.reduce((sum, name) => sum + weights[name], 0);
    for (const name of names) {
      left -= weights[name];
      if (left < 0) return name;
    }
    return names[0] as Name;
  }

  /** A random value, by weight. */
  pickWeighted<Value>(from: readonly (readonly [weight: number, value: Value])[]): Value {
    let left = this.share() * from.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of from) {
      left -= weight;
      if (left < 0) return value;
    }
    return this.pick(from)[1];
  }

  /** A random delay until the next event, with `meanMs` on average. */
  waitMs(meanMs: number): number {
    return -Math.log(1 - this.share()) * meanMs;
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
