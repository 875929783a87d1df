// Serves the dashboard, as `npm run build:dashboard` built it, below /dashboard. The files are read once.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  acceptedBy,
  KEPT_PERMANENTLY,
  pageHeaders,
  registerBuilt,
  typeOf,
  type BuiltSite,
  type Encoding,
} from '../built-files.ts';
import type { Role } from '../../domain/merchants/roles.ts';
import { html } from '../pages/html.ts';

export type DashboardOptions = Pick<BuiltSite, 'directory' | 'look' | 'isBuilding'> & {
  readonly environment: 'sandbox' | 'production';
  /** Shown to those who sign in. Null where there are none; production never shows them. */
  readonly demoLogins: DemoLogins | null;
};

/** Not secret: these people only see play money. */
export type DemoLogins = {
  readonly password: string;
  readonly people: readonly { readonly email: string; readonly name: string; readonly role: Role }[];
};

/** Where `npm run build:dashboard` builds to. */
export const DASHBOARD_DIRECTORY = join(import.meta.dirname, '../../../../dashboard/dist');

/** Screens have addresses of their own, and the application finds out which one is meant. */
const PATHS = ['/dashboard', '/dashboard/*'];

export function registerDashboard(app: FastifyInstance, options: DashboardOptions): void {
  const open = () => {
    const assets = readAssets(options.directory);
    const document = readDocument(options);
    return (request: FastifyRequest, reply: FastifyReply) => {
      const { '*': path = '' } = request.params as { readonly '*'?: string };
      const asset = assets.get(path);
      return asset === undefined ? sendDocument(reply, document) : send(request, reply, asset);
    };
  };
  registerBuilt(app, { ...options, site: 'dashboard', paths: PATHS, open });
}

function readDocument(options: DashboardOptions): string {
  const text = readFileSync(join(options.directory, 'index.html'), 'utf8');
  return text.replace('</head>', () => `${describeHost(options)}</head>`);
}

function sendDocument(reply: FastifyReply, document: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply.headers(headersOf(nonce)).send(document.replace('__NONCE__', nonce));
}

/** What the application knows before anybody has signed in. */
function describeHost({ look, environment, demoLogins }: DashboardOptions): string {
  const logins = environment === 'sandbox' && demoLogins !== null && JSON.stringify(demoLogins);
  return html`<title>${look.name}</title>
    <meta name="gateway" content="${look.name}" />
    <meta name="environment" content="${environment}" />
    ${logins !== false && html`<meta name="demo-logins" content="${logins}" />`}
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
  readonly type: string;
  readonly encoded: (encoding: Encoding) => Buffer;
};

/** By their paths below /dashboard. */
function readAssets(directory: string): ReadonlyMap<string, Asset> {
  const read = (path: string): Asset => ({
    type: typeOf(path),
    encoded: rememberEncodings(readFileSync(join(directory, path))),
  });
  const paths = readdirSync(join(directory, 'assets')).map((name) => `assets/${name}`);
  return new Map(paths.map((path) => [path, read(path)]));
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
