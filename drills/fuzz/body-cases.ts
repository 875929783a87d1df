// Requests with a bad body: with errors in its values, or not JSON at all.
import type { Random } from '../kit/random.ts';
import { breakJson } from './broken-json.ts';
import type { ApiVersion, Operation } from './document.ts';
import { randomValue } from './random-values.ts';
import { putAtEdge } from './edges.ts';
import { renderJson } from './hostile.ts';
import { mutate, type Mutated } from './mutate.ts';
import { bearer, JSON_TYPE, renderRequest, type Header } from './request.ts';
import { findForbidden } from './rules.ts';
import { fits } from './schema.ts';
import { ANYTHING, refused, type Case, type Expected, type Family, type Scene, type World } from './world.ts';

export const FAMILY_OF: Readonly<Record<ApiVersion, Family>> = {
  v2: 'values of API v2',
  v1: 'values of API v1',
  console: 'values of the console',
};

/** One in this many stays valid, to check that valid ones are accepted. */
const SOUND_SHARE = 0.06;

export function randomValueCase(operation: Operation, scene: Scene): Case {
  const { random, world } = scene;
  const sound = randomValue(operation.body ?? {}, '', scene);
  const isSound = random.chance(SOUND_SHARE);
  const { value, what } = isSound ? { value: sound, what: 'sound' } : spoil(operation, sound, scene);
  const bytes = Buffer.from(renderJson(value));
  const expected = expectedOf(operation, bytes, world);
  return {
    family: FAMILY_OF[operation.apiVersion],
    what: `${operation.method} ${operation.path}, ${what}`,
    bytes: renderCall(operation, scene, { body: bytes }),
    methods: [operation.method],
    expected: isSound && expected.type === 'ANYTHING' ? { type: 'SOUND' } : expected,
  };
}

/** One in five is put at a limit, if possible. */
function spoil({ body }: Operation, sound: unknown, scene: Scene): Mutated {
  const atEdge = scene.random.chance(0.2) ? putAtEdge(body ?? {}, sound, scene) : null;
  return atEdge ?? mutate(sound, scene.random);
}

export function randomBrokenCase(operation: Operation, scene: Scene): Case {
  const text = JSON.stringify(randomValue(operation.body ?? {}, '', scene));
  const { bytes, what } = breakJson(text, scene.random);
  return {
    family: 'broken JSON',
    what: `${operation.method} ${operation.path}, ${what}`,
    bytes: renderCall(operation, scene, { body: bytes }),
    methods: [operation.method],
    expected: expectedOf(operation, bytes, scene.world),
  };
}

/** The specification has no limit; the gateway's is one megabyte, and more only for file uploads. */
const BODY_BYTES_MAX = 1_048_576;

/** The expected answer to a body. It is parsed here from its bytes. */
export function expectedOf(operation: Operation, bytes: Buffer, { offers }: World): Expected {
  if (operation.body === null) return ANYTHING;
  if (bytes.length > BODY_BYTES_MAX && operation.apiVersion !== 'console') return refused('it is too large');
  const read = readJson(bytes);
  if (read === null) return refused('it is not JSON');
  if (!fits(operation.body, read.value)) return refused('it does not fit the schema');
  return findForbidden(operation, read.value, offers) ?? ANYTHING;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readJson(bytes: Buffer): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(utf8.decode(bytes)) as unknown };
  } catch {
    return null;
  }
}

export type CallParts = {
  readonly body?: Buffer | null;
  readonly path?: string;
  readonly method?: string;
  /** Instead of the usual ones. */
  readonly headers?: readonly Header[];
};

/** A valid call of an operation, except for the given parts. */
export function renderCall(operation: Operation, scene: Scene, parts: CallParts = {}): Buffer {
  const { world } = scene;
  return renderRequest({
    method: parts.method ?? operation.method,
    path: parts.path ?? randomPath(operation, scene),
    host: world.host,
    headers: parts.headers ?? [...credentials(operation, world), JSON_TYPE],
    body: parts.body ?? null,
  });
}

export function credentials({ apiVersion }: Operation, world: World): readonly Header[] {
  if (apiVersion !== 'console') return [bearer(world.token)];
  return [
    ['cookie', world.cookie],
    ['origin', `http://${world.host}`],
  ];
}

/** The body of a valid call, if there is one. */
export function randomSoundBody(operation: Operation, scene: Scene): Buffer | null {
  if (operation.body === null) return null;
  return Buffer.from(JSON.stringify(randomValue(operation.body, '', scene)));
}

/** With `bent` as the value of one parameter in the address. */
export function randomPath(
  { path, inPath, inQuery }: Operation,
  scene: Scene,
  bent: Readonly<Record<string, string>> = {},
): string {
  const filled = inPath.reduce(
    (address, { name, schema }) =>
      address.replace(
        `{${name}}`,
        () => bent[name] ?? encodeURIComponent(randomParameter(schema, name, scene)),
      ),
    path,
  );
  const query = inQuery.flatMap(({ name, schema }) => {
    // A valid client never invents a cursor.
    const isCursor = name === 'cursor' || name === 'after';
    const isThere = bent[name] !== undefined || (!isCursor && addsQuery(scene.random));
    return isThere
      ? [`${name}=${bent[name] ?? encodeURIComponent(randomParameter(schema, name, scene))}`]
      : [];
  });
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function addsQuery(random: Random): boolean {
  return random.chance(0.7);
}

function randomParameter(schema: Parameters<typeof randomValue>[0], name: string, scene: Scene): string {
  return String(randomValue(schema, name, scene));
}
