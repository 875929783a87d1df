// Requests with bad headers: types, tokens, encodings, and headers that clients never send.
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { credentials, randomSoundBody, renderCall } from './body-cases.ts';
import type { Operation } from './document.ts';
import { JSON_TYPE, type Header } from './request.ts';
import { ANYTHING, refused, type Case, type Expected, type Scene, type World } from './world.ts';

const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/jsonp',
  'application/json5',
  'application/json-patch+json',
  'application/jsonx; charset=utf-8',
  'text/json',
  'json',
  '/',
  'application/',
  '*/*',
  'application/octet-stream, application/json',
  `application/${'x'.repeat(4_000)}`,
];

const STRANGE: readonly (readonly Header[])[] = [
  [['x-forwarded-for', '127.0.0.1, ::1, unknown, %00']],
  [['x-forwarded-proto', 'javascript']],
  [['x-forwarded-host', 'elsewhere.example']],
  [['x-malipo-client-address', '::1']],
  [['x-malipo-hops', '-1']],
  [['forwarded', 'for=_x;proto=https;host="a\\"b"']],
  [['host', '']],
  [['host', 'elsewhere.example']],
  [['host', 'a:b:c']],
  [['host', '[::1']],
  [['host', 'x'.repeat(3_000)]],
  [['host', 'a b']],
  [['origin', 'null']],
  [['origin', 'http://elsewhere.example']],
  [['sec-fetch-site', 'cross-site']],
  [['accept', 'text/html;q=abc, */*;q=-1']],
  [['accept-language', 'fr;q=0.5,'.repeat(1_500)]],
  [['accept-language', `en${';q=1'.repeat(3_000)}`]],
  [['accept-encoding', 'gzip;q=0, identity;q=0, *;q=0']],
  [['cookie', '=;;;=;a=b=c;\u00ff'.repeat(300)]],
  [['cookie', 'malipo.session_token=%00%zz']],
  [['traceparent', '00-00000000000000000000000000000000-0000000000000000-00']],
  [['traceparent', `00-${'f'.repeat(5_000)}`]],
  [['tracestate', 'a=b,'.repeat(2_000)]],
  [['range', 'bytes=0-0,-1,5-2']],
  [['if-none-match', '*']],
  [['if-modified-since', 'never']],
  [['expect', 'nothing']],
  [
    ['upgrade', 'websocket'],
    ['connection', 'Upgrade'],
    ['sec-websocket-key', 'x'],
    ['sec-websocket-version', '13'],
  ],
  [
    ['upgrade', 'h2c'],
    ['connection', 'Upgrade, HTTP2-Settings'],
    ['http2-settings', 'AAMAAABkAAQAoAAAAAIAAAAA'],
  ],
  [['connection', 'authorization, close']],
  [['x-http-method-override', 'DELETE']],
  [
    ['__proto__', 'x'],
    ['constructor', 'y'],
    ['tostring', 'z'],
  ],
  [['big', 'x'.repeat(15_000)]],
  [['bigger', 'x'.repeat(70_000)]],
  Array.from({ length: 1_900 }, (_, index): Header => [`a${index}`, '']),
  Array.from({ length: 400 }, (): Header => ['x-same', 'again']),
  [
    ['content-digest', 'sha-256=:AAAA:'],
    ['signature', 'x'],
    ['signature-input', '((('],
  ],
  [
    ['accept-signature', '"'.repeat(2_000)],
    ['accept-digest', 'sha-512;;;='],
  ],
];

export function randomHeaderCase(operation: Operation, scene: Scene): Case {
  const { random, world } = scene;
  const usual = credentials(operation, world);
  const isType = operation.body !== null && random.chance(0.4);
  const type = random.pick(OTHER_TYPES);
  const strange = random.pick(STRANGE);
  const headers: readonly Header[] = isType
    ? [...usual, ['content-type', type]]
    : [...usual, JSON_TYPE, ...strange];
  return {
    family: 'headers',
    what: `${operation.method} ${operation.path}, ${isType ? type.slice(0, 60) : (strange[0]?.[0] ?? '')}`,
    bytes: renderCall(operation, scene, { headers, body: randomSoundBody(operation, scene) }),
    methods: [operation.method],
    expected:
      isType && operation.apiVersion !== 'console' ? refused('the body says that it is not JSON') : ANYTHING,
    isAlone: true,
  };
}

export function randomTokenCase(operation: Operation, scene: Scene): Case {
  const { random, world } = scene;
  const isConsole = operation.apiVersion === 'console';
  const kinds = isConsole ? brokenCookies(world) : brokenTokens(world);
  const what = random.pick(Object.keys(kinds));
  const starts =
    operation.body !== null && /\/(deposits|payouts|refunds|remittances|bulk)$/.test(operation.path);
  const name = what === 'may not do this' && !starts ? 'withdrawn' : what;
  return {
    family: 'tokens',
    what: `${operation.method} ${operation.path}, ${name}`,
    bytes: renderCall(operation, scene, {
      headers: [...(kinds[name] ?? []), JSON_TYPE],
      body: randomSoundBody(operation, scene),
    }),
    methods: [operation.method],
    expected: operation.isOpen ? ANYTHING : refused(`the token: ${name}`),
    isAlone: what === 'of a megabyte',
  };
}

