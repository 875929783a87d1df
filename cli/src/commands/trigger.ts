// `malipo trigger`: plays a scenario in the sandbox, and shows every status as it comes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Started } from '@malipo/sdk';
import {
  countOf,
  isOn,
  textOf,
  Trouble,
  UsageError,
  type Call,
  type Command,
  type Outcome,
} from '../command.ts';
import { openGateway, type Gateway } from '../gateway.ts';
import { controlSandbox, type SandboxControl } from '../sandbox-control.ts';
import { SCENARIOS, type Scenario } from '../scenarios.ts';
import { renderColumns } from '../table.ts';

export const triggerCommand: Command = {
  words: 'trigger',
  summary: 'Play a scenario in the sandbox: a late success, a declined PIN, an unavailable provider',
  details: 'Its settings affect everyone who uses the same sandbox. A clock that was moved stays moved.',
  arguments: [
    {
      name: 'SCENARIO',
      summary: 'Name of the scenario.',
      choices: SCENARIOS.map(({ name }) => name),
      isOptional: true,
    },
  ],
  options: [
    { name: 'list', summary: 'List the scenarios.' },
    {
      name: 'phone',
      value: 'NUMBER',
      summary: 'Phone number of the payer or recipient; default: 250783456789.',
    },
    { name: 'provider', value: 'CODE', summary: 'Provider code; default: MTN_MOMO_RWA.' },
    { name: 'amount', value: 'AMOUNT', summary: 'Amount; default: 100.' },
    { name: 'currency', value: 'CODE', summary: 'Currency code; default: RWF.' },
    { name: 'timeout', value: 'SECONDS', summary: 'How long to watch; default: 60.' },
  ],
  examples: ['malipo trigger --list', 'malipo trigger pin-declined', 'malipo trigger late-success --json'],
  run: async (call) => {
    if (isOn(call, 'list')) return listScenarios();
    const scenario = SCENARIOS.find(({ name }) => name === call.args['SCENARIO']);
    if (scenario === undefined) throw new UsageError('Missing: SCENARIO. List them: malipo trigger --list');
    return play(call, scenario);
  },
};

function listScenarios(): Outcome {
  const value = SCENARIOS.map(({ name, summary, kind }) => ({ name, summary, kind }));
  return { value, text: renderColumns(SCENARIOS.map(({ name, summary }) => [name, summary])) };
}

type Stage = {
  readonly call: Call;
  readonly gateway: Gateway;
  readonly control: SandboxControl;
  readonly phoneNumber: string;
  readonly provider: string;
};

async function play(call: Call, scenario: Scenario): Promise<Outcome> {
  const gateway = await openGateway(call);
  const control = controlSandbox(gateway.profile, 'play scenarios');
  const phoneNumber = textOf(call, 'phone') ?? '250783456789';
  const provider = textOf(call, 'provider') ?? 'MTN_MOMO_RWA';
  const stage = { call, gateway, control, phoneNumber, provider };
  const { kind, script, availability } = scenario;
  const operation = kind.toUpperCase();
  if (script !== undefined) await control.call('POST', 'scripts', { ...script, phoneNumber, operation });
  if (availability !== undefined) await setAvailability(stage, availability);
  try {
    const started = await start(stage, scenario);
    if (started.outcome !== 'accepted') return renderRefusal(scenario, started);
    return await watch(stage, scenario, started.id);
  } finally {
    if (availability !== undefined) await setAvailability(stage, 'OPERATIONAL');
  }
}

async function setAvailability({ control, provider }: Stage, status: string): Promise<void> {
  await control.call('PUT', `availability/${provider}/PAYOUT`, { status });
  // The gateway caches availability for a second.
  if (status !== 'OPERATIONAL') await sleep(1_100);
}

function start(
  { call, gateway: { malipo }, phoneNumber, provider }: Stage,
  { kind }: Scenario,
): Promise<Started> {
  const party = { type: 'MMO' as const, accountDetails: { phoneNumber, provider: provider as never } };
  const money = { amount: textOf(call, 'amount') ?? '100', currency: textOf(call, 'currency') ?? 'RWF' };
  return kind === 'deposit'
    ? malipo.deposits.create({ ...money, payer: party })
    : malipo.payouts.create({ ...money, recipient: party });
}

function renderRefusal({ name }: Scenario, started: Started): Outcome {
  if (started.outcome !== 'rejected') {
    throw new Trouble(
      `The outcome of ${started.id} is unknown.`,
      'Is the sandbox running? Start it: malipo sandbox',
    );
  }
  const { failureCode, failureMessage } = started.failureReason;
  const text = `Rejected: ${failureCode}. ${failureMessage}`;
  return { value: { scenario: name, ...started }, text, isFailure: name !== 'provider-closed' };
}

type Seen = { readonly status: string; readonly isFinal: boolean; readonly failureReason?: object };

/** Shows every status until the last one. The clock or the provider changes when the payment has reached its point. */
async function watch(stage: Stage, scenario: Scenario, id: string): Promise<Outcome> {
  const { call, gateway } = stage;
  const { kind, name, hint } = scenario;
  call.world.tell(`${kind} ${id}  ACCEPTED`);
  if (hint !== undefined)
    call.world.tell(`${hint}: ${gateway.profile.url}/sandbox/phone/${stage.phoneNumber}`);
  const seconds = countOf(call, 'timeout', { min: 1, max: 3_600, otherwise: 60 });
  const deadline = Date.now() + seconds * 1_000;
  const moves = [...(scenario.clockSeconds ?? [])];
  const statuses = ['ACCEPTED'];
  while (Date.now() < deadline && !call.world.stopped.aborted) {
    const seen = await look(stage, scenario, id);
    if (seen !== null && seen.status !== statuses.at(-1)) {
      statuses.push(seen.status);
      call.world.tell(`${kind} ${id}  ${seen.status}`);
      if (!seen.isFinal) await go(stage, seen, moves);
    }
    if (seen?.isFinal === true) {
      const value = {
        scenario: name,
        id,
        statuses,
        ...(seen.failureReason && { failureReason: seen.failureReason }),
      };
      return { value, text: statuses.join(' → ') };
    }
    await sleep(200);
  }
  const text = `${statuses.join(' → ')}, not final after ${seconds} seconds. Check: malipo ${kind} get ${id}`;
  return { value: { scenario: name, id, statuses }, text, isFailure: true };
}

async function look({ gateway: { malipo } }: Stage, { kind }: Scenario, id: string): Promise<Seen | null> {
  const found = kind === 'deposit' ? await malipo.deposits.get(id) : await malipo.payouts.get(id);
  return found.found ? found.payment : null;
}

async function go(stage: Stage, { status }: Seen, moves: number[]): Promise<void> {
  if (status === 'ENQUEUED') await setAvailability(stage, 'OPERATIONAL');
  const forwardSeconds = ['PROCESSING', 'IN_RECONCILIATION'].includes(status) ? moves.shift() : undefined;
  if (forwardSeconds === undefined) return;
  // Gives the operator a moment to accept: the clock must not move between the request and its answer.
  await sleep(500);
  stage.call.world.tell(`The clock was moved forward by ${forwardSeconds / 60} minutes.`);
  await stage.control.call('POST', 'clock', { forwardSeconds });
}
