// Serves the documentation, as `npm run build:docs` built it, below /docs. Which files there are is known before
// any is asked for, so no request can name another; they are read when they are asked for, because few are and all
// together are large. They were compressed when they were built: a process that takes payments has no second to spare
// for that.
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  acceptedBy,
  KEPT_PERMANENTLY,
  pageHeaders,
  registerBuilt,
  typeOf,
  type BuiltSite,
  type Encoding,
} from './built-files.ts';

export type DocsOptions = Pick<BuiltSite, 'directory' | 'look' | 'isBuilding'>;

/** Where `npm run build:docs` builds to. */
export const DOCS_DIRECTORY = join(import.meta.dirname, '../../../docs/.vitepress/dist');

export function registerDocs(app: FastifyInstance, options: DocsOptions): void {
  const open = () => {
    const site = openSite(options.directory);
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const { '*': path } = request.params as { readonly '*'?: string };
      if (path === undefined) return reply.redirect('/docs/', 301);
      const file = site.find(path);
      return file === null
        ? site.send(request, reply.code(404), '404.html')
        : site.send(request, reply, file);
    };
  };
  registerBuilt(app, { ...options, site: 'docs', paths: ['/docs', '/docs/*'], open });
}

function openSite(directory: string) {
  const files = new Map(listFiles(directory).map((path) => [path, tagOf(join(directory, path))]));
  const policies = new Map<string, readonly string[]>();

  /** The name of a page stands for its file, as links write it. */
  const find = (path: string): string | null => {
    const page = path === '' || path.endsWith('/') ? `${path}index.html` : `${path}.html`;
    return [path, page].find((name) => files.has(name)) ?? null;
  };

  const policyOf = async (path: string): Promise<readonly string[]> => {
    const known = policies.get(path) ?? sourcesFor(path, await readFile(join(directory, path), 'utf8'));
    policies.set(path, known);
    return known;
  };

  const send = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const tag = files.get(path) ?? '';
    reply.headers({
      ...(path.endsWith('.html') ? pageHeaders(await policyOf(path)) : fileHeaders(path)),
      // Pages change with a release; a browser that has one asks whether it is still the same.
      'cache-control': path.startsWith('assets/') ? KEPT_PERMANENTLY : 'no-cache',
      etag: tag,
      vary: 'accept-encoding',
    });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    const encoding = files.has(`${path}.br`) ? acceptedBy(request) : 'identity';
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.send(await readFile(join(directory, `${path}${ENDINGS[encoding]}`)));
  };

  return { find, send };
}

const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' };

function listFiles(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1));
}

/** Weak, because the same file is sent in several encodings. */
function tagOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return `W/"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`;
}

/** A picture that is opened by itself shall be as harmless as it is in a page. */
function fileHeaders(path: string): Readonly<Record<string, string>> {
  return {
    'content-type': typeOf(path),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
}

/** The viewer is a program of others. It draws its styles itself, and may ask this gateway and no one else. */
const VIEWER_SOURCES = [
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'none'",
];

/** Pages have two short scripts inside, allowed by their hashes, and colours of code as attributes. */
function sourcesFor(path: string, text: string): readonly string[] {
  if (path.startsWith('api/')) return VIEWER_SOURCES;
  const scripts = [...text.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)];
  const hashes = scripts.map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    ["script-src 'self'", ...new Set(hashes)].join(' '),
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
  ];
}
