// Five addresses that are none of the specification's, and that a public client of both API versions calls all the
// same. They are led to the true ones before anything else looks at the request. Nothing else knows of them: they are
// in no OpenAPI document, and no new client should use them.
import type { IncomingMessage } from 'node:http';

type Alias = {
  readonly method: string;
  readonly path: RegExp;
  readonly trueMethod: string;
  /** With the groups of `path`. */
  readonly truePath: string;
};

const ALIASES: readonly Alias[] = [
  alias('POST', /^\/refund\/resend-callback$/, 'POST', '/refunds/resend-callback'),
  // With a JSON body, which requests with GET have nowhere else.
  alias('GET', /^\/v1\/(predict-[a-z]+)$/, 'POST', '/v1/$1'),
  alias('GET', /^\/public-key\/https$/, 'GET', '/public-key/http'),
  alias('POST', /^\/v2\/payouts\/([^/]+)\/resend-callback$/, 'POST', '/v2/payouts/resend-callback/$1'),
  alias('DELETE', /^\/v2\/payouts\/fail-enqueued\/([^/]+)$/, 'POST', '/v2/payouts/fail-enqueued/$1'),
];

function alias(method: string, path: RegExp, trueMethod: string, truePath: string): Alias {
  return { method, path, trueMethod, truePath };
}

/** Turns a request to an alias into the request that was meant. Answers the address to go on with. */
export function followAlias(request: Pick<IncomingMessage, 'method' | 'url'>): string {
  const { method, url = '/' } = request;
  const [path = '', ...query] = url.split('?');
  const found = ALIASES.find((one) => one.method === method && one.path.test(path));
  if (found === undefined) return url;
  request.method = found.trueMethod;
  return [path.replace(found.path, found.truePath), ...query].join('?');
}
