// Profiles: gateways by name, each with its address and a token. The file contains secrets, so only its owner can read
// it.
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Trouble } from './command.ts';
import type { World } from './world.ts';

export type Profile = {
  readonly url: string;
  readonly token: string;
  /** For accounts that require signed requests. The key itself stays in its own file. */
  readonly signing?: { readonly keyId: string; readonly privateKeyPath: string };
};

export type Profiles = {
  /** The profile that is used by default. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
};

type Environment = Pick<World, 'env'>;

export function profilesPath({ env }: Environment): string {
  const folder = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config');
  return join(folder, 'malipo', 'profiles.json');
}

export async function readProfiles(world: Environment): Promise<Profiles> {
  const path = profilesPath(world);
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return { current: null, profiles: {} };
  try {
    return JSON.parse(text) as Profiles;
  } catch {
    throw new Trouble(`${path} is no JSON.`, 'Fix it, or remove it and sign in again: malipo login');
  }
}

/** Written to a temporary file and renamed, so that an interruption keeps the old one. */
export async function writeProfiles(world: Environment, profiles: Profiles): Promise<void> {
  const path = profilesPath(world);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  await writeFile(beside, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  await chmod(beside, 0o600);
  await rename(beside, path);
}

/** Returns whether it is the current one now: an earlier choice stays current. */
export async function saveProfile(
  world: Environment,
  name: string,
  profile: Profile,
  { isChosen }: { readonly isChosen: boolean },
): Promise<boolean> {
  const { current, profiles } = await readProfiles(world);
  const chosen = isChosen || current === null || profiles[current] === undefined ? name : current;
  await writeProfiles(world, { current: chosen, profiles: { ...profiles, [name]: profile } });
  return chosen === name;
}

/** The named one, else the environment, else the current one. */
export async function chooseProfile(world: Environment, named: string | undefined): Promise<Profile> {
  const { MALIPO_URL: url, MALIPO_TOKEN: token, MALIPO_PROFILE: byEnvironment } = world.env;
  if (named === undefined && url && token) return { url, token };
  const { current, profiles } = await readProfiles(world);
  const name = named ?? (byEnvironment || current);
  const profile = requireProfile(name, profiles);
  return named === undefined
    ? { ...profile, url: url || profile.url, token: token || profile.token }
    : profile;
}

function requireProfile(name: string | null, profiles: Profiles['profiles']): Profile {
  const profile = name === null ? undefined : profiles[name];
  if (profile !== undefined) return profile;
  if (name === null) {
    throw new Trouble(
      'No gateway was chosen yet.',
      'Start one on this machine: malipo sandbox. Or sign in to another: malipo login --url https://…',
    );
  }
  const known = Object.keys(profiles).join(', ') || 'none';
  throw new Trouble(
    `There is no profile "${name}".`,
    `There are: ${known}. Make one: malipo login --name ${name}`,
  );
}
