// A clone of the repository, and the programs that are run in it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type Clone = {
  readonly folder: string;
  /** What git prints. */
  readonly git: (...args: readonly string[]) => string;
  /** The commit of a name, or null. */
  readonly commitOf: (name: string) => string | null;
  readonly isClean: () => boolean;
  /** In seconds since 1970: of the commit, so that the same commit gives the same files. */
  readonly date: () => number;
  /** Runs a program; what it prints goes to standard error. */
  readonly run: (program: string, ...args: readonly string[]) => void;
  /** The same with settings of its own; answers what it prints. */
  readonly read: (settings: NodeJS.ProcessEnv, program: string, ...args: readonly string[]) => string;
  readonly cloneTo: (folder: string) => Clone;
  readonly takeTag: (from: Clone, tag: string) => void;
};

const OUTPUT_BYTES_MAX = 1 << 28;

export function cloneOf(folder: string): Clone {
  const git: Clone['git'] = (...args) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX }).trim();
  const date = () => Number(git('log', '-1', '--format=%ct'));
  const env = (settings: NodeJS.ProcessEnv = {}) => ({
    ...process.env,
    SOURCE_DATE_EPOCH: String(date()),
    ...settings,
  });
  return {
    folder,
    git,
    commitOf: (name) => {
      const found = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], {
        cwd: folder,
        encoding: 'utf8',
      });
      return found.status === 0 ? found.stdout.trim() : null;
    },
    isClean: () => git('status', '--porcelain') === '',
    date,
    run: (program, ...args) => {
      execFileSync(program, args, { cwd: folder, env: env(), stdio: ['inherit', 2, 2] });
    },
    read: (settings, program, ...args) =>
      execFileSync(program, args, {
        cwd: folder,
        env: env(settings),
        encoding: 'utf8',
        maxBuffer: OUTPUT_BYTES_MAX,
        stdio: ['ignore', 'pipe', 2],
      }),
    cloneTo: (to) => {
      execFileSync('git', ['clone', '--quiet', folder, to], { stdio: ['ignore', 2, 2] });
      const clone = cloneOf(to);
      clone.git('checkout', '--quiet', '--detach', git('rev-parse', 'HEAD'));
      return clone;
    },
    takeTag: (from, tag) => void git('fetch', '--quiet', from.folder, 'tag', tag),
  };
}

export function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}
