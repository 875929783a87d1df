// Valid values for the schemas of the documents, as a merchant's program would send. Errors are put in afterwards.
import { randomNumber } from '../kit/load/markets.ts';
import type { Random } from '../kit/random.ts';
import type { Schema } from './schema.ts';
import type { Scene } from './world.ts';

/** A random identifier of version 4, from the run's own randomness. */
export function randomUuid(random: Random): string {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.between(0, 15).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${random.pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`;
}

export function randomValue(schema: Schema, name: string, scene: Scene): unknown {
  const { random } = scene;
  if (schema.anyOf !== undefined) return randomValue(random.pick(schema.anyOf), name, scene);
  if (schema.enum !== undefined) return random.pick(schema.enum);
  switch (schema.type) {
    case 'object':
      return randomObject(schema, scene);
    case 'array':
      return randomArray(schema, name, scene);
    case 'integer':
      return random.between(schema.minimum ?? 0, schema.maximum ?? 100);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case undefined:
    default:
      return randomText(schema, name, scene);
  }
}

function randomObject(schema: Schema, scene: Scene): object {
  const { properties = {}, required = [], additionalProperties } = schema;
  const needed = [...required, ...Object.keys(scene.market.authorisation)];
  const isRefund = Object.hasOwn(properties, 'refundId');
  const generated = Object.fromEntries(
    Object.entries(properties).flatMap(([name, one]) => {
      const isThere = needed.includes(name) || scene.random.chance(0.5);
      const known = isRefund && name === 'depositId' ? 'paidDepositId' : name;
      return isThere ? [[name, randomValue(one, known, scene)]] : [];
    }),
  );
  const isMetadata = typeof additionalProperties === 'object';
  if (isMetadata) return { ...generated, [`field${scene.random.between(1, 999_999)}`]: 'a value' };
  const [first] = Object.keys(properties);
  const isShort = Object.keys(generated).length < (schema.minProperties ?? 0);
  if (isShort && first !== undefined) return { [first]: randomValue(properties[first] ?? {}, first, scene) };
  return generated;
}

/** Lists of countries and filters have one entry: two would have to differ in a valid way. */
function randomArray(schema: Schema, name: string, scene: Scene): readonly unknown[] {
  const { items = {}, minItems = 0, maxItems = 3 } = schema;
  const most = ['splits', 'metadata', ''].includes(name) ? Math.min(3, maxItems) : 1;
  const length = scene.random.between(minItems, Math.max(minItems, most));
  const inside = name === 'splits' ? { ...scene, isPart: true } : scene;
  return Array.from({ length }, () => randomValue(items, nameOfItem(name, schema), inside));
}

function nameOfItem(name: string, { items }: Schema): string {
  return items?.type === 'object' ? name : name.replace(/ies$/, 'y').replace(/s$/, '');
}

const DAY_MS = 24 * 3_600_000;

function randomText(schema: Schema, name: string, scene: Scene): string {
  const { random, world, market } = scene;
  const known = world.pool[name];
  if (known !== undefined && known.length > 0 && random.chance(0.9)) return random.pick(known);
  const { pattern = '', format } = schema;
  if (format === 'uuid' || pattern.includes('-4[0-9a-fA-F]')) return randomUuid(random);
  if (pattern.includes('[1-9][0-9]{0,17}')) return randomAmount(scene);
  if (pattern === '^[0-9a-f]{64}$') return randomHash(random);
  if (/phone|msisdn|^value$/i.test(name)) return randomNumber(random, market);
  if (/currency/i.test(name)) return market.currency;
  if (/provider|correspondent/i.test(name)) return market.code;
  if (pattern === '^[A-Z]{3}$' || name === 'country') return market.country;
  if (/url$/i.test(name)) return `https://shop.example/${random.between(1, 999)}`;
  if (/^(start|end|from|to$|date|day$|firstDay|customerTime|expiresAt)/.test(name))
    return randomTime(schema, name);
  return randomWords(schema, name, scene);
}

/** The hash of what an approver was shown; there is none here. */
const randomHash = (random: Scene['random']) =>
  Array.from({ length: 64 }, () => random.between(0, 15).toString(16)).join('');

/** Small for the parts of a split payment, so that they fit into the whole. */
function randomAmount({ random, market, isPart = false }: Scene): string {
  return String(isPart ? market.amountMin : market.amountMin * 3 + random.between(0, 900));
}

function randomTime({ format, pattern = '' }: Schema, name: string): string {
  const daysAgo = /^(start|from)/.test(name) ? 4 : name === 'expiresAt' ? -30 : 2;
  const time = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  return format === 'date' || pattern.startsWith('^\\d{4}-\\d{2}-\\d{2}') ? time.slice(0, 10) : time;
}

const WORDS: readonly (readonly [RegExp, (scene: Scene) => string])[] = [
  [/email/i, ({ random }) => `person${random.between(1, 99_999)}@example.com`],
  [/password/i, ({ world }) => world.password],
  [/^pem$/, ({ world }) => world.signer.key.pem],
  [/^limit$/, ({ random }) => String(random.between(1, 100))],
  // Seconds that an answer may wait: a long one would be taken for a hang.
  [/^wait$/, ({ random }) => String(random.between(0, 1))],
  [/^kinds?$/, () => 'DEPOSIT'],
  [/^states?$/, () => 'COMPLETED'],
  [/^scope$/, () => 'deposits:write'],
  [/^colour$/, () => '#0a7d5f'],
  [/^base64$/, () => 'iVBORw0KGgo='],
  [/^file$/, ({ market }) => `phoneNumber,amount,currency\n${market.prefix}000000,500,${market.currency}\n`],
];

function randomWords({ minLength = 0 }: Schema, name: string, scene: Scene): string {
  const special = WORDS.find(([names]) => names.test(name));
  const text = special?.[1](scene) ?? `Order ${scene.random.between(1, 99_999)}`;
  return text.padEnd(minLength, 'x');
}
