// The control interface: how tests and the sandbox tell the simulator what to do. Never part of the protocol.
import { textOf, type JsonObject } from '../../json.ts';
import type { Agenda } from './agenda.ts';
import { NOT_FOUND, refusal, type Answer } from './answer.ts';
import type { Books } from './books.ts';
import { parseFault } from './fault.ts';
import type { Faults } from './faults.ts';
import type { Hanging } from './hanging.ts';
import { answerPrompt, listPrompts } from './prompts.ts';
import { parseScript } from './script.ts';
import type { Scripts } from './scripts.ts';
import { parseSettings, type Settings } from './settings.ts';
import type { Transactions } from './transactions.ts';

export type Controls = {
  readonly books: Books;
  readonly faults: Faults;
  readonly scripts: Scripts;
  readonly transactions: Transactions;
  readonly hanging: Hanging;
  readonly agenda: Agenda;
  readonly settings: Settings;
};

export type ControlCall = {
  /** The method and the first part of the path after /control: "POST faults". */
  readonly route: string;
  /** What follows it: which script, which prompt. */
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

function decide({ transactions }: Controls, promptId: string, body: JsonObject): Answer {
  const { decision } = body;
  if (decision !== 'APPROVE' && decision !== 'DECLINE') return refusal('decision');
  const prompt = answerPrompt(transactions, promptId, decision);
  return prompt === undefined ? NOT_FOUND : { status: 200, json: prompt };
}
