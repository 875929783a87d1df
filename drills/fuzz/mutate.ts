// Puts errors into valid values: one or a few, at random positions, so that findings are small.
import type { Random } from '../kit/random.ts';
import { randomHostile, randomHostileText, PROTOTYPE_NAMES } from './hostile.ts';
import { isObject } from './schema.ts';

export type Mutated = { readonly value: unknown; readonly what: string };

export type ValuePath = readonly (string | number)[];

/** Nine times out of ten one error, else two or three. */
export function mutate(value: unknown, random: Random): Mutated {
  const times = random.pickWeighted([
    [9, 1],
    [1, random.between(2, 3)],
  ]);
  let mutated: Mutated = { value: structuredClone(value), what: '' };
  for (let done = 0; done < times; done += 1) {
    const next = mutateOnce(mutated.value, random);
    mutated = { value: next.value, what: mutated.what === '' ? next.what : `${mutated.what}; ${next.what}` };
  }
  return mutated;
}

type Change = (found: unknown, random: Random) => unknown;

/** Removes the value. */
const GONE = Symbol('gone');

const CHANGES: readonly (readonly [weight: number, name: string, change: Change])[] = [
  [8, 'another value', (_, random) => randomHostile(random)],
  [
    8,
    'a bent text',
    (found, random) => (typeof found === 'string' ? randomHostileText(random, found) : null),
  ],
  [3, 'taken away', () => GONE],
  [3, 'a name too many', addName],
  [2, 'in a list', (found) => [found]],
  [2, 'in an object', (found, random) => ({ [random.pick(['value', 'a', ...PROTOTYPE_NAMES])]: found })],
  [2, 'repeated in its list', repeatItem],
  [
    1,
    'as a number',
    (found) => (typeof found === 'string' ? Number.parseFloat(found) : Number(Boolean(found))),
  ],
  [1, 'as a text', (found) => (typeof found === 'string' ? JSON.stringify(found) : shownAsText(found))],
  [
    1,
    'names turned round',
    (found) => (isObject(found) ? Object.fromEntries(Object.entries(found).toReversed()) : []),
  ],
];

function mutateOnce(value: unknown, random: Random): Mutated {
  const [name, change] = random.pickWeighted(CHANGES.map(([weight, ...rest]) => [weight, rest] as const));
  const places = listValuePaths(value);
  // Only an object can have an extra name.
  const objects = change === addName ? places.filter((place) => isObject(readAt(value, place))) : [];
  const place = random.pick(objects.length === 0 ? places : objects);
  const found = readAt(value, place);
  const what = `${place.join('.') || 'the body'}: ${name}`;
  return { value: writeAt(value, place, change(found, random)), what };
}

function addName(found: unknown, random: Random): unknown {
  const name = random.pick([
    ...PROTOTYPE_NAMES,
    'unheardOf',
    '',
    '😀',
    'depositid',
    'Amount',
    'status',
    '$ref',
  ]);
  if (!isObject(found)) return { [name]: found };
  // Not with a literal: there the name __proto__ would set a prototype.
  const entries = [...Object.entries(found), [name, randomHostile(random)] as const];
  return Object.fromEntries(random.chance(0.5) ? entries : entries.toReversed());
}

function repeatItem(found: unknown, random: Random): unknown {
  if (!Array.isArray(found)) return [found, found];
  const times = random.pick([2, 11, 21, 51, 1_000]);
  return Array.from({ length: times }, (_, index) => found[index % Math.max(1, found.length)] as unknown);
}

function shownAsText(found: unknown): string {
  return JSON.stringify(found)?.slice(0, 2_000) ?? '';
}

/** Every position in the value, the whole first. */
export function listValuePaths(value: unknown, at: ValuePath = []): readonly ValuePath[] {
  const inside = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return [at, ...inside.flatMap(([key, one]) => listValuePaths(one, [...at, key]))];
}

export function readAt(value: unknown, place: ValuePath): unknown {
  return place.reduce<unknown>((found, key) => (found as Record<string | number, unknown>)[key], value);
}

/** A copy of the value with another one at the position. */
export function writeAt(value: unknown, [key, ...rest]: ValuePath, put: unknown): unknown {
  if (key === undefined) return put === GONE ? null : put;
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      if (index !== key) return [item];
      const written = rest.length === 0 ? put : writeAt(item, rest, put);
      return written === GONE ? [] : [written];
    });
  }
  const entries = Object.entries(value as object).flatMap(([name, one]: [string, unknown]) => {
    if (name !== key) return [[name, one] as const];
    const written = rest.length === 0 ? put : writeAt(one, rest, put);
    return written === GONE ? [] : [[name, written] as const];
  });
  return Object.fromEntries(entries);
}
