// A registry of the PHP and the Python package on this machine: built by their own tools, served as Packagist and PyPI
// do. Needs Debian's composer, python3-build, python3-pip, python3-venv and python3-wheel.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { VERSION } from '../../server/src/commands/version.ts';
import { ROOT } from '../packaging/published.ts';

export type SdkRegistry = {
  /** Files of a home that lead composer and pip here, by their paths in it. */
  readonly files: Readonly<Record<string, string>>;
  readonly sizes: readonly { readonly name: string; readonly size: number }[];
  readonly close: () => Promise<void>;
};

/** Debian's, which need not be the first in PATH. */
const PYTHON = '/usr/bin/python3';
const PHP_PACKAGE = `malipo-php-${VERSION}`;

export async function startSdkRegistry(directory: string): Promise<SdkRegistry> {
  const built = join(directory, 'built');
  mkdirSync(built, { recursive: true });
  buildPhp(directory, built);
  buildPython(directory, built);
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  serve(server, { built, address });
  const composer = {
    config: { 'secure-http': false },
    repositories: [{ type: 'composer', url: address }, { 'packagist.org': false }],
  };
  return {
    files: {
      '.config/composer/config.json': JSON.stringify(composer),
      '.config/pip/pip.conf': `[global]\nindex-url = ${address}/simple/\n`,
    },
    sizes: readdirSync(built).map((name) => ({ name, size: statSync(join(built, name)).size })),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function serve(
  server: Server,
  { built, address }: { readonly built: string; readonly address: string },
): void {
  const names = readdirSync(built);
  const links = names.map((name) => `<a href="/${name}">${name}</a>`).join('\n');
  const pages: Readonly<Record<string, string>> = {
    '/packages.json': JSON.stringify(listPhpPackages(`${address}/${PHP_PACKAGE}.zip`)),
    '/simple/malipo/': `<!doctype html>\n${links}\n`,
  };
  server.on('request', ({ url = '' }, response) => {
    const page = pages[url];
    if (page !== undefined) return void response.setHeader('content-type', typeOf(url)).end(page);
    const name = names.find((one) => url === `/${one}`);
    if (name === undefined) return void response.writeHead(404).end();
    response.end(readFileSync(join(built, name)));
  });
}

function typeOf(url: string): string {
  return url.endsWith('.json') ? 'application/json' : 'text/html';
}

/** As Packagist lists them. */
function listPhpPackages(zip: string): object {
  const described = JSON.parse(readFileSync(join(ROOT, 'sdk/php/composer.json'), 'utf8')) as object;
  const released = { ...described, version: VERSION, dist: { type: 'zip', url: zip } };
  return { packages: { 'malipo/sdk': { [VERSION]: released } } };
}

function buildPhp(directory: string, built: string): void {
  const sources = join(ROOT, 'sdk/php');
  const composer = (...args: readonly string[]) => {
    run('composer', '--no-interaction', '--quiet', ...args, '--working-dir', sources);
  };
  composer('validate', '--strict');
  composer('archive', '--format=zip', '--dir', built, '--file', PHP_PACKAGE);
  const unpacked = join(directory, 'unpacked');
  run(PYTHON, '-m', 'zipfile', '-e', join(built, `${PHP_PACKAGE}.zip`), unpacked);
  for (const left of ['test', 'tools'])
    if (existsSync(join(unpacked, left))) throw new Error(`The PHP package has ${left}/.`);
}

function buildPython(directory: string, built: string): void {
  // The tools write beside the sources.
  const sources = join(directory, 'python');
  cpSync(join(ROOT, 'sdk/python'), sources, { recursive: true });
  run(PYTHON, '-m', 'build', '--no-isolation', '--outdir', built, sources);
  const wheel = readdirSync(built).find((name) => name.endsWith('.whl')) ?? '';
  const listed = execFileSync(PYTHON, ['-m', 'zipfile', '-l', join(built, wheel)], { encoding: 'utf8' });
  if (!listed.includes('malipo/py.typed')) throw new Error('The Python package has no types.');
}

/** Shows what a program said only if it fails. */
function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { env: { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1' }, stdio: 'pipe' });
}
