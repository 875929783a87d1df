// One request and its answer, and everything that can go wrong between them when a fault waits for it.
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { send, type Answer } from './answer.ts';
import type { ExchangeFault, Step } from './faults/fault.ts';
import type { Faults, Subject } from './faults/faults.ts';
import type { Hanging } from './faults/hanging.ts';
import type { Settings } from './settings.ts';

type FaultyDesk = { readonly faults: Faults; readonly hanging: Hanging; readonly settings: Settings };
type Place = { readonly step: Step; readonly subject: Subject };

/** `act` is where the request has its effect; its answer is what the caller hears if nothing goes wrong. */
export async function exchange(
  desk: FaultyDesk,
  response: ServerResponse,
  place: Place,
  act: () => Answer,
): Promise<void> {
  const fault = desk.faults.takeForExchange(place.step, place.subject);
  if (fault !== undefined && whenOf(fault) === 'BEFORE') {
    if ((await strike(desk, response, place, fault)) === 'OVER') return;
  }
  const answer = act();
  if (desk.settings.answerDelayMs > 0) await delay(desk.settings.answerDelayMs);
  if (fault !== undefined && whenOf(fault) === 'AFTER') {
    if ((await strike(desk, response, place, fault)) === 'OVER') return;
  }
  send(response, answer);
}

const UNREADABLE = {
  text: '<html><h1>It works!</h1>',
  headers: { 'content-type': 'text/html; charset=utf-8' },
};

function whenOf(fault: ExchangeFault): 'BEFORE' | 'AFTER' {
  switch (fault.type) {
    case 'LOSE_ANSWER':
    case 'UNREADABLE_ANSWER':
      return 'AFTER';
    case 'ERROR':
    case 'HANG':
    case 'DELAY':
      return fault.when ?? 'BEFORE';
  }
}

/** OVER: this request has had all the answer it gets. */
async function strike(
  desk: FaultyDesk,
  response: ServerResponse,
  place: Place,
  fault: ExchangeFault,
): Promise<'OVER' | 'CARRY_ON'> {
  switch (fault.type) {
    case 'LOSE_ANSWER':
      response.destroy();
      return 'OVER';
    case 'UNREADABLE_ANSWER':
      send(response, { status: 200, page: UNREADABLE });
      return 'OVER';
    case 'ERROR':
      send(response, { status: fault.httpStatus, json: { code: 'SYSTEM_ERROR' } });
      return 'OVER';
    case 'HANG':
      return (await desk.hanging.hold(response, place)) === 'RELEASED' ? 'CARRY_ON' : 'OVER';
    case 'DELAY':
      // The request has been received: it is taken up even if no one waits for its answer any more.
      await delay(fault.delayMs);
      return 'CARRY_ON';
  }
}
