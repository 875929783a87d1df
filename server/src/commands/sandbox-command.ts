// `malipo-server sandbox`: options in, one welcome or one JSON line out.
import { readSandboxSettings } from '../config.ts';
import { type Command } from './command.ts';
import { print } from './output.ts';
import { readOptions, UsageError } from './options.ts';
import { stopOnSignal } from './serve/stop-on-signal.ts';
import type { Sandbox, SandboxOptions } from './sandbox/sandbox.ts';

const USAGE =
  '[--port 8080] [--host 127.0.0.1] [--simulator-port 8090] [--callback-url URL] [--json] [--embedded] ' +
  '[--operators fakes] [--demo] [--no-build]';

/** What the overview shows at first. */
const DEMO_DAYS = 30;

export const sandboxCommand: Command = {
  usage: USAGE,
  summary: 'run a gateway with a simulated operator on this machine',
  run: async (args) => {
    const options = readOptions(USAGE, args);
    const simulatorPort = options.textOrNull('simulator-port');
    const sandbox = await openSandbox({
      host: options.textOrNull('host') ?? '127.0.0.1',
      port: readPort('port', options.textOrNull('port') ?? '8080'),
      ...(simulatorPort !== null && { simulatorPort: readPort('simulator-port', simulatorPort) }),
      callbackUrl: options.textOrNull('callback-url'),
      embedded: options.isGiven('embedded'),
      operators: options.oneOf('operators', ['simulator', 'fakes'], 'simulator'),
      builds: !options.isGiven('no-build'),
      demoDays: options.isGiven('demo') ? DEMO_DAYS : 0,
      onProgress: (text) => process.stderr.write(`${text}\n`),
    });
    const { renderWelcome } = await import('./sandbox/welcome.ts');
    print(options.isGiven('json') ? renderReady(sandbox) : renderWelcome(sandbox));
    sandbox.startBuilds();
    await stopOnSignal(sandbox.stop);
  },
};

/** What is decided at the start; the rest is set by the environment. */
type SandboxChoices = Pick<
  SandboxOptions,
  | 'host'
  | 'port'
  | 'simulatorPort'
  | 'callbackUrl'
  | 'embedded'
  | 'operators'
  | 'builds'
  | 'demoDays'
  | 'onProgress'
>;

export async function openSandbox(choices: SandboxChoices): Promise<Sandbox> {
  // Only here: every other command runs without the simulator, the phone and the fakes.
  const { startSandbox } = await import('./sandbox/sandbox.ts');
  return startSandbox({ ...readSandboxSettings(), ...choices });
}

function renderReady({ baseUrl, apiToken, merchantId, simulatorUrl, databaseUrl }: Sandbox): string {
  return JSON.stringify({ ready: true, baseUrl, apiToken, merchantId, simulatorUrl, databaseUrl });
}

function readPort(option: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--${option} must be a number from 0 to 65535, not "${text}".`);
}
