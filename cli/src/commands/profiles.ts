// `malipo login` and `malipo profile`: the known gateways and the current one.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Malipo, MalipoError } from '@malipo/sdk';
import { textOf, Trouble, UsageError, type Call, type Command, type Outcome } from '../command.ts';
import {
  chooseProfile,
  profilesPath,
  readProfiles,
  saveProfile,
  writeProfiles,
  type Profile,
} from '../profiles.ts';
import { renderTable } from '../table.ts';

const loginCommand: Command = {
  words: 'login',
  summary: 'Save the URL of a gateway and an API token (API key) as a profile, and use it',
  details:
    'The token is asked for, or read from standard input. It is checked, and saved in a file that only you can read.',
  options: [
    { name: 'url', value: 'URL', summary: 'URL of the gateway, without /v2.', isRequired: true },
    { name: 'name', value: 'NAME', summary: 'Name of the profile; default: "default".' },
    {
      name: 'key-id',
      value: 'NAME',
      summary: 'Name of your public key, for accounts that require signed requests.',
    },
    {
      name: 'private-key',
      value: 'FILE',
      summary: 'Private key in PEM format. The file is read where it is for each request.',
    },
  ],
  examples: [
    'malipo login --url https://api.example.com --name production',
    'malipo login --url https://api.example.com < token.txt',
  ],
  run: login,
};

async function login(call: Call): Promise<Outcome> {
  const { world } = call;
  const url = readUrl(textOf(call, 'url') ?? '');
  const name = textOf(call, 'name') ?? 'default';
  const token = await world.askSecret(`API token of ${url}: `);
  if (!/^\S+$/.test(token)) throw new UsageError('There is no token on standard input.');
  const companyName = await tryToken({ url, token });
  const signing = await readSigning(call);
  const merchant = await findMerchantId({ url, token });
  const profile = { url, token, ...merchant, ...signing };
  await saveProfile(world, name, profile, { isChosen: true });
  return {
    value: { profile: name, url, companyName, ...merchant },
    text: `Connected to ${url} as ${companyName}. Saved as profile "${name}" in ${profilesPath(world)}.`,
  };
}

async function readSigning(call: Call): Promise<Pick<Profile, 'signing'>> {
  const [keyId, path] = [textOf(call, 'key-id'), textOf(call, 'private-key')];
  if (keyId === undefined && path === undefined) return {};
  if (keyId === undefined || path === undefined) {
    throw new UsageError('--key-id and --private-key must be used together.');
  }
  const privateKeyPath = resolve(path);
  if (!(await readFile(privateKeyPath, 'utf8')).includes('PRIVATE KEY')) {
    throw new Trouble(
      `${path} is not a private key in PEM format.`,
      'Create one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256',
    );
  }
  return { signing: { keyId, privateKeyPath } };
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('--url must be a URL such as https://api.example.com.');
  }
  return text.replace(/\/(v2\/?)?$/, '');
}

type Address = Pick<Profile, 'url' | 'token'>;

async function tryToken({ url, token }: Address): Promise<string> {
  try {
    const malipo = new Malipo({ baseUrl: url, token, retryForMs: 0 });
    return (await malipo.toolkit.activeConfiguration()).companyName;
  } catch (error) {
    if (!(error instanceof MalipoError)) throw error;
    throw new Trouble(
      `Could not connect to ${url}: ${error.message}`,
      `${error.whatToDo} Nothing was saved.`,
    );
  }
}

/** API v1 names the merchant, v2 does not. A gateway that does not answer it only leaves the merchant unknown. */
async function findMerchantId({ url, token }: Address): Promise<Pick<Profile, 'merchantId'>> {
  try {
    const response = await fetch(`${url}/active-conf`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    const { merchantId } = (await response.json()) as { readonly merchantId?: unknown };
    return typeof merchantId === 'string' ? { merchantId } : {};
  } catch {
    return {};
  }
}

const listCommand: Command = {
  words: 'profile list',
  summary: 'List the profiles, without their tokens',
  examples: ['malipo profile list'],
  run: async ({ world }) => {
    const { current, profiles } = await readProfiles(world);
    const rows = Object.entries(profiles).map(([name, { url }]) => ({
      name,
      url,
      isCurrent: name === current,
    }));
    const table = rows.map(({ name, url, isCurrent }) => [isCurrent ? '*' : '', name, url]);
    const text =
      rows.length === 0
        ? 'No profiles yet. Get started: malipo sandbox'
        : renderTable(['', 'name', 'url'], table);
    return { value: rows, text };
  },
};

const envCommand: Command = {
  words: 'profile env',
  summary: 'Print URL and token as environment variables, for your own programs',
  details: 'It shows the token. It sets MALIPO_URL, MALIPO_TOKEN and MALIPO_MERCHANT_ID.',
  examples: ['eval "$(malipo profile env)"', 'malipo profile env --profile sandbox --json'],
  run: async (call) => {
    const { url, token, merchantId } = await chooseProfile(call.world, textOf(call, 'profile'));
    const merchant = merchantId === undefined ? {} : { MALIPO_MERCHANT_ID: merchantId };
    const value = { MALIPO_URL: url, MALIPO_TOKEN: token, ...merchant };
    const lines = Object.entries(value).map(([name, text]) => `export ${name}=${quote(text)}`);
    return { value, text: lines.join('\n') };
  },
};

/** Quoted for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const NAME = { name: 'NAME', summary: 'Name of the profile.' };

const useCommand: Command = {
  words: 'profile use',
  summary: 'Make a profile the current one',
  arguments: [NAME],
  examples: ['malipo profile use sandbox'],
  run: async ({ world, args: { NAME: name = '' } }) => {
    const { profiles } = await readProfiles(world);
    requireKnown(profiles, name);
    await writeProfiles(world, { current: name, profiles });
    return { value: { current: name }, text: `Current profile: "${name}" (${profiles[name]?.url})` };
  },
};

const removeCommand: Command = {
  words: 'profile remove',
  summary: 'Delete a profile',
  arguments: [NAME],
  examples: ['malipo profile remove production'],
  run: async ({ world, args: { NAME: name = '' } }) => {
    const { current, profiles } = await readProfiles(world);
    requireKnown(profiles, name);
    const { [name]: _, ...others } = profiles;
    await writeProfiles(world, { current: current === name ? null : current, profiles: others });
    return {
      value: { removed: name },
      text: `Deleted profile "${name}". Its token still works: revoke it in the dashboard if it is no longer needed.`,
    };
  },
};

function requireKnown(profiles: object, name: string): void {
  if (Object.hasOwn(profiles, name)) return;
  const known = Object.keys(profiles).join(', ') || 'none';
  throw new Trouble(`There is no profile "${name}".`, `Profiles: ${known}.`);
}

export const profileCommands: readonly Command[] = [
  loginCommand,
  listCommand,
  useCommand,
  envCommand,
  removeCommand,
];
