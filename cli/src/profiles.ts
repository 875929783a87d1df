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
  /** For which merchant callbacks are signed, where it is known. */
  readonly merchantId?: string;
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
    throw new Trouble(`${path} is not valid JSON.`, 'Fix it, or delete it and run: malipo login');
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
  const merchant = merchantOf(world.env['MALIPO_MERCHANT_ID']);
  if (named === undefined && url && token) return { url, token, ...merchant };
  const { current, profiles } = await readProfiles(world);
  const name = named ?? (byEnvironment || current);
  const profile = requireProfile(name, profiles);
  if (named !== undefined) return profile;
  const { merchantId, ...others } = profile;
  // Another URL or token may be of another merchant.
  const kept = url || token ? {} : merchantOf(merchantId);
  return { ...others, url: url || profile.url, token: token || profile.token, ...kept, ...merchant };
}

function merchantOf(merchantId: string | undefined): Pick<Profile, 'merchantId'> {
  return merchantId ? { merchantId } : {};
}

function requireProfile(name: string | null, profiles: Profiles['profiles']): Profile {
  const profile = name === null ? undefined : profiles[name];
  if (profile !== undefined) return profile;
  if (name === null) {
    throw new Trouble(
      'Not connected.',
      'Start a sandbox: malipo sandbox. Or connect to a gateway: malipo login --url https://…',
    );
  }
  const known = Object.keys(profiles).join(', ') || 'none';
  throw new Trouble(
    `There is no profile "${name}".`,
    `Profiles: ${known}. Create it: malipo login --name ${name} --url https://…`,
  );
}
