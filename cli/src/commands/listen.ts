// `malipo listen`: receives callbacks on this machine, verifies them and forwards them.
import { CallbackVerifier } from '@malipo/sdk/callbacks';
import { countOf, textOf, UsageError, type Call, type Command } from '../command.ts';
import { openGateway } from '../gateway.ts';
import { startReceiver, type Receipt } from '../receiver.ts';
import { controlSandbox, type SandboxControl } from '../sandbox-control.ts';

export const listenCommand: Command = {
  words: 'listen',
  summary: 'Print callbacks as they arrive, verify their signatures and forward them to your server',
  details:
    'In the sandbox it makes itself the callback address of your account. With another gateway, make an address\n' +
    'that reaches this machine the callback address in the dashboard, and name it with --url: signatures cover\n' +
    'it.\n' +
    'What is not genuine is shown and answered 401, and not forwarded.',
  options: [
    { name: 'port', value: 'PORT', summary: 'The port to listen on; default: any free one.' },
    {
      name: 'forward',
      value: 'URL',
      summary: 'Where callbacks are handed on to, as they came; its answer is ours.',
    },
    {
      name: 'url',
      value: 'URL',
      summary: 'The public address of this listener, where it is not on the same machine.',
    },
    { name: 'count', value: 'COUNT', summary: 'End after so many callbacks.' },
  ],
  examples: [
    'malipo listen',
    'malipo listen --forward http://localhost:3000/callbacks',
    'malipo listen --count 1',
  ],
  run: listen,
};

async function listen(call: Call): Promise<void> {
  const { world, isJson } = call;
  const gateway = await openGateway(call);
  const control = controlSandbox(gateway.profile, 'to send callbacks to this machine');
  const countMax = countOf(call, 'count', { min: 1, max: 1_000_000, otherwise: Number.POSITIVE_INFINITY });
  const done = Promise.withResolvers<void>();
  world.stopped.addEventListener('abort', () => done.resolve(), { once: true });
  let count = 0;
  let isSandbox = false;
  const receiver = await startReceiver({
    port: countOf(call, 'port', { min: 0, max: 65_535, otherwise: 0 }),
    publicUrl: readUrl(call, 'url'),
    forwardUrl: readUrl(call, 'forward'),
    verifier: new CallbackVerifier({
      readKeys: () => gateway.malipo.publicKeys.list(),
      clock: () => (isSandbox ? readClock(control) : new Date()),
    }),
    onReceipt: (receipt) => {
      world.print(isJson ? JSON.stringify(receipt) : renderReceipt(receipt));
      count += 1;
      if (count >= countMax) done.resolve();
    },
  });
  try {
    isSandbox = await announce(call, control, receiver.url);
    world.print(isJson ? JSON.stringify({ listening: true, url: receiver.url }) : renderStart(receiver.url));
    await done.promise;
  } finally {
    await receiver.stop();
  }
}

async function readClock(control: SandboxControl): Promise<Date> {
  return new Date((await control.call<{ readonly now: string }>('GET', 'clock')).now);
}

function readUrl(call: Call, name: string): string | null {
  const text = textOf(call, name);
  if (text === undefined) return null;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`--${name} must be an address such as http://localhost:3000/callbacks.`);
}

/** Returns whether this is a sandbox. With --public-url, the callback address may have been set elsewhere. */
async function announce(call: Call, control: SandboxControl, url: string): Promise<boolean> {
  try {
    await control.call('PUT', 'callback-url', { url });
    return true;
  } catch (error) {
    if (textOf(call, 'url') === undefined) throw error;
    call.world.tell('This gateway is no sandbox: make the address its callback address in the dashboard.');
    return false;
  }
}

function renderStart(url: string): string {
  return `Callbacks go to ${url} now. Ctrl-C ends it.`;
}

function renderReceipt({
  receivedAt,
  verified,
  cause,
  kind,
  id,
  status,
  answered,
  forwardedTo,
}: Receipt): string {
  const time = receivedAt.slice(11, 19);
  if (!verified) return `${time}  NOT GENUINE, answered ${answered}: ${cause}`;
  const what = id === null ? 'something else' : `${kind} ${id} is ${status}`;
  const handed = forwardedTo === null ? '' : `, handed on to ${forwardedTo}`;
  return `${time}  verified  ${what}${handed}, answered ${answered}`;
}
