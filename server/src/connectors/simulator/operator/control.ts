// The control interface: how tests and the sandbox tell the simulator what to do. Never part of the protocol.
import { textOf, type JsonObject } from '../json.ts';
import type { Agenda } from './agenda.ts';
import { NOT_FOUND, refusal, type Answer } from './answer.ts';
import type { Books } from './books.ts';
import { parseFault } from './fault.ts';
import type { Faults } from './faults.ts';
import type { Hanging } from './hanging.ts';
import { parseSettings, type Settings } from './settings.ts';

export type Controls = {
  readonly books: Books;
  readonly faults: Faults;
  readonly hanging: Hanging;
  readonly agenda: Agenda;
  readonly settings: Settings;
};

/** `route` is the method and the path after /control: "POST faults". */
export function answerControl(controls: Controls, route: string, body: JsonObject): Answer {
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
    case 'GET hanging':
      return { status: 200, json: controls.hanging.list() };
    case 'POST release':
      return { status: 200, json: { released: controls.hanging.release(textOf(body['id'])) } };
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
