// OWASP API10:2023, Unsafe Consumption of APIs: what operators and merchants' servers answer is not trusted. What an
// answer is worth is tried in connectors/contract.test.ts and notifications.test.ts; here it is what it can do to us.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOutgoingGuard, LOOPBACK_RANGES } from '../../src/callbacks/outgoing-guard.ts';
import { CallbackPoster } from '../../src/callbacks/post.ts';
import { callOperator, openAgent } from '../../src/connectors/call.ts';

const MB = 1_048_576;

let server: Server;
let url: string;
let visited: string[] = [];
let bytesTaken = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    visited.push(request.url ?? '');
    answer(request.url ?? '', response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  visited = [];
  bytesTaken = 0;
});

function answer(path: string, response: ServerResponse): void {
  if (path === '/redirect') response.writeHead(307, { location: '/inside' }).end();
  else if (path === '/endless') pour(response);
  else if (path === '/long') response.end('x'.repeat(MB - 1_024));
  else response.end('{}');
}

/** Writes as long as somebody reads, up to 64 MB. */
function pour(response: ServerResponse): void {
  const piece = Buffer.alloc(65_536, 'x');
  const more = () => {
    while (bytesTaken < 64 * MB && !response.destroyed) {
      bytesTaken += piece.length;
      if (!response.write(piece)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
}

describe("an operator's answer", () => {
  const agent = openAgent({ timeoutMs: 5_000 });
  afterAll(() => agent.destroy());
  const ask = (path: string) =>
    callOperator(agent, { method: 'GET', url: url + path, headers: {}, timeoutMs: 5_000 });

  test("an operator's answer that has no end is cut off and is no answer: the call was sent, and its outcome is not known", async () => {
    expect(await ask('/endless')).toEqual({
      type: 'SILENCE',
      error: 'UND_ERR_RES_EXCEEDED_MAX_SIZE',
      sent: true,
    });
    expect(bytesTaken).toBeLessThan(32 * MB);
  });

  test('of just under a megabyte is read', async () => {
    expect(await ask('/long')).toMatchObject({ type: 'ANSWER', httpStatus: 200 });
  });

  test("an operator's answer that leads elsewhere is not followed, so that our credentials go nowhere else", async () => {
    expect(await ask('/redirect')).toMatchObject({ type: 'ANSWER', httpStatus: 307 });
    expect(visited).toEqual(['/redirect']);
  });
});

describe("the answer of a merchant's server to a callback", () => {
  const poster = new CallbackPoster({ timeoutMs: 5_000, guard: createOutgoingGuard(LOOPBACK_RANGES) });
  afterAll(() => poster.close());
  const post = (path: string) => poster.post({ url: url + path, body: '{}', headers: {} });

  test("the answer of a merchant's server to a callback that has no end is read no further than its beginning", async () => {
    const posted = await post('/endless');
    expect(posted).toMatchObject({ type: 'ANSWERED', httpStatus: 200 });
    expect(posted.type === 'ANSWERED' && posted.answer.length).toBe(512);
    expect(bytesTaken).toBeLessThan(32 * MB);
  });

  test("the answer of a merchant's server to a callback that leads elsewhere is not followed", async () => {
    expect(await post('/redirect')).toMatchObject({ type: 'ANSWERED', httpStatus: 307 });
    expect(visited).toEqual(['/redirect']);
  });
});
