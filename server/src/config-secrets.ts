// Settings that are secrets, or hold a password: each can also be given as a file, by its name with _FILE behind it.
// No message repeats what such a setting or such a file holds, nor the path: somebody may have put the secret there.
import { readFileSync } from 'node:fs';
import { ConfigError, optional } from './config-values.ts';

export const SECRET_SETTINGS: readonly string[] = [
  'DATABASE_URL',
  'MALIPO_DATABASE_DIRECT_URL',
  'MALIPO_CELLS',
  'MALIPO_ENCRYPTION_KEYS',
  'MALIPO_SEARCH_KEY',
  'MALIPO_REFERENCE_KEY',
  'MALIPO_LINK_KEYS',
  'MALIPO_CONSOLE_KEY',
  'MALIPO_OIDC_CLIENT_SECRET',
  'MALIPO_KEY_SERVICE_CREDENTIAL',
  'MALIPO_SMTP_URL',
  'MALIPO_TRACES_URL',
  'MALIPO_SIMULATOR_CLIENT_SECRET',
  'MALIPO_SIMULATOR_NOTIFICATION_SECRET',
];

/** The environment, with what files hold under the names of their settings. */
export function readSecretFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const found = SECRET_SETTINGS.flatMap((name) => {
    const path = optional(env, `${name}_FILE`);
    if (path === undefined) return [];
    if (optional(env, name) !== undefined)
      throw new ConfigError(`${name} and ${name}_FILE are both set. Unset one of them.`);
    return [[name, readSecretFile(`${name}_FILE`, path)] as const];
  });
  return { ...env, ...Object.fromEntries(found) };
}

/** Editors and shells add them. Counted from the end: an expression would look at each of a million again. */
function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1;
  return text.slice(0, end);
}

/**
 * Reads a secret whenever it is needed: a file may be replaced while the process runs. `env` is the environment as it
 * was given; `otherwise` the file where there is neither.
 */
export function createSecretReader(
  env: NodeJS.ProcessEnv,
  name: string,
  otherwise: string | null = null,
): () => string {
  const value = optional(env, name);
  const path = optional(env, `${name}_FILE`) ?? otherwise;
  return () => {
    if (path !== null && value === undefined) return readSecretFile(`${name}_FILE`, path);
    if (value !== undefined) return value;
    throw new ConfigError(`${name} is not set. It must hold the credential of the login.`);
  };
}

function readSecretFile(name: string, path: string): string {
  const text = withoutLastLineEnds(readText(name, path));
  if (text !== '') return text;
  throw new ConfigError(`${name}: the file is empty. It must hold the value of the setting.`);
}

function readText(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigError(
      `${name}: the file cannot be read (${code}). It must be a path that this process can read.`,
    );
  }
}
