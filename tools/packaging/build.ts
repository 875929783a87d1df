// Compiles a workspace to JavaScript and lays its package out in `dist`. Published packages hold no TypeScript: Node.js
// refuses to read it under node_modules.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSite } from '../../server/src/commands/sandbox/build-sites.ts';
import { renderLauncher } from './launcher.ts';
import { compiledPath, type Manifest } from './manifest.ts';
import { distOf, ROOT, type Published } from './published.ts';

export async function build(manifest: Manifest, published: Published): Promise<void> {
  const compiled = mkdtempSync(join(tmpdir(), 'malipo-packages-'));
  try {
    if (published.hasSites) {
      run('npm', ['run', '--silent', 'build', '-w', 'dashboard', '--', '--logLevel', 'error']);
      await buildSite('docs');
    }
    compile(published.workspace, compiled);
    layOut({ manifest, published, compiled });
  } finally {
    rmSync(compiled, { recursive: true, force: true });
  }
}

/**
 * One workspace at a time: the compiler leaves out JSON files that it first meets through the package of another
 * workspace, and which way it meets a file first is a matter of luck.
 */
function compile(workspace: string, compiled: string): void {
  const project = join('tools/packaging', `tsconfig.${workspace}.json`);
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project, '--outDir', compiled]);
  const sources = readdirSync(join(ROOT, workspace, 'src'), { recursive: true, encoding: 'utf8' });
  const missing = sources
    .filter((path) => /\.(ts|json)$/.test(path))
    .map((path) => join(compiled, workspace, 'src', path.replace(/\.ts$/, '.js')))
    .filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`The compiler left out:\n${missing.join('\n')}`);
}

type Layout = { readonly manifest: Manifest; readonly published: Published; readonly compiled: string };

/** Creates `dist` from scratch: removed files must not be published. */
function layOut({ manifest, published, compiled }: Layout): void {
  const { workspace, folder, assets, node } = published;
  const dist = distOf(published);
  rmSync(dist, { recursive: true, force: true });
  cpSync(join(compiled, workspace, 'src'), join(dist, folder, 'src'), { recursive: true });
  for (const asset of assets) cpSync(join(ROOT, asset), join(dist, asset), { recursive: true });
  cpSync(join(ROOT, 'LICENSE'), join(ROOT, workspace, 'LICENSE'));
  for (const [command, path] of Object.entries(manifest.bin ?? {})) {
    const launcher = join(dist, 'bin', `${command}.js`);
    mkdirSync(dirname(launcher), { recursive: true });
    writeFileSync(launcher, renderLauncher({ command, node, main: `../${compiledPath(path, folder)}` }));
    chmodSync(launcher, 0o755);
  }
}

/** Standard output belongs to npm, which may print JSON. */
function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
}
