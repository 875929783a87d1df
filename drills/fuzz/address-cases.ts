// Requests with a bad address: parameters, queries, methods, and unknown paths.
import type { Random } from '../kit/random.ts';
import { credentials, randomPath, randomSoundBody, renderCall } from './body-cases.ts';
import type { Operation, Parameter } from './document.ts';
import { randomValue } from './random-values.ts';
import { randomHostile, randomHostileText, PROTOTYPE_NAMES } from './hostile.ts';
import { renderRequest } from './request.ts';
import { fits } from './schema.ts';
import { ANYTHING, refused, type Case, type Expected, type Scene } from './world.ts';

export function randomAddressCase(operation: Operation, scene: Scene): Case {
  const { random } = scene;
  const [parameter] = operation.inPath.length === 0 ? [] : [random.pick(operation.inPath)];
  if (parameter !== undefined && random.chance(0.6)) return randomParameterCase(operation, parameter, scene);
  return random.chance(0.4) ? randomMethodCase(operation, scene) : randomStrayCase(scene);
}

function randomParameterCase(operation: Operation, parameter: Parameter, scene: Scene): Case {
  const { name } = parameter;
  const text = randomBent(parameter, scene);
  const written = writeInto(text, scene.random);
  return {
    family: 'addresses',
    what: `${operation.method} ${operation.path}, ${name} bent`,
    bytes: renderCall(operation, scene, {
      path: randomPath(operation, scene, { [name]: written }),
      body: randomSoundBody(operation, scene),
    }),
    methods: [operation.method],
    expected: parameterExpected(parameter, written),
  };
}

export function randomQueryCase(operation: Operation, scene: Scene): Case {
  const parameter = scene.random.pick(operation.inQuery);
  const { name } = parameter;
  const isRaw = scene.random.chance(0.2);
  const text = randomBent(parameter, scene);
  const written = isRaw ? randomRawQuery(name, scene.random) : encode(text);
  return {
    family: 'queries',
    what: `${operation.method} ${operation.path}, ${name} ${isRaw ? 'in no order' : 'bent'}`,
    bytes: renderCall(operation, scene, { path: randomPath(operation, scene, { [name]: written }) }),
    methods: [operation.method],
    // A cursor is opaque, so clients cannot validate it.
    expected: isRaw || CURSORS.includes(name) ? ANYTHING : expectedFor(parameter, text),
  };
}

function randomBent({ name, schema }: Parameter, scene: Scene): string {
  const { random } = scene;
  if (CURSORS.includes(name) && random.chance(0.7)) return randomCursor(random);
  if (random.chance(0.4)) return randomHostileText(random, String(randomValue(schema, name, scene)));
  const hostile = randomHostile(random);
  const text = typeof hostile === 'string' ? hostile : (JSON.stringify(hostile) ?? '');
  return text.slice(0, 4_000);
}

/** Cursors of lists: anyone can decode one and write another. */
const CURSORS = ['cursor', 'after'];

/** Parts of a cursor: valid ones, and ones at the limit. */
const CURSOR_PARTS = {
  time: [
    '2026-01-01T00:00:00.000Z',
    '0000-00-00T99:99:99.999Z',
    '9999-12-31T23:59:59.999Z',
    '+275760-09-13T00:00:00.000Z',
    '-271821-04-20T00:00:00.000Z',
  ],
  uuid: ['00000000-0000-4000-8000-000000000000', 'FFFFFFFF-ffff-ffff-ffff-ffffffffffff', 'no-uuid'],
  number: ['0', '7', '2147483648', '999999999999999', '9'.repeat(25), '-1', '1e3'],
  word: ['DEPOSIT', '__PROTO__', '', 'Wages'],
} as const;

const CURSOR_SHAPES: readonly (readonly (keyof typeof CURSOR_PARTS)[])[] = [
  ['number'],
  ['uuid'],
  ['time', 'uuid'],
  ['word', 'uuid'],
  ['time', 'word', 'uuid', 'number'],
  ['time', 'uuid', 'word', 'uuid', 'number'],
];

function randomCursor(random: Random): string {
  const parts = random.pick(CURSOR_SHAPES).map((kind) => {
    const [sound = '', ...others] = CURSOR_PARTS[kind];
    const generated = random.chance(0.5) ? sound : random.pick(others);
    return random.chance(0.9) ? generated : randomHostileText(random, generated);
  });
  const text = random.chance(0.5) ? JSON.stringify(parts) : parts.join(' ');
  return Buffer.from(text).toString('base64url').slice(0, 2_000);
}

