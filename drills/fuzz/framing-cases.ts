// Requests that violate HTTP's grammar: ambiguous lengths, broken chunks, invalid lines, several at once. A proxy
// before the gateway may read them differently, so all of them must be refused.
import { randomUuid } from './random-values.ts';
import { ANYTHING, refused, type Case, type Expected, type Scene } from './world.ts';

type Bad = {
  /** Everything after the authorisation header. */
  readonly headers?: readonly string[];
  readonly line?: string;
  readonly body?: string;
  readonly raw?: string;
  readonly expected: Expected;
  /** How many requests it contains, one after the other. */
  readonly requests?: number;
};

const AMBIGUOUS = refused('no one can say where it ends');
const BAD_GRAMMAR = refused('it is not HTTP');

/** A request that must not be executed as a separate one. */
const HIDDEN = 'POST /v2/deposits HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';

function ended(headers: readonly string[], body: string): Bad {
  return { headers, body, expected: AMBIGUOUS };
}

function broken(headers: readonly string[], body: string): Bad {
  return { headers, body, expected: BAD_GRAMMAR };
}

function badFramings(json: string, authority: string): Readonly<Record<string, Bad>> {
  const length = `Content-Length: ${json.length}`;
  const chunked = 'Transfer-Encoding: chunked';
  const chunk = `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`;
  return {
    'both lengths': ended([length, chunked], chunk),
    'both lengths, the other way': ended([chunked, `Content-Length: ${chunk.length}`], chunk),
    'a request behind a length': ended(['Content-Length: 4', chunked], `0\r\n\r\n${HIDDEN}`),
    'two lengths': ended([length, 'Content-Length: 1'], json),
    'a list of lengths': ended([`${length}, ${json.length}`], json),
    'a negative length': ended(['Content-Length: -1'], json),
    'a length with a sign': ended([`Content-Length: +${json.length}`], json),
    'a length in hexadecimal': ended(['Content-Length: 0x10'], json),
    'a length beyond all numbers': ended(['Content-Length: 99999999999999999999999'], json),
    'a length with a blank in it': ended(['Content-Length: 1 2'], json),
    'no length': ended(['Content-Length:'], json),
    'an unknown coding': ended(['Transfer-Encoding: xchunked'], chunk),
    'a coding behind chunked': ended(['Transfer-Encoding: chunked, identity'], chunk),
    'chunked twice': ended([chunked, 'Transfer-Encoding: identity'], chunk),
    'chunked with a tab': ended(['Transfer-Encoding:\u000bchunked'], chunk),
    'a blank before the colon': ended(['Transfer-Encoding : chunked'], chunk),
    'a chunk size that is none': broken([chunked], `zz\r\n${json}\r\n0\r\n\r\n`),
    'a negative chunk': broken([chunked], `-1\r\n${json}\r\n0\r\n\r\n`),
    'a chunk beyond all numbers': broken([chunked], `${'f'.repeat(20)}\r\n${json}`),
    'a chunk that is shorter': broken([chunked], `1\r\n${json}\r\n0\r\n\r\n`),
    'a chunk without an end': broken([chunked], `${json.length.toString(16)}\r\n${json}`),
    'an extension without an end': broken([chunked], `1;${'x'.repeat(40_000)}`),
    'a length longer than the body': broken([`Content-Length: ${json.length + 100}`], json),
    'a byte of nothing in a name': broken(['X-\u0000Y: z'], json),
    'a byte of nothing in a value': broken(['X-Y: \u0000'], json),
    'a folded line': broken(['X-Y: a', ' b', length], json),
    'a line without a colon': broken(['nothing'], json),
    'a name with a blank': broken(['X Y: z'], json),
    'a name that is empty': broken([': z'], json),
    'a control character': broken(['X-Y: a\u0007b'], json),
    'lines of LF': {
      raw: `POST /v2/deposits HTTP/1.1\nHost: ${authority}\nContent-Length: 2\n\n{}`,
      expected: refused('no token'),
    },
    'lines of CR': { raw: 'GET /health HTTP/1.1\rHost: x\r\r', expected: BAD_GRAMMAR },
    'no host': { raw: 'GET /health HTTP/1.1\r\n\r\n', expected: BAD_GRAMMAR },
    'two hosts': { headers: ['Host: elsewhere.example', length], body: json, expected: ANYTHING },
    'version 0.9': { raw: 'GET /health\r\n', expected: BAD_GRAMMAR },
    'version 1.0': { raw: 'GET /health HTTP/1.0\r\n\r\n', expected: ANYTHING },
    'version 2': { raw: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', expected: BAD_GRAMMAR },
    'version 9.9': { raw: 'GET /health HTTP/9.9\r\nHost: x\r\n\r\n', expected: BAD_GRAMMAR },
    'a version that is none': { raw: 'GET /health HTPP/1.1\r\nHost: x\r\n\r\n', expected: BAD_GRAMMAR },
    'a tunnel': {
      raw: 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n',
      expected: refused('no tunnels'),
    },
    'the greeting of TLS': {
      raw: '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      expected: BAD_GRAMMAR,
    },
    'empty lines': {
      raw: `${'\r\n'.repeat(3_000)}GET /health HTTP/1.1\r\nHost: x\r\n\r\n`,
      expected: ANYTHING,
    },
    'a line of 40 kilobytes': {
      raw: `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      expected: BAD_GRAMMAR,
    },
    'nothing but a wish to go on': {
      headers: ['Expect: 100-continue', `Content-Length: ${json.length}`],
      body: '',
      expected: BAD_GRAMMAR,
    },
    trailers: {
      headers: [chunked, 'Trailer: Authorization'],
      body: `${json.length.toString(16)}\r\n${json}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`,
      expected: ANYTHING,
    },
    'seven requests at once': {
      raw: `GET /health HTTP/1.1\r\nHost: ${authority}\r\n\r\n`.repeat(7),
      expected: ANYTHING,
      requests: 7,
    },
    'a hundred requests at once': {
      raw: `GET /v2/deposits/x HTTP/1.1\r\nHost: ${authority}\r\n\r\n`.repeat(100),
      expected: refused('no token'),
      requests: 100,
    },
  };
}

export function randomFramingCase({ random, world }: Scene): Case {
  const json = JSON.stringify({ depositId: randomUuid(random) });
  const bytes = Buffer.from(Array.from({ length: 300 }, () => random.between(0, 255))).toString('latin1');
  const framings = { ...badFramings(json, world.host), bytes: { raw: bytes, expected: ANYTHING } };
  const what = random.pick(Object.keys(framings));
  const bad: Bad = (framings as Readonly<Record<string, Bad>>)[what] ?? { expected: ANYTHING };
  const head = ['POST /v2/deposits HTTP/1.1', `Host: ${world.host}`, `Authorization: Bearer ${world.token}`];
  const lines = [...head, 'Content-Type: application/json', ...(bad.headers ?? [])];
  const text = bad.raw ?? `${lines.join('\r\n')}\r\n\r\n${bad.body ?? ''}`;
  return {
    family: 'framing',
    what,
    bytes: Buffer.from(text, 'latin1'),
    methods: Array.from({ length: bad.requests ?? 1 }, () => 'POST'),
    expected: bad.expected,
    isAlone: true,
    isHalfClosed: true,
  };
}
