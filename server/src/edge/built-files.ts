// What applications that were built before have in common when they are served: types, encodings, and the headers that
// keep a page to what is ours.
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
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

export type Site = 'dashboard' | 'docs';

export type BuiltSite = {
  readonly site: Site;
  readonly look: Look;
  /** Where it was built to. */
  readonly directory: string;
  readonly paths: readonly string[];
  /** Whether it is being built at this moment. Only a sandbox builds while it serves. */
  readonly isBuilding: () => boolean;
  /** Reads what was built. */
  readonly open: () => AnswerRequest;
};

export type AnswerRequest = (
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

/** Read at the start, or, if it is being built then, once that has ended. Without it a page says how to build it. */
export function registerBuilt(app: FastifyInstance, built: BuiltSite): void {
  const { directory, paths, isBuilding, open } = built;
  const openIfThere = () => (existsSync(join(directory, 'index.html')) ? open() : null);
  const comesLater = isBuilding();
  let answerBuilt = comesLater ? null : openIfThere();
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (isBuilding()) return sendBuilding(request, reply, built);
    if (comesLater) answerBuilt ??= openIfThere();
    return answerBuilt === null ? sendNotBuilt(request, reply, built) : answerBuilt(request, reply);
  };
  for (const path of paths) app.get(path, { schema: { hide: true } }, answer);
}

const NAMES: Readonly<Record<Site, string>> = { dashboard: 'Dashboard', docs: 'Documentation' };

/** Someone who waits for a build does not want to miss its end. */
const RELOAD_SECONDS = 2;

function sendBuilding(request: FastifyRequest, reply: FastifyReply, { site, look }: BuiltSite): FastifyReply {
  const page = renderPage(look, {
    language: 'en',
    title: `${NAMES[site]} being built`,
    body: html`<h1>${NAMES[site]} is being built</h1>
      <p class="waiting" role="status">This is done once, and takes a minute or two.</p>
      <p class="soft">This page reloads by itself. The API is ready.</p>`,
  });
  return sendPage(request, reply.code(503).header('refresh', RELOAD_SECONDS), page);
}

function sendNotBuilt(request: FastifyRequest, reply: FastifyReply, { site, look }: BuiltSite): FastifyReply {
  const page = renderPage(look, {
    language: 'en',
    title: `${NAMES[site]} not built`,
    body: html`<div class="notice trouble">
      <h1>${NAMES[site]} assets are missing</h1>
      <p>Run <code>npm run build:${site}</code> and restart.</p>
    </div>`,
  });
  return sendPage(request, reply.code(503), page);
}
