// `npm run drill:sdk-packages`: builds the packages of the PHP and the Python SDK with their own tools, installs each
// in an empty directory, and loads it there. Needs Debian's composer, python3-build, python3-pip and python3-wheel.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../../server/src/commands/version.ts';
import { ROOT } from './published.ts';

/** Debian's, which need not be the first in PATH. */
const PYTHON = '/usr/bin/python3';

const home = mkdtempSync(join(tmpdir(), 'malipo-sdk-packages-'));
const built = join(home, 'built');
const shop = join(home, 'shop');
for (const folder of [built, shop]) mkdirSync(folder);
try {
  usePhp();
  usePython();
  for (const name of readdirSync(built).toSorted()) {
    const kilobytes = Math.round(statSync(join(built, name)).size / 1_000);
    process.stdout.write(`${name}: ${kilobytes} kB\n`);
  }
  process.stdout.write('The PHP and the Python package were installed and loaded.\n');
} finally {
  rmSync(home, { recursive: true, force: true });
}

function usePhp(): void {
  const sources = join(ROOT, 'sdk/php');
  composer('validate', '--strict', '--working-dir', sources);
  composer(
    'archive',
    '--format=zip',
    '--dir',
    built,
    '--file',
    `malipo-php-${VERSION}`,
    '--working-dir',
    sources,
  );
  const unpacked = join(home, 'unpacked');
  run(PYTHON, '-m', 'zipfile', '-e', join(built, `malipo-php-${VERSION}.zip`), unpacked);
  const options = { symlink: false, versions: { 'malipo/sdk': VERSION } };
  const project = {
    repositories: [{ type: 'path', url: unpacked, options }, { 'packagist.org': false }],
    require: { 'malipo/sdk': VERSION },
  };
  writeFileSync(join(shop, 'composer.json'), JSON.stringify(project));
  composer('install', '--working-dir', shop);
  const client = "new Malipo\\Malipo(baseUrl: 'http://127.0.0.1', token: 'any');";
  run('php', '-r', `require '${shop}/vendor/autoload.php'; ${client}`);
  for (const left of ['test', 'tools'])
    if (existsSync(join(unpacked, left))) throw new Error(`The PHP package has ${left}/.`);
}

function usePython(): void {
  // The tools write beside the sources.
  const sources = join(home, 'python');
  cpSync(join(ROOT, 'sdk/python'), sources, { recursive: true });
  run(PYTHON, '-m', 'build', '--no-isolation', '--outdir', built, sources);
  const wheel = readdirSync(built).find((name) => name.endsWith('.whl')) ?? '';
  const target = join(shop, 'python');
  run(
    PYTHON,
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-index',
    '--no-deps',
    '--target',
    target,
    join(built, wheel),
  );
  const client = "malipo.Malipo(base_url='http://127.0.0.1', token='any')";
  const isHere = `assert malipo.__file__.startswith('${target}')`;
  run(PYTHON, '-c', `import sys; sys.path.insert(0, '${target}'); import malipo; ${isHere}; ${client}`);
  if (!existsSync(join(target, 'malipo/py.typed'))) throw new Error('The Python package has no types.');
}

function composer(...args: readonly string[]): void {
  run('composer', '--no-interaction', '--quiet', ...args);
}

/** Shows what a program said only if it fails. */
function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, {
    cwd: home,
    env: { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1' },
    stdio: 'pipe',
  });
}
