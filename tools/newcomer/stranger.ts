// Somebody with a machine of their own: a home, an empty directory, a Node.js, and terminals.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { findWarnings, readNpmSettings } from './npm-settings.ts';
import { OLDEST_NODE, ROOT } from '../packaging/published.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export type Stranger = {
  /** The empty directory. */
  readonly directory: string;
  readonly open: () => Terminal;
  /** By number: 0 is the first. */
  readonly terminals: readonly Terminal[];
  /** What programs have warned of in any terminal. */
  readonly warnings: () => readonly string[];
  /** Ends everything that was started, and removes everything that was written. */
  readonly close: () => Promise<void>;
};

export type StrangerOptions = {
  /** Its cache of npm is empty. Null: the Node.js and the cache of this machine. */
  readonly node: NodeVersion | null;
  /** More lines for the .npmrc. */
  readonly settings: readonly string[];
  /** More files of the home, by their paths in it. */
  readonly files: Readonly<Record<string, string>>;
  readonly patienceMs: number;
};

export type NodeVersion = { readonly node: string; readonly npm: string };

/** The Node.js versions that people have, each with the npm that comes with it. The first is the oldest. */
export const NODES: readonly NodeVersion[] = [
  { node: OLDEST_NODE, npm: '10' },
  { node: '22', npm: '10' },
  { node: '24', npm: '11' },
];

export function inviteStranger({ node, settings, files, patienceMs }: StrangerOptions): Stranger {
  const home = mkdtempSync(join(tmpdir(), 'malipo-newcomer-'));
  const directory = join(home, 'shop');
  mkdirSync(directory);
  // Where a clone would be.
  symlinkSync(ROOT, join(home, 'malipo'));
  // At a terminal, npx asks before it installs; the stranger says yes.
  const npmrc = [...readNpmSettings(), ...settings, 'yes=true'];
  writeFileSync(join(home, '.npmrc'), npmrc.map((line) => `${line}\n`).join(''));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const programs = node === null ? dirname(process.execPath) : installNode(join(home, 'node'), node);
  // The repository's own commands are not available to a stranger.
  const others = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const env = {
    PATH: [programs, '/usr/bin', ...others].join(delimiter),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    // What the Python SDK needs is on this machine; the registry of the drill has only the SDK.
    PYTHONPATH: '/usr/lib/python3/dist-packages',
    COMPOSER_ALLOW_SUPERUSER: '1',
    ...(node === null && { npm_config_cache: join(homedir(), '.npm') }),
    ...keep('HTTPS_PROXY', 'https_proxy', 'NODE_EXTRA_CA_CERTS', 'npm_config_registry'),
  };
  const terminals: Terminal[] = [];
  return {
    directory,
    open: () => {
      const terminal = openTerminal({ directory, env, patienceMs });
      terminals.push(terminal);
      return terminal;
    },
    terminals,
    warnings: () => terminals.flatMap((terminal) => findWarnings(terminal.said())),
    close: async () => {
      for (const terminal of terminals.toReversed()) await terminal.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Returns the folder with `node`, `npm` and `npx`. */
function installNode(directory: string, { node, npm }: NodeVersion): string {
  mkdirSync(directory);
  const allowed = { private: true, allowScripts: { node: true } };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(allowed));
  const args = ['install', '--silent', '--no-audit', '--no-fund', `node@${node}`, `npm@${npm}`];
  execFileSync('npm', args, { cwd: directory });
  return join(directory, 'node_modules/.bin');
}

/** The machine's own network settings are kept. */
function keep(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
