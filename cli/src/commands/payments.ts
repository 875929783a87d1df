// `malipo deposit create`, `get`, `resend`, and the same for the other kinds.
import { randomUUID } from 'node:crypto';
import type { Acted, Started } from '@malipo/sdk';
import { countOf, isOn, textOf, type Call, type Command, type Option, type Outcome } from '../command.ts';
import { openGateway } from '../gateway.ts';
import { renderPayment } from '../payment-text.ts';
import { groupOf, KINDS, type Action, type Kind, type Resource } from './kinds.ts';
import { FILE, fileFields } from './requests.ts';

const ID = { name: 'ID', summary: 'Identifier of the payment.' };

/** Each kind has its own example, so that a copied identifier does not match another payment. */
const EXAMPLE_IDS = new Map([
  ['deposit', '0b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e'],
  ['payout', '6c1f0d3a-94b7-4e25-8a60-2d7c5b9e1f48'],
  ['refund', 'e27a5c90-1b6d-4f38-9c02-8f4d6a3b7e15'],
  ['remittance', '39d8b6f1-5a2e-4c70-b913-7e0f4c6d2a81'],
  ['split-payment', 'a8f35e02-7d9c-4b16-8e57-1c3a6f0b9d24'],
  ['checkout', '51c7e9b4-2f80-4d6a-9b3e-6a0d8f1c5e72'],
]);

const exampleId = (group: string) => EXAMPLE_IDS.get(group) ?? 'ID';

const WAIT: readonly Option[] = [
  { name: 'wait', summary: 'Wait for the final status.' },
  { name: 'timeout', value: 'SECONDS', summary: 'How long to wait; default: 120.' },
];

function createCommand(kind: Kind): Command {
  const group = groupOf(kind);
  return {
    words: `${group} create`,
    summary: `Create a ${kind.name}`,
    details: 'The exit code is 0 if it was accepted; with --wait, if it was completed.',
    options: [...kind.options, kind.isFileRequired ? { ...FILE, isRequired: true } : FILE, ...WAIT],
    examples: ['', ' --wait --json'].map((end) => `malipo ${group} create ${kind.example}${end}`),
    run: async (call) => {
      const { malipo } = await openGateway(call);
      const resource = kind.resource(malipo);
      const request = { ...(await fileFields(call)), ...(await kind.request(call, malipo)) };
      const started = await resource.create(identify(call, kind, request) as never);
      if (!isOn(call, 'wait') || !isThere(started)) return renderStarted(kind, started);
      call.world.tell(`Accepted: ${started.id}. Waiting for the final status.`);
      return waitFor(call, resource, started.id);
    },
  };
}

/** A new identifier is told before anything is sent: without it a command that was stopped could pay twice. */
function identify(call: Call, { idName }: Kind, request: object): object {
  const chosen = textOf(call, 'id');
  if (chosen !== undefined) return { ...request, [idName]: chosen };
  if (idName in request) return request;
  const id = randomUUID();
  call.world.tell(
    `If you see no outcome, repeat the command with --id ${id}: another identifier could pay twice.`,
  );
  return { ...request, [idName]: id };
}

const isThere = ({ outcome }: Started) => outcome === 'accepted' || outcome === 'duplicate';

function renderStarted(kind: Kind, started: Started): Outcome {
  const { id } = started;
  const get = `malipo ${groupOf(kind)} get ${id}`;
  switch (started.outcome) {
    case 'accepted':
      return { value: started, text: `Accepted: ${kind.name} ${id}. Check its status: ${get}` };
    case 'duplicate':
      return {
        value: started,
        text: `Duplicate: ${kind.name} ${id} exists already. Nothing was created. Check its status: ${get}`,
      };
    case 'rejected':
      return renderRejected(started);
    case 'unknown': {
      const value = { ...started, cause: { code: started.cause.code, message: started.cause.message } };
      const text =
        `Unknown outcome: the gateway may or may not have the ${kind.name} ${id}. ${started.cause.message}\n` +
        `Check later: ${get}. To send it again use --id ${id}: another identifier could pay twice.`;
      return { value, text, isFailure: true };
    }
  }
}

function renderRejected(rejected: Extract<Started, { readonly outcome: 'rejected' }>): Outcome {
  const { failureCode, failureMessage } = rejected.failureReason;
  return { value: rejected, text: `Rejected: ${failureCode}. ${failureMessage}`, isFailure: true };
}

function getCommand(kind: Kind): Command {
  const group = groupOf(kind);
  return {
    words: `${group} get`,
    summary: `Show a ${kind.name}`,
    details: 'The exit code is 1 if it does not exist; with --wait, if it was not completed.',
    arguments: [ID],
    options: WAIT,
    examples: ['', ' --wait'].map((end) => `malipo ${group} get ${exampleId(group)}${end}`),
    run: async (call) => {
      const { ID: id = '' } = call.args;
      const resource = kind.resource((await openGateway(call)).malipo);
      if (isOn(call, 'wait')) return waitFor(call, resource, id);
      const found = await resource.get(id);
      const text = found.found ? renderPayment(found.payment) : `There is no ${kind.name} ${id}.`;
      return { value: found, text, isFailure: !found.found };
    },
  };
}

async function waitFor(call: Call, resource: Resource, id: string): Promise<Outcome> {
  const seconds = countOf(call, 'timeout', { min: 1, max: 86_400, otherwise: 120 });
  const seen = await resource.waitForFinal(id, { timeoutMs: seconds * 1_000, signal: call.world.stopped });
  const isPaid = 'paid' in seen;
  if ('still' in seen) {
    const text = `${id} is still ${String(seen.still)} after ${seconds} seconds.`;
    return { value: { id, ...seen }, text, isFailure: true };
  }
  return { value: seen, text: renderPayment(seen), isFailure: !isPaid };
}

const ACTIONS = {
  resend: {
    summary: (name: string) => `Resend the callback (webhook) of a final ${name}`,
    done: 'The callback will be sent again.',
  },
  cancel: { summary: (name: string) => `Cancel a ${name} that is ENQUEUED`, done: 'Cancelled.' },
  expire: { summary: (name: string) => `Expire a ${name} that has not been paid`, done: 'Expired.' },
};

function actionCommand(kind: Kind, action: Action, perform: NonNullable<Kind['actions'][Action]>): Command {
  const { summary, done } = ACTIONS[action];
  const group = groupOf(kind);
  return {
    words: `${group} ${action}`,
    summary: summary(kind.name),
    arguments: [ID],
    examples: [`malipo ${group} ${action} ${exampleId(group)}`],
    run: async (call) => {
      const { malipo } = await openGateway(call);
      return renderAction(await perform(malipo, call.args['ID'] ?? ''), done);
    },
  };
}

function renderAction(acted: Acted, done: string): Outcome {
  return acted.outcome === 'accepted' ? { value: acted, text: done } : renderRejected(acted);
}

const ACTION_NAMES: readonly Action[] = ['resend', 'cancel', 'expire'];

export const paymentCommands: readonly Command[] = KINDS.flatMap((kind) => [
  createCommand(kind),
  getCommand(kind),
  ...ACTION_NAMES.flatMap((action) => {
    const perform = kind.actions[action];
    return perform === undefined ? [] : [actionCommand(kind, action, perform)];
  }),
]);
