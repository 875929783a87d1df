// Serves the dashboard, as `npm run dashboard` built it, below /dashboard. The files are read once, at the start.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../pages/html.ts';
import type { Look } from '../pages/look/look.ts';
import { drawPage } from '../pages/page.ts';
import { sendPage } from '../pages/send.ts';

export type DashboardOptions = {
  /** Where it was built to. */
  readonly directory: string;
  readonly look: Look;
  readonly environment: 'sandbox' | 'production';
};

/** Where `npm run dashboard` builds to. */
export const DASHBOARD_DIRECTORY = join(import.meta.dirname, '../../../../dashboard/dist');

export function registerDashboard(app: FastifyInstance, options: DashboardOptions): void {
  const path = join(options.directory, 'index.html');
  if (!existsSync(path)) return registerNotBuilt(app, options.look);
  const assets = readAssets(options.directory);
  for (const asset of assets) {
    app.get(asset.path, { schema: { hide: true } }, async (request, reply) => send(request, reply, asset));
  }
  const document = readFileSync(path, 'utf8').replace('</head>', () => `${describeHost(options)}</head>`);
  forEveryScreen(app, async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    reply.headers(headersOf(nonce));
    return reply.send(document.replace('__NONCE__', nonce));
  });
}

/** Screens have addresses of their own, and the application finds out which one is meant. */
function forEveryScreen(
  app: FastifyInstance,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  for (const path of ['/dashboard', '/dashboard/*']) app.get(path, { schema: { hide: true } }, answer);
}

function registerNotBuilt(app: FastifyInstance, look: Look): void {
  const page = drawPage(look, {
    language: 'en',
    title: 'Not built',
    body: html`<div class="notice trouble">
      <h1>The dashboard was not built</h1>
      <p>On the machine of the gateway, run <code>npm run dashboard</code>, and start the gateway again.</p>
    </div>`,
  });
  forEveryScreen(app, async (request, reply) => sendPage(request, reply.code(503), page));
}

/** What the application knows before anybody has signed in. */
function describeHost({ look, environment }: DashboardOptions): string {
  return html`<title>${look.name}</title>
    <meta name="gateway" content="${look.name}" />
    <meta name="environment" content="${environment}" />
    ${look.icon !== null && html`<link rel="icon" href="${look.icon.path}" />`} `.toString();
}

/**
 * Scripts are ours alone. Styles are ours or carry the nonce: the components write their theme into a style element
 * when they start, and 'unsafe-inline' would let in everybody else's too. Images may be drawn by the application.
 */
function headersOf(nonce: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // For browsers too old to know frame-ancestors.
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

type Encoding = 'br' | 'gzip' | 'identity';

type Asset = {
  readonly path: string;
  readonly type: string;
  readonly encoded: (encoding: Encoding) => Buffer;
};

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

function readAssets(directory: string): readonly Asset[] {
  const folder = join(directory, 'assets');
  return readdirSync(folder).map((name) => ({
    path: `/dashboard/assets/${name}`,
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    encoded: rememberEncodings(readFileSync(join(folder, name))),
  }));
}

/** Compressed when it is first asked for, so that the start does not wait, and never again. */
function rememberEncodings(bytes: Buffer): Asset['encoded'] {
  const made = new Map<Encoding, Buffer>([['identity', bytes]]);
  return (encoding) => {
    const known = made.get(encoding);
    if (known !== undefined) return known;
    const encoded = encoding === 'br' ? brotli(bytes) : gzipSync(bytes);
    made.set(encoding, encoded);
    return encoded;
  };
}

/** Quality 9 takes a third of a second for all of it together; 11 takes five, and saves 6 %. */
function brotli(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}

/** The name holds the hash of the contents, so they never change. */
function send(request: FastifyRequest, reply: FastifyReply, { type, encoded }: Asset): FastifyReply {
  const encoding = acceptedBy(request);
  reply.headers({
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  });
  return reply.send(encoded(encoding));
}

function acceptedBy(request: FastifyRequest): Encoding {
  const accepted = request.headers['accept-encoding'] ?? '';
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}
