// `malipo sandbox`: the gateway on this machine.
import { countOf, isOn, textOf, Trouble, type Call, type Command } from '../command.ts';
import { saveProfile } from '../profiles.ts';

const PROFILE = 'sandbox';

/** What the dashboard's overview shows at first. */
const DEMO_DAYS = 30;

export const sandboxCommand: Command = {
  words: 'sandbox',
  summary: 'Run the gateway on this machine, with a simulated operator and test money',
  details:
    'It starts its own PostgreSQL and saves a profile "sandbox". Ctrl-C stops it and deletes its data.\n' +
    'With DATABASE_URL it uses that database, and keeps the data.',
  options: [
    { name: 'port', value: 'PORT', summary: 'Port to listen on; default: 8080; 0: a free one.' },
    { name: 'host', value: 'HOST', summary: 'Address to listen on; default: 127.0.0.1.' },
    { name: 'callback-url', value: 'URL', summary: 'Callback URL. malipo listen can set it later.' },
    { name: 'embedded', summary: 'Use the PostgreSQL of the npm package even if one is installed.' },
    {
      name: 'operators',
      value: 'WHO',
      summary: 'The simulator, or fakes of all operators; default: simulator.',
      choices: ['simulator', 'fakes'],
    },
    { name: 'demo', summary: 'Fill a new sandbox with a month of traffic; takes about a minute.' },
  ],
  examples: ['malipo sandbox', 'malipo sandbox --demo', 'malipo sandbox --port 9000 --json'],
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
      { url: baseUrl, token: apiToken, merchantId },
      { isChosen: false },
    );
    const ready = { ready: true, baseUrl, apiToken, merchantId, simulatorUrl, databaseUrl, profile: PROFILE };
    world.print(isJson ? JSON.stringify(ready) : renderWelcome(ready, isCurrent));
    sandbox.startBuilds();
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
    builds: true,
    demoDays: isOn(call, 'demo') ? DEMO_DAYS : 0,
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

type Ready = {
  readonly baseUrl: string;
  readonly apiToken: string;
  readonly merchantId: string;
  readonly simulatorUrl: string;
};

function renderWelcome({ baseUrl, apiToken, merchantId, simulatorUrl }: Ready, isCurrent: boolean): string {
  const choice = isCurrent ? '' : ` --profile ${PROFILE}`;
  return `
Malipo sandbox is ready. Open ${baseUrl} in a browser.

  API          ${baseUrl}
  API token    ${apiToken}
  Merchant ID  ${merchantId}
  Dashboard    ${baseUrl}/dashboard (owner@demo.example or admin@demo.example, password "sandbox password")
  Docs         ${baseUrl}/docs
  Test phones  ${baseUrl}/sandbox/phone

In other terminals:

  npx @malipo/cli listen${choice}
  npx @malipo/cli deposit create --amount 100 --currency RWF --phone 250783456789 --wait${choice}
  npx @malipo/cli trigger --list

For the commands of the docs, paste this into another terminal:

  export BASE=${baseUrl} TOKEN=${apiToken} MERCHANT_ID=${merchantId} SIMULATOR=${simulatorUrl}
${isCurrent ? '' : '\nYour current profile is another one. To switch: npx @malipo/cli profile use sandbox\n'}
Stop with Ctrl-C.`;
}
