// Values exactly at the limits of schemas and providers, and one step beyond.
import type { Random } from '../kit/random.ts';
import { listValuePaths, readAt, writeAt, type Mutated, type ValuePath } from './mutate.ts';
import type { Schema } from './schema.ts';
import type { Scene } from './world.ts';

/** Characters that count as one, two, three or seven in different units. */
const LETTERS = ['x', '1', ' ', 'é', 'e\u0301', '😀', '👩‍👩‍👧‍👦', '\u0301'];

/** Puts one value of a valid body at a limit; null if the body has none. */
export function putAtEdge(body: Schema, value: unknown, scene: Scene): Mutated | null {
  const { random } = scene;
  const edges = listValuePaths(value).flatMap((place) => {
    const schema = schemaAt(body, place);
    const found = schema === null ? [] : edgesOf(schema, readAt(value, place), scene);
    return found.length === 0 ? [] : [{ place, found }];
  });
  if (edges.length === 0) return null;
  const { place, found } = random.pick(edges);
  return {
    value: writeAt(value, place, random.pick(found)),
    what: `${place.join('.') || 'the body'}: at an edge`,
  };
}

function edgesOf(schema: Schema, found: unknown, scene: Scene): readonly unknown[] {
  const { minimum, maximum, minItems = 0, maxItems } = schema;
  if (schema.pattern?.includes('[1-9][0-9]{0,17}') === true) return amountsAtEdges(scene);
  if (schema.pattern?.includes('-4[0-9a-fA-F]') === true && typeof found === 'string')
    return identifiersLike(found);
  if (schema.type === 'string' && schema.enum === undefined) return textsAtEdges(schema, scene.random);
  if (minimum !== undefined && maximum !== undefined)
    return [minimum - 1, minimum, minimum + 0.5, maximum, maximum + 1];
  if (maxItems === undefined || !Array.isArray(found) || found.length === 0) return [];
  const repeated = (length: number) => Array.from({ length }, (_, index) => numbered(found[0], index));
  return [repeated(maxItems), repeated(maxItems + 1), repeated(Math.max(0, minItems - 1))];
}

function textsAtEdges({ minLength = 0, maxLength }: Schema, random: Random): readonly string[] {
  const letter = random.pick(LETTERS);
  const lengths = maxLength === undefined ? [] : [maxLength, maxLength + 1];
  const shorter = minLength > 0 ? [minLength, minLength - 1] : [];
  return [...lengths, ...shorter].map((length) => letter.repeat(length));
}

/** UUIDs of other versions and variants, and in other formats. */
function identifiersLike(id: string): readonly string[] {
  const versions = ['0', '1', '5', '7', 'f'].map((version) => `${id.slice(0, 14)}${version}${id.slice(15)}`);
  const variants = ['0', '7', 'c', 'f'].map((variant) => `${id.slice(0, 19)}${variant}${id.slice(20)}`);
  return [...versions, ...variants, `{${id}}`, `urn:uuid:${id}`, id.replaceAll('-', ''), id.toUpperCase()];
}

function amountsAtEdges({ world, market }: Scene): readonly string[] {
  const offers = world.offers.filter(({ provider }) => provider === market.code);
  const limits = offers.flatMap((offer) => Object.values(offer.limits)).filter((one) => one !== undefined);
  const own = limits.flatMap(({ min, max }) => [
    min,
    max,
    `${max}.00`,
    `${max}.0001`,
    String(BigInt(max.split('.')[0] ?? '0') + 1n),
  ]);
  const most = '9'.repeat(18);
  return [
    ...own,
    '0',
    '0.0',
    '0.01',
    '0.0001',
    '1.0',
    '1.00',
    '1.000',
    '1.00000',
    most,
    `${most}.9999`,
    `1${'0'.repeat(18)}`,
  ];
}

/** A copy that differs where entries must: in metadata names, in identifiers. */
function numbered(item: unknown, index: number): unknown {
  const text = JSON.stringify(item) ?? 'null';
  const tail = index.toString(16).padStart(4, '0');
  const named = text
    .replace(/"field\d+"/, `"field${index}"`)
    .replace(/("fieldName":")[^"]*/, `$1field${index}`);
  return JSON.parse(named.replace(/("\w+Id":"[0-9a-f-]{32})[0-9a-f]{4}"/i, `$1${tail}"`)) as unknown;
}

function schemaAt(body: Schema, place: ValuePath): Schema | null {
  let schema: Schema | undefined = body;
  for (const key of place) schema = typeof key === 'number' ? schema?.items : schema?.properties?.[key];
  return schema ?? null;
}