/** Usually encoded so that the text arrives unchanged; sometimes with characters that an address may not have. */
function writeInto(text: string, random: Random): string {
  if (random.chance(0.8)) return encode(text);
  return random.pick([
    '%',
    '%2',
    '%zz',
    '%c0%af',
    '%ff',
    '%00',
    '..',
    '%2e%2e',
    '.',
    '*',
    ';a=b',
    '\\',
    '{',
    '%252f',
    '',
  ]);
}

/** Like encodeURIComponent, which throws for half of a surrogate pair. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function randomRawQuery(name: string, random: Random): string {
  return random.pick([
    'a&'.repeat(500),
    `1&${name}=2&${name}=3`,
    `&${name}[]=1&${name}[a]=2`,
    `&${random.pick(PROTOTYPE_NAMES)}=1&${random.pick(PROTOTYPE_NAMES)}[x]=2`,
    '%',
    '%zz',
    '%ff%fe',
    '&=&=&==',
    '?'.repeat(300),
    'x'.repeat(9_000),
    '+',
    `&unheardOf=1`,
  ]);
}

function parameterExpected(parameter: Parameter, written: string): Expected {
  const text = decode(written);
  if (text === null) return refused('it cannot be decoded');
  // Dots go up a level, and an empty segment is another address.
  if (/^\.{0,2}$/.test(text) || /[\\?#/]/.test(written)) return ANYTHING;
  return expectedFor(parameter, text);
}

function expectedFor({ name, schema }: Parameter, text: string): Expected {
  return fits(schema, text) ? ANYTHING : refused(`${name} does not fit the schema`);
}

function decode(written: string): string | null {
  try {
    return decodeURIComponent(written);
  } catch {
    return null;
  }
}

const METHODS = [
  'HEAD',
  'OPTIONS',
  'PATCH',
  'PUT',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'SEARCH',
  'get',
  'FOO',
  'G ET',
];

function randomMethodCase(operation: Operation, scene: Scene): Case {
  const method = scene.random.pick(METHODS);
  // A console path may accept several methods; a merchant path accepts none of these.
  const isNoOnes =
    operation.apiVersion !== 'console' && ['PATCH', 'TRACE', 'PROPFIND', 'FOO'].includes(method);
  return {
    family: 'addresses',
    what: `${method} ${operation.path}`,
    bytes: renderCall(operation, scene, { method, body: randomSoundBody(operation, scene) }),
    methods: [method],
    expected: isNoOnes ? refused('no such method') : ANYTHING,
    isAlone: true,
  };
}

const STRAYS = [
  '/',
  '//',
  '*',
  '/..',
  '/../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/v2',
  '/v2/',
  '//v2/deposits',
  '/v2//deposits',
  '/v2/deposits/',
  '/V2/deposits',
  '/v2/deposits;jsessionid=1',
  '/v2/deposits%00',
  '/v2/deposits%2f',
  '/v2/./deposits',
  '/v2/deposits#x',
  '/v2/deposits?',
  '/%',
  '/%zz/%ff',
  '/v3/deposits',
  '/pay/%00',
  '/pay/x',
  '/pay/x/go',
  '/checkout/%F0%9F%98%80',
  '/checkout/__proto__',
  '/checkout/constructor/go',
  '/statements/x',
  '/statements/%00',
  '/artwork/flags/RWA.svg',
  '/artwork/flags/__proto__.svg',
  '/artwork/flags/constructor.svg',
  '/artwork/providers/%00.svg',
  '/artwork/flags/..%2f..%2fpackage.json',
  '/health',
  '/ready',
  '/metrics',
  '/operators/__proto__/notifications',
  '/operators/constructor/notifications',
  '/console/api',
  '/console/api/me/..',
  '/console/auth/',
  '/console/auth/session',
  '/public-key/https',
  '/v1/predict-anything',
  'http://elsewhere.example/v2/active-conf',
  'http://elsewhere.example:99999/v2/active-conf',
  'https://[::1/v2/active-conf',
  'v2/active-conf',
];

function randomStrayCase(scene: Scene): Case {
  const { random, world } = scene;
  const plain = random.pick(STRAYS);
  const path = random.chance(0.5)
    ? plain
    : `${plain}${encode(randomHostileText(random, 'x')).slice(0, 9_000)}`;
  const method = random.pick(['GET', 'POST', 'PUT', 'DELETE']);
  const apiVersion = path.startsWith('/console') ? 'console' : 'v2';
  const headers = credentials({ apiVersion } as Operation, world);
  const body = method === 'POST' ? Buffer.from('{}') : null;
  return {
    family: 'addresses',
    what: `${method} ${path.slice(0, 60)}`,
    bytes: renderRequest({ method, path, host: world.host, headers, body }),
    methods: [method],
    expected: ANYTHING,
    isAlone: true,
  };
}
