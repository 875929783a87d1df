// `npm run packages`: compiles sdk, server and cli to JavaScript, lays each out in a folder of its own, and packs these
// folders. Published packages hold no TypeScript: Node.js refuses to read it under node_modules.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSite } from '../../server/src/commands/sandbox/build-sites.ts';
import { renderLauncher } from './launcher.ts';
import { compiledPath, renderManifest, type Manifest } from './manifest.ts';
import { distOf, PUBLISHED, ROOT, TARBALLS, type Published } from './published.ts';

const compiled = mkdtempSync(join(tmpdir(), 'malipo-packages-'));
try {
  run('npm', ['run', '--silent', 'build', '-w', 'dashboard', '--', '--logLevel', 'error']);
  await buildSite('docs');
  compile('tools/packaging/tsconfig.json');
  compile('tools/packaging/tsconfig.sdk.json');
  for (const published of PUBLISHED) layOut(published);
  if (!process.argv.includes('--no-pack')) pack();
} finally {
  rmSync(compiled, { recursive: true, force: true });
}

function compile(project: string): void {
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project, '--outDir', compiled]);
}

/** Creates the folder to pack from scratch: removed files must not be published. */
function layOut(published: Published): void {
  const { workspace, folder, assets, node } = published;
  const dist = distOf(published);
  rmSync(dist, { recursive: true, force: true });
  cpSync(join(compiled, workspace, 'src'), join(dist, folder, 'src'), { recursive: true });
  for (const asset of assets) cpSync(join(ROOT, asset), join(dist, asset), { recursive: true });
  copyIfThere(join(ROOT, workspace, 'README.md'), join(dist, 'README.md'));
  copyIfThere(join(ROOT, 'LICENSE'), join(dist, 'LICENSE'));
  const manifest = readManifest(workspace);
  for (const [command, path] of Object.entries(manifest.bin ?? {})) {
    const launcher = join(dist, 'bin', `${command}.js`);
    mkdirSync(dirname(launcher), { recursive: true });
    writeFileSync(launcher, renderLauncher({ command, node, main: `../${compiledPath(path, folder)}` }));
    chmodSync(launcher, 0o755);
  }
  writeFileSync(
    join(dist, 'package.json'),
    `${JSON.stringify(renderManifest(manifest, published), null, 2)}\n`,
  );
}

function readManifest(workspace: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8')) as Manifest;
}

function copyIfThere(from: string, to: string): void {
  if (existsSync(from)) cpSync(from, to, { recursive: true });
}

function pack(): void {
  rmSync(TARBALLS, { recursive: true, force: true });
  mkdirSync(TARBALLS);
  run('npm', ['pack', '--silent', '--pack-destination', TARBALLS, ...PUBLISHED.map(distOf)]);
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
}
