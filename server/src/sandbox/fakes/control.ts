// The control interface of the simulator, for tests and the sandbox. It is not part of the operator's protocol.
import type { Clock } from '../../domain/clock.ts';
import { parseAmount } from '../../domain/money.ts';
import { textOf, type JsonObject } from '../../connectors/json.ts';
import type { Agenda } from './agenda.ts';
import { NOT_FOUND, refusal, type Answer } from './answer.ts';
import { takesCodes } from './payers/asking.ts';
import type { Books } from './books/books.ts';
import { parseFault } from './faults/fault.ts';
import type { Faults } from './faults/faults.ts';
import type { Hanging } from './faults/hanging.ts';
import { listPhones, lookAtPhone, makeCode, type Switchboard } from './payers/phone.ts';
import { answerPrompt, DECISIONS, listPrompts } from './payers/prompts.ts';
import { parseScript } from './faults/script.ts';
import type { Scripts } from './faults/scripts.ts';
import { parseSettings, type Settings } from './settings.ts';

export type Controls = Switchboard & {
  readonly clock: Clock;
  readonly books: Books;
  readonly faults: Faults;
  readonly scripts: Scripts;
  readonly hanging: Hanging;
  readonly agenda: Agenda;
  readonly settings: Settings;
};

export type ControlCall = {
  /** The method and the first part of the path after /control: "POST faults". */
  readonly route: string;
  /** The rest of the path: the identifier of a script or prompt. */
  readonly name: string | undefined;
  readonly body: JsonObject;
};

export function answerControl(controls: Controls, { route, name, body }: ControlCall): Answer {
  if (name !== undefined) return answerNamed(controls, { route, name, body });
  switch (route) {
    case 'GET books':
      controls.agenda.runDue();
      return { status: 200, json: controls.books.view() };
    case 'GET settings':
      return { status: 200, json: controls.settings };
    case 'POST settings':
      return changeSettings(controls, body);
    case 'GET faults':
      return { status: 200, json: controls.faults.list() };
    case 'POST faults':
      return addFault(controls, body);
    case 'DELETE faults':
      controls.faults.clear();
      return { status: 200, json: [] };
    case 'GET scripts':
      return { status: 200, json: controls.scripts.list() };
    case 'POST scripts':
      return addScript(controls, body);
    case 'DELETE scripts':
      return { status: 200, json: { removed: controls.scripts.remove() } };
    case 'GET prompts':
      return { status: 200, json: listPrompts(controls.transactions) };
    case 'GET phones':
      return { status: 200, json: listPhones(controls) };
    case 'GET hanging':
      return { status: 200, json: controls.hanging.list() };
    case 'POST release':
      return { status: 200, json: { released: controls.hanging.release(textOf(body['id'])) } };
    default:
      return NOT_FOUND;
  }
}

function answerNamed(controls: Controls, { route, name, body }: ControlCall & { name: string }): Answer {
  switch (route) {
    case 'DELETE scripts': {
      const removed = controls.scripts.remove(name);
      return removed === 0 ? NOT_FOUND : { status: 200, json: { removed } };
    }
    case 'POST prompts':
      return decide(controls, name, body);
    case 'GET phones':
      return { status: 200, json: lookAtPhone(controls, name, controls.clock.now()) };
    case 'DELETE phones':
      controls.payers.putDown(name);
      return { status: 200, json: {} };
    case 'POST notifications':
      return controls.transactions.announceAgain(name) ? { status: 202, json: {} } : NOT_FOUND;
    case 'POST codes':
      return createCode(controls, name, body);
    default:
      return NOT_FOUND;
  }
}

function changeSettings({ settings }: Controls, body: JsonObject): Answer {
  const wanted = parseSettings(body);
  if ('problem' in wanted) return refusal(wanted.problem);
  return { status: 200, json: Object.assign(settings, wanted.settings) };
}

function addFault({ faults }: Controls, body: JsonObject): Answer {
  const wanted = parseFault(body);
  if ('problem' in wanted) return refusal(wanted.problem);
  faults.add(wanted.fault);
  return { status: 201, json: wanted.fault };
}

function addScript({ scripts }: Controls, body: JsonObject): Answer {
  const wanted = parseScript(body);
  if ('problem' in wanted) return refusal(wanted.problem);
  return { status: 201, json: scripts.add(wanted.script) };
}

function createCode(controls: Controls, phoneNumber: string, body: JsonObject): Answer {
  const [provider, amount, currency] = ['provider', 'amount', 'currency'].map((name) => textOf(body[name]));
  if (provider === undefined || !takesCodes(provider)) return refusal('provider');
  if (amount === undefined || (parseAmount(amount) ?? 0n) <= 0n) return refusal('amount');
  if (currency === undefined) return refusal('currency');
  return {
    status: 200,
    json: makeCode(controls, { phoneNumber, provider, amount, currency }, controls.clock.now()),
  };
}

function decide(controls: Controls, promptId: string, body: JsonObject): Answer {
  const decision = DECISIONS.find((one) => one === body['decision']);
  if (decision === undefined) return refusal('decision');
  const pin = textOf(body['pin']);
  const prompt = answerPrompt(controls, promptId, { decision, ...(pin === undefined ? {} : { pin }) });
  return prompt === undefined ? NOT_FOUND : { status: 200, json: prompt };
}
