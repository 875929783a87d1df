// Podman as root, with the runtime and the settings that also work inside a virtual machine or another container.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Scratch } from '../kit/scratch.ts';
import type { Environment } from '../kit/settings.ts';

const run = promisify(execFile);

export type Podman = (...args: readonly string[]) => Promise<string>;

/** Returns a function that answers what a command of Podman printed. It throws what the command complained about. */
export function openPodman(scratch: Scratch): Podman {
  const CONTAINERS_CONF = join(scratch.path, 'containers.conf');
  // Limits of processes and files cannot be raised everywhere.
  writeFileSync(CONTAINERS_CONF, '[containers]\ndefault_ulimits = []\n');
  return async (...args) => {
    const env = { ...process.env, CONTAINERS_CONF };
    const { stdout, stderr } = await run('podman', ['--runtime', 'runc', ...args], {
      env,
      maxBuffer: 64 * 1_048_576,
    });
    // A container's own complaints are part of its log.
    return (args.includes('logs') ? stdout + stderr : stdout).trim();
  };
}

/** Shut in as the operating page says, and as a user that the image does not know. */
export const SHUT_IN = [
  '--network=host',
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--user=12345:12345',
] as const;

export function environmentOptions(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
}
