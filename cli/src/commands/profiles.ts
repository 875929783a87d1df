// `malipo login` and `malipo profiles`: the known gateways and the current one.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Malipo, MalipoError } from '@malipo/sdk';
import {
  requireText,
  textOf,
  Trouble,
  UsageError,
  type Call,
  type Command,
  type Outcome,
} from '../command.ts';
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
  summary: 'Keep the address of a gateway and an API token as a profile, and use it from now on',
  details:
    'The token is asked for, or read from the standard input; it is never an option, which others could see. It is\n' +
    'tried before it is kept, in a file only you can read. MALIPO_URL and MALIPO_TOKEN go before every profile.',
  options: [
    { name: 'url', value: 'URL', summary: 'The address of the gateway, without /v2.' },
    { name: 'name', value: 'NAME', summary: 'The name of the profile; default: "default".' },
    {
      name: 'key-id',
      value: 'NAME',
      summary: 'For accounts that demand signed requests: what the key is registered as.',
    },
    {
      name: 'private-key',
      value: 'FILE',
      summary: 'The private key in PEM form. The file stays where it is.',
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
  const url = readUrl(requireText(call, 'url'));
  const name = textOf(call, 'name') ?? 'default';
  const token = await world.askSecret(`API token of ${url}: `);
  if (!/^\S+$/.test(token)) throw new UsageError('There is no token on the standard input.');
  const companyName = await tryToken({ url, token });
  await saveProfile(world, name, { url, token, ...(await readSigning(call)) }, { isChosen: true });
  return {
    value: { profile: name, url, companyName },
    text: `You are ${companyName} at ${url}. The profile "${name}" is kept in ${profilesPath(world)}.`,
  };
}

async function readSigning(call: Call): Promise<Pick<Profile, 'signing'>> {
  const [keyId, path] = [textOf(call, 'key-id'), textOf(call, 'private-key')];
  if (keyId === undefined && path === undefined) return {};
  if (keyId === undefined || path === undefined) {
    throw new UsageError('--key-id and --private-key belong together.');
  }
  const privateKeyPath = resolve(path);
  if (!(await readFile(privateKeyPath, 'utf8')).includes('PRIVATE KEY')) {
    throw new Trouble(
      `${path} holds no private key in PEM form.`,
      'Make one with: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256',
    );
  }
  return { signing: { keyId, privateKeyPath } };
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('--url must be an address such as https://api.example.com.');
  }
  return text.replace(/\/(v2\/?)?$/, '');
}

async function tryToken({ url, token }: { readonly url: string; readonly token: string }): Promise<string> {
  try {
    const malipo = new Malipo({ baseUrl: url, token, retryForMs: 0 });
    return (await malipo.toolkit.activeConfiguration()).companyName;
  } catch (error) {
    if (!(error instanceof MalipoError)) throw error;
    throw new Trouble(
      `The gateway at ${url} was tried: ${error.message}`,
      `${error.whatToDo} Nothing was kept.`,
    );
  }
}

const listCommand: Command = {
  words: 'profiles list',
  summary: 'List the profiles, without their tokens',
  examples: ['malipo profiles list'],
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
        ? 'There are none. Begin with: malipo sandbox'
        : renderTable(['', 'name', 'url'], table);
    return { value: rows, text };
  },
};

const envCommand: Command = {
  words: 'profiles env',
  summary: 'Print the address and the token as settings of a shell, for programs of your own',
  details: 'The token is shown. In a shell: eval "$(malipo profiles env)" sets MALIPO_URL and MALIPO_TOKEN.',
  examples: ['eval "$(malipo profiles env)"', 'malipo profiles env --profile sandbox --json'],
  run: async (call) => {
    const { url, token } = await chooseProfile(call.world, textOf(call, 'profile'));
    const text = `export MALIPO_URL=${quote(url)}\nexport MALIPO_TOKEN=${quote(token)}`;
    return { value: { MALIPO_URL: url, MALIPO_TOKEN: token }, text };
  },
};

/** Quoted for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const NAME = { name: 'NAME', summary: 'The name of the profile.' };

const useCommand: Command = {
  words: 'profiles use',
  summary: 'Use a profile from now on',
  arguments: [NAME],
  examples: ['malipo profiles use sandbox'],
  run: async ({ world, args: { NAME: name = '' } }) => {
    const { profiles } = await readProfiles(world);
    requireKnown(profiles, name);
    await writeProfiles(world, { current: name, profiles });
    return { value: { current: name }, text: `Commands go to "${name}" from now on: ${profiles[name]?.url}` };
  },
};

const removeCommand: Command = {
  words: 'profiles remove',
  summary: 'Forget a profile and its token',
  arguments: [NAME],
  examples: ['malipo profiles remove production'],
  run: async ({ world, args: { NAME: name = '' } }) => {
    const { current, profiles } = await readProfiles(world);
    requireKnown(profiles, name);
    const { [name]: _, ...others } = profiles;
    await writeProfiles(world, { current: current === name ? null : current, profiles: others });
    return {
      value: { removed: name },
      text: `"${name}" is forgotten. Its token still works: revoke it if need be.`,
    };
  },
};

function requireKnown(profiles: object, name: string): void {
  if (Object.hasOwn(profiles, name)) return;
  const known = Object.keys(profiles).join(', ') || 'none';
  throw new Trouble(`There is no profile "${name}".`, `There are: ${known}.`);
}

export const profileCommands: readonly Command[] = [
  loginCommand,
  listCommand,
  useCommand,
  envCommand,
  removeCommand,
];
