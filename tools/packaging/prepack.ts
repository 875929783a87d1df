// What npm runs in a workspace before it packs: compiles to `dist`, and puts the published package.json in place. The
// repository's comes back when npm has packed, or when npm has ended for whatever reason, a kill included.
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readProject } from '../release/project.ts';
import { build } from './build.ts';
import { renderManifest } from './manifest.ts';
import { PUBLISHED, ROOT } from './published.ts';
import { readManifest, swapBack, swapIn } from './swap.ts';

// The script has replaced its shell (`exec`), so the parent is npm.
const npm = process.ppid;
const workspace = process.cwd();
const published = PUBLISHED.find((one) => one.workspace === basename(workspace));
if (published === undefined) throw new Error(`${workspace} is not published.`);

swapBack(workspace);
const manifest = readManifest(workspace);
await build(manifest, published);
const postpack = fileURLToPath(new URL('postpack.ts', import.meta.url));
// Its own process group: Ctrl-C must not reach it.
spawn(process.execPath, [postpack, '--after', String(npm), String(process.pid)], {
  stdio: 'ignore',
  detached: true,
}).unref();
swapIn(workspace, renderManifest(manifest, { published, project: readProject(ROOT) }));
