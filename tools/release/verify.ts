// Verifies a downloaded release as docs/operating/verify-a-release.md says: by the commands of that page.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../packaging/published.ts';

const PAGE = 'docs/operating/verify-a-release.md';

export type Verified = { readonly isGenuine: boolean; readonly output: string };

export function verifyByPage(folder: string, publicKey: string): Verified {
  const commands = readCommands().replaceAll('<release key>', publicKey);
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-e', '-c', commands], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { isGenuine: status === 0, output: `${stdout}${stderr}` };
}

function readCommands(): string {
  const blocks = [...readFileSync(join(ROOT, PAGE), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)];
  if (blocks.length !== 1) throw new Error(`${PAGE} must have one block of commands`);
  return blocks[0]?.[1] ?? '';
}
