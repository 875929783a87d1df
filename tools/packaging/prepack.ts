// What `npm pack` of a workspace runs. The workspace has TypeScript, which Node.js refuses to read under node_modules,
// so it compiles, and then refuses to pack anything else.
import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = basename(process.cwd());
const build = fileURLToPath(new URL('build.ts', import.meta.url));
execFileSync(process.execPath, [build, '--no-pack'], { stdio: ['ignore', 2, 2] });
process.stderr.write(
  `\nCompiled to ${workspace}/dist. Node.js refuses TypeScript under node_modules, so pack that folder instead of ` +
    `this one:\n  npm pack ./${workspace}/dist      or, for all packages at once: npm run packages\n\n`,
);
process.exitCode = 1;
