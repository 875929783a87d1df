// `malipo deposits create`, `get`, `resend`, and the same for the other kinds.
import type { Acted, Started } from '@malipo/sdk';
import { countOf, isOn, type Call, type Command, type Option, type Outcome } from '../command.ts';
import { openGateway } from '../gateway.ts';
import { renderRecord } from '../table.ts';
import { KINDS, type Act, type Kind, type Resource } from './kinds.ts';
import { FILE, fileFields, requireEither } from './requests.ts';

const ID = { name: 'ID', summary: 'The identifier.' };

/** Each kind has its own example, so that a copied identifier does not match another payment. */
const EXAMPLE_IDS = new Map([
  ['deposits', '0b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e'],
  ['payouts', '6c1f0d3a-94b7-4e25-8a60-2d7c5b9e1f48'],
  ['refunds', 'e27a5c90-1b6d-4f38-9c02-8f4d6a3b7e15'],
  ['remittances', '39d8b6f1-5a2e-4c70-b913-7e0f4c6d2a81'],
  ['split-payments', 'a8f35e02-7d9c-4b16-8e57-1c3a6f0b9d24'],
  ['checkouts', '51c7e9b4-2f80-4d6a-9b3e-6a0d8f1c5e72'],
]);

const exampleId = (group: string) => EXAMPLE_IDS.get(group) ?? 'ID';

const WAIT: readonly Option[] = [
  { name: 'wait', summary: 'Wait until it is final, and show it then.' },
  { name: 'timeout', value: 'SECONDS', summary: 'How long to wait; default: 120.' },
];

function createCommand(kind: Kind): Command {
  return {
    words: `${kind.group} create`,
    summary: `Create a ${kind.name}`,
    details: 'The exit code is 0 when it was accepted; with --wait, when it was completed.',
    options: [...kind.options, FILE, ...WAIT],
    examples: [
      `malipo ${kind.group} create ${kind.example}`,
      `malipo ${kind.group} create ${kind.example} --wait --json`,
    ],
    run: async (call) => {
      requireEither(call, kind.needed);
      const { malipo } = await openGateway(call);
      const resource = kind.resource(malipo);
      const request = { ...(await fileFields(call)), ...(await kind.request(call, malipo)) };
      const started = await resource.create(request as never);
      if (!isOn(call, 'wait') || !isThere(started)) return renderStarted(kind, started);
      call.world.tell(`${started.id} was accepted.`);
      return waitFor(call, resource, started.id);
    },
  };
}

const isThere = ({ outcome }: Started) => outcome === 'accepted' || outcome === 'duplicate';

function renderStarted({ group, name }: Kind, started: Started): Outcome {
  const { id } = started;
  const see = `See what becomes of it: malipo ${group} get ${id}`;
  switch (started.outcome) {
    case 'accepted':
      return { value: started, text: `The ${name} ${id} was accepted. ${see}` };
    case 'duplicate':
      return { value: started, text: `The ${name} ${id} was ordered before; nothing was done now. ${see}` };
    case 'rejected': {
      const { failureCode, failureMessage } = started.failureReason;
      return { value: started, text: `Rejected: ${failureCode}. ${failureMessage}`, isFailure: true };
    }
    case 'unknown': {
      const value = { ...started, cause: { code: started.cause.code, message: started.cause.message } };
      const text =
        `It is not known whether the gateway has the ${name} ${id}: ${started.cause.message}\n` +
        `Ask later: malipo ${group} get ${id}. If you send it again, use --id ${id}, or it may be done twice.`;
      return { value, text, isFailure: true };
    }
  }
}

function getCommand(kind: Kind): Command {
  return {
    words: `${kind.group} get`,
    summary: `Show a ${kind.name}`,
    details: 'The exit code is 1 when there is none; with --wait, when it was not completed.',
    arguments: [ID],
    options: WAIT,
    examples: ['', ' --wait'].map((end) => `malipo ${kind.group} get ${exampleId(kind.group)}${end}`),
    run: async (call) => {
      const { ID: id = '' } = call.args;
      const resource = kind.resource((await openGateway(call)).malipo);
      if (isOn(call, 'wait')) return waitFor(call, resource, id);
      const found = await resource.get(id);
      const text = found.found ? renderRecord(found.payment) : `There is no ${kind.name} ${id}.`;
      return { value: found, text, isFailure: !found.found };
    },
  };
}

async function waitFor(call: Call, resource: Resource, id: string): Promise<Outcome> {
  const seconds = countOf(call, 'timeout', { min: 1, max: 86_400, otherwise: 120 });
  const seen = await resource.waitForFinal(id, { timeoutMs: seconds * 1_000, signal: call.world.stopped });
  const isPaid = 'paid' in seen;
  if ('still' in seen) {
    const text = `After ${seconds} seconds ${id} is still ${String(seen.still)}.`;
    return { value: { id, ...seen }, text, isFailure: true };
  }
  return { value: seen, text: renderRecord(seen), isFailure: !isPaid };
}

const ACTS = {
  resend: {
    summary: (name: string) => `Have the callback of a final ${name} sent again`,
    done: 'The callback is sent again.',
  },
  cancel: { summary: (name: string) => `Cancel a ${name} that is ENQUEUED`, done: 'It is cancelled.' },
  expire: { summary: (name: string) => `End a ${name} that no one is paying`, done: 'It is ended.' },
};

function actionCommand({ group, name }: Kind, act: Act, perform: NonNullable<Kind['acts'][Act]>): Command {
  const { summary, done } = ACTS[act];
  return {
    words: `${group} ${act}`,
    summary: summary(name),
    arguments: [ID],
    examples: [`malipo ${group} ${act} ${exampleId(group)}`],
    run: async (call) => {
      const { malipo } = await openGateway(call);
      return renderAction(await perform(malipo, call.args['ID'] ?? ''), done);
    },
  };
}

function renderAction(acted: Acted, done: string): Outcome {
  if (acted.outcome === 'accepted') return { value: acted, text: done };
  const { failureCode, failureMessage } = acted.failureReason;
  return { value: acted, text: `Rejected: ${failureCode}. ${failureMessage}`, isFailure: true };
}

const ACTION_NAMES: readonly Act[] = ['resend', 'cancel', 'expire'];

export const paymentCommands: readonly Command[] = KINDS.flatMap((kind) => [
  createCommand(kind),
  getCommand(kind),
  ...ACTION_NAMES.flatMap((act) => {
    const perform = kind.acts[act];
    return perform === undefined ? [] : [actionCommand(kind, act, perform)];
  }),
]);