function brokenTokens({
  token,
  poorToken,
  withdrawnToken,
  cookie,
}: World): Readonly<Record<string, readonly Header[]>> {
  const last = token.at(-1) === 'A' ? 'B' : 'A';
  return {
    none: [],
    empty: bearing(''),
    'a scheme alone': bearing('Bearer'),
    'a blank': bearing('Bearer  '),
    'without its scheme': bearing(token),
    'of another scheme': bearing(`Basic ${Buffer.from(`x:${token}`).toString('base64')}`),
    'cut off': bearing(`Bearer ${token.slice(0, -1)}`),
    longer: bearing(`Bearer ${token}A`),
    'another last letter': bearing(`Bearer ${token.slice(0, -1)}${last}`),
    'in upper case': bearing(`Bearer ${token.toUpperCase()}`),
    'with a comma': bearing(`Bearer ${token},${token}`),
    'with a parameter': bearing(`Bearer ${token};a=b`),
    'in quotes': bearing(`Bearer "${token}"`),
    'in letters of no alphabet': bearing('Bearer \u00ff\u00fe\u0080'),
    'of a megabyte': bearing(`Bearer ${'A'.repeat(60_000)}`),
    'long as a header may be': bearing(`Bearer ${'A'.repeat(12_000)}`),
    'a JWT without a signature': bearing('Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZXJjaGFudCJ9.'),
    'a name of every object': bearing('Bearer __proto__'),
    'twice, the first wrong': [...bearing('Bearer x'), ...bearing(`Bearer ${token}`)],
    'in the cookie': [['cookie', `authorization=Bearer ${token}`]],
    "a person's": [['cookie', cookie]],
    withdrawn: bearing(`Bearer ${withdrawnToken}`),
    'may not do this': bearing(`Bearer ${poorToken}`),
  };
}

function bearing(text: string): readonly Header[] {
  return [['authorization', text]];
}

function brokenCookies({ cookie, token, host }: World): Readonly<Record<string, readonly Header[]>> {
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  const own: Header = ['origin', `http://${host}`];
  return {
    none: [own],
    empty: [['cookie', `${name}=`], own],
    'cut off': [['cookie', `${name}=${value.slice(0, -9)}`], own],
    'of no one': [['cookie', `${name}=${'A'.repeat(64)}.${'B'.repeat(44)}`], own],
    unsigned: [['cookie', `${name}=${value.split('.')[0] ?? ''}`], own],
    'not to be decoded': [['cookie', `${name}=%zz%00`], own],
    'of a megabyte': [['cookie', `${name}=${'A'.repeat(60_000)}`], own],
    "a merchant's": [['authorization', `Bearer ${token}`], own],
  };
}

/** Spaces compress best and are valid JSON. */
const BOMB_BYTES = 20_000_000;
/** Each is created once. */
const BOMBS = new Map<string, Buffer>();

const PACKERS: Readonly<Record<string, (plain: Buffer) => Buffer>> = {
  gzip: (plain) => gzipSync(plain),
  'x-gzip': (plain) => gzipSync(plain),
  deflate: (plain) => deflateSync(plain),
  br: (plain) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  'gzip, gzip': (plain) => gzipSync(gzipSync(plain)),
};

export function randomCompressedCase(operation: Operation, scene: Scene): Case {
  const { random, world } = scene;
  const coding = random.pick(Object.keys(PACKERS));
  const isBomb = random.chance(0.5);
  const sound = randomSoundBody(operation, scene) ?? Buffer.from('{}');
  const packed = isBomb ? bombOf(coding) : (PACKERS[coding]?.(sound) ?? sound);
  const isPacked = random.chance(0.9);
  const how = [...(isBomb ? ['a bomb'] : []), ...(isPacked ? [] : ['not packed at all'])];
  const header: Header = random.chance(0.85)
    ? ['content-encoding', coding]
    : ['transfer-encoding', 'gzip, chunked'];
  const isChunked = header[0] === 'transfer-encoding';
  const body = isPacked ? packed : sound;
  const framed = isChunked
    ? Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
    : body;
  return {
    family: 'compressed bodies',
    what: `${operation.method} ${operation.path}, ${[coding, ...how].join(', ')}`,
    bytes: renderCall(operation, scene, {
      headers: [...credentials(operation, world), JSON_TYPE, header],
      body: framed,
    }),
    methods: [operation.method],
    // The gateway does not decompress: the bytes are not JSON.
    expected: isPacked ? unreadable(operation) : ANYTHING,
    isAlone: true,
  };
}

function unreadable({ body }: Operation): Expected {
  return body === null ? ANYTHING : refused('packed bytes are not JSON');
}

function bombOf(coding: string): Buffer {
  let bomb = BOMBS.get(coding);
  if (bomb === undefined) {
    const spaces = Buffer.alloc(BOMB_BYTES, ' ');
    bomb = PACKERS[coding]?.(spaces) ?? spaces;
    BOMBS.set(coding, bomb);
  }
  return bomb;
}
