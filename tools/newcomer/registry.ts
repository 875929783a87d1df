// A registry of npm packages on this machine, with nothing in it: Verdaccio, installed for the time of a drill. Others
// than ours come from the registry that npm uses on this machine.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findWarnings, readNpmSettings } from './npm-settings.ts';
import { PUBLISHED, ROOT } from '../packaging/published.ts';

export type Registry = {
  /** Lines of an .npmrc that lead to our packages here. */
  readonly settings: readonly string[];
  /** Runs `npm publish` in the workspaces. Returns their sizes. Throws if npm warns of something. */
  readonly publish: () => Promise<readonly PackageSize[]>;
  readonly close: () => Promise<void>;
};

export type PackageSize = {
  readonly name: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly entryCount: number;
};

/** One of its packages asks for a version of node-fetch that not every registry has. */
const NEEDS = { dependencies: { verdaccio: '^6.10.4' }, overrides: { 'node-fetch': '2.7.0' } };

const SCOPE = '@malipo';

const run = promisify(execFile);

export async function startRegistry(directory: string): Promise<Registry> {
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, ...NEEDS }));
  await run('npm', ['install', '--silent', '--no-audit', '--no-fund'], { cwd: directory });
  const { runServer } = createRequire(join(directory, 'package.json'))('verdaccio') as {
    runServer: (config: object) => Promise<Server>;
  };
  const server = await runServer({
    self_path: directory,
    storage: join(directory, 'storage'),
    max_body_size: '100mb',
    packages: { [`${SCOPE}/*`]: { access: '$all', publish: '$all' } },
    log: { type: 'file', path: join(directory, 'log'), level: 'warn' },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const settings = [`${SCOPE}:registry=http://${address}`];
  const npmrc = join(directory, '.npmrc');
  // npm publishes only with a token; here anybody may publish, so any will do.
  writeFileSync(
    npmrc,
    [...readNpmSettings(), ...settings, `//${address}:_authToken=any`].map((line) => `${line}\n`).join(''),
  );
  return {
    settings,
    publish: () => publish(npmrc),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function publish(npmrc: string): Promise<readonly PackageSize[]> {
  const sizes: PackageSize[] = [];
  // Without the settings of the npm that started this program: not every version knows all of them.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_config_')),
  );
  for (const { workspace } of PUBLISHED) {
    const args = ['publish', '--json', '--userconfig', npmrc];
    const { stdout, stderr } = await run('npm', args, { cwd: join(ROOT, workspace), env });
    const warnings = findWarnings(stderr);
    if (warnings.length > 0) throw new Error(`npm publish warns:\n${warnings.join('\n')}`);
    sizes.push(...Object.values(JSON.parse(stdout) as Record<string, PackageSize>));
  }
  return sizes;
}
