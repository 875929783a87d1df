// `malipo-server sandbox`: options in, one welcome or one JSON line out.
import { readSandboxSettings } from '../../config.ts';
import { print, readOptions, requireOneOf, UsageError, type Command } from '../command.ts';
import { stopOnSignal } from '../serve/stop-on-signal.ts';
import type { Sandbox, SandboxOptions } from './sandbox.ts';

export const sandboxCommand: Command = {
  usage: '[--port 8080] [--host 127.0.0.1] [--callback-url URL] [--json] [--embedded] [--operators fakes]',
  summary: 'run the whole gateway on this machine, with a simulated operator or the fakes of all operators',
  run: async (args) => {
    const values = readOptions(args, {
      port: { type: 'string', default: '8080' },
      host: { type: 'string', default: '127.0.0.1' },
      'callback-url': { type: 'string' },
      json: { type: 'boolean', default: false },
      embedded: { type: 'boolean', default: false },
      operators: { type: 'string', default: 'simulator' },
    });
    const sandbox = await openSandbox({
      host: String(values['host']),
      port: readPort(String(values['port'])),
      callbackUrl: typeof values['callback-url'] === 'string' ? values['callback-url'] : null,
      embedded: values['embedded'] === true,
      operators: requireOneOf(['simulator', 'fakes'], values, 'operators'),
      onProgress: (text) => process.stderr.write(`${text}\n`),
    });
    const { renderWelcome } = await import('./sandbox.ts');
    print(values['json'] === true ? renderReady(sandbox) : renderWelcome(sandbox));
    await stopOnSignal(sandbox.stop);
  },
};

/** What is decided at the start; the rest is set by the environment. */
type SandboxChoices = Pick<
  SandboxOptions,
  'host' | 'port' | 'callbackUrl' | 'embedded' | 'operators' | 'onProgress'
>;

export async function openSandbox(choices: SandboxChoices): Promise<Sandbox> {
  // Only here: every other command runs without the simulator, the phone and the fakes.
  const { startSandbox } = await import('./sandbox.ts');
  return startSandbox({ ...readSandboxSettings(), ...choices });
}

function renderReady({ baseUrl, apiToken, merchantId, simulatorUrl, databaseUrl }: Sandbox): string {
  return JSON.stringify({ ready: true, baseUrl, apiToken, merchantId, simulatorUrl, databaseUrl });
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--port must be a number from 0 to 65535, not "${text}".`);
}
