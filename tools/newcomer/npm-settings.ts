// What npm is told on this machine about registries and the network, for programs that start npm with another home.
import { execFileSync } from 'node:child_process';

const SETTINGS = ['registry', 'cafile', 'proxy', 'https-proxy', 'noproxy'];

/** Lines of an .npmrc. */
export function readNpmSettings(): readonly string[] {
  const told = execFileSync('npm', ['config', 'get', '--loglevel=error', ...SETTINGS], { encoding: 'utf8' });
  return told.split('\n').filter((line) => /=(?!null$|undefined$)./.test(line));
}

const WARNINGS = [
  /^npm (?:warn|error)\b/,
  /^\(node:\d+\) /,
  // Python, pip.
  /\b[A-Z]\w+Warning: /,
  /^(?:WARNING|DEPRECATION): /,
  // PHP, Composer.
  /^(?:PHP )?(?:Warning|Deprecated|Deprecation Notice|Notice)\b.*: /,
];

/** What programs print when something is wrong and they go on. */
export function findWarnings(printed: string): readonly string[] {
  return printed.split('\n').filter((line) => WARNINGS.some((warning) => warning.test(line)));
}
