// `malipo listen`: receives callbacks on this machine, verifies them and forwards them.
import { CallbackVerifier } from '@malipo/sdk/callbacks';
import { countOf, textOf, UsageError, type Call, type Command } from '../command.ts';
import { openGateway } from '../gateway.ts';
import { startReceiver, type Receipt } from '../receiver.ts';
import { controlSandbox, type SandboxControl } from '../sandbox-control.ts';

export const listenCommand: Command = {
  words: 'listen',
  summary: 'Receive callbacks (webhooks), verify their signatures and forward them to your server',
  details:
    'In a sandbox it sets itself as your callback URL. With another gateway, set a URL that reaches this machine in\n' +
    'the dashboard, and pass it as --url: signatures cover it. Callbacks with an invalid signature are not forwarded.',
  options: [
    { name: 'port', value: 'PORT', summary: 'Port to listen on; default: a free one.' },
    {
      name: 'forward',
      value: 'URL',
      summary: 'Forward callbacks unchanged to this URL, and return its status to the gateway.',
    },
    { name: 'url', value: 'URL', summary: 'Public URL of this listener; default: its local address.' },
    { name: 'count', value: 'COUNT', summary: 'Stop after this many callbacks.' },
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
  const { merchantId } = gateway.profile;
  const control = controlSandbox(gateway.profile, 'send callbacks to this machine');
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
      ...(merchantId !== undefined && { merchantId }),
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
  throw new UsageError(`--${name} must be a URL such as http://localhost:3000/callbacks.`);
}

/** Returns whether this is a sandbox. With --url, the callback URL may have been set in the dashboard. */
async function announce(call: Call, control: SandboxControl, url: string): Promise<boolean> {
  try {
    await control.call('PUT', 'callback-url', { url });
    return true;
  } catch (error) {
    if (textOf(call, 'url') === undefined) throw error;
    call.world.tell('This is not a sandbox. Set the URL as the callback URL in the dashboard.');
    return false;
  }
}

function renderStart(url: string): string {
  return `Listening for callbacks at ${url}. Stop with Ctrl-C.`;
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
  if (!verified) return `${time}  INVALID SIGNATURE, answered ${answered}: ${cause}`;
  const what = id === null ? 'unknown content' : `${kind} ${id} ${status}`;
  const forwarded = forwardedTo === null ? '' : `, forwarded to ${forwardedTo}`;
  return `${time}  verified  ${what}${forwarded}, answered ${answered}`;
}
