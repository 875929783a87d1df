// Serves the dashboard, as `npm run build:dashboard` built it, below /dashboard. The files are read once, at the start.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  acceptedBy,
  KEPT_PERMANENTLY,
  pageHeaders,
  registerNotBuilt,
  typeOf,
  type Encoding,
} from '../built-files.ts';
import { html } from '../pages/html.ts';
import type { Look } from '../pages/look/look.ts';

export type DashboardOptions = {
  /** Where it was built to. */
  readonly directory: string;
  readonly look: Look;
  readonly environment: 'sandbox' | 'production';
};

/** Where `npm run build:dashboard` builds to. */
export const DASHBOARD_DIRECTORY = join(import.meta.dirname, '../../../../dashboard/dist');

/** Screens have addresses of their own, and the application finds out which one is meant. */
const SCREENS = ['/dashboard', '/dashboard/*'];

export function registerDashboard(app: FastifyInstance, options: DashboardOptions): void {
  const path = join(options.directory, 'index.html');
  if (!existsSync(path)) {
    const { look } = options;
    const command = 'npm run build:dashboard';
    return registerNotBuilt(app, { look, name: 'The dashboard', command, paths: SCREENS });
  }
  const assets = readAssets(options.directory);
  for (const asset of assets) {
    app.get(asset.path, { schema: { hide: true } }, async (request, reply) => send(request, reply, asset));
  }
  const document = readFileSync(path, 'utf8').replace('</head>', () => `${describeHost(options)}</head>`);
  for (const screen of SCREENS) {
    app.get(screen, { schema: { hide: true } }, async (_request, reply) => {
      const nonce = randomBytes(16).toString('base64');
      reply.headers(headersOf(nonce));
      return reply.send(document.replace('__NONCE__', nonce));
    });
  }
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
 * when they start, and 'unsafe-inline' would let in everybody else's too. Images may be rendered by the application.
 */
function headersOf(nonce: string): Readonly<Record<string, string>> {
  return {
    ...pageHeaders([
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "connect-src 'self'",
      "form-action 'self'",
    ]),
    'cache-control': 'no-store',
  };
}

type Asset = {
  readonly path: string;
  readonly type: string;
  readonly encoded: (encoding: Encoding) => Buffer;
};

function readAssets(directory: string): readonly Asset[] {
  const folder = join(directory, 'assets');
  return readdirSync(folder).map((name) => ({
    path: `/dashboard/assets/${name}`,
    type: typeOf(name),
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
    'cache-control': KEPT_PERMANENTLY,
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  });
  return reply.send(encoded(encoding));
}
