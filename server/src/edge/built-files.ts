// What applications that were built before have in common when they are served: types, encodings, and the headers that
// keep a page to what is ours.
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from './pages/html.ts';
import type { Look } from './pages/look/look.ts';
import { renderPage } from './pages/page.ts';
import { sendPage } from './pages/send.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The smallest form that the browser takes. */
export function acceptedBy(request: FastifyRequest): Encoding {
  const accepted = request.headers['accept-encoding'] ?? '';
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

export function typeOf(path: string): string {
  return TYPES[extname(path)] ?? 'application/octet-stream';
}

/** For files whose names hold the hash of their contents: they never change. */
export const KEPT_PERMANENTLY = 'public, max-age=31536000, immutable';

/** What a page may load and do: what `sources` allow, and nothing else. */
export function pageHeaders(sources: readonly string[]): Readonly<Record<string, string>> {
  const always = ["base-uri 'none'", "frame-ancestors 'none'"];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': ["default-src 'none'", ...sources, ...always].join('; '),
    // For browsers too old to know frame-ancestors.
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
  };
}

export type NotBuilt = {
  readonly look: Look;
  /** What was not built: "The dashboard". */
  readonly name: string;
  /** What builds it: `npm run build:dashboard`. */
  readonly command: string;
  readonly paths: readonly string[];
};

/** Says how to build what is asked for. */
export function registerNotBuilt(app: FastifyInstance, { look, name, command, paths }: NotBuilt): void {
  const page = renderPage(look, {
    language: 'en',
    title: 'Not built',
    body: html`<div class="notice trouble">
      <h1>${name} was not built</h1>
      <p>On the machine of the gateway, run <code>${command}</code>, and start the gateway again.</p>
    </div>`,
  });
  const answer = async (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(request, reply.code(503), page);
  for (const path of paths) app.get(path, { schema: { hide: true } }, answer);
}
