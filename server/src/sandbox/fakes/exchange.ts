// Handles one request and its answer, and applies the fault that waits for it.
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { send, type Answer } from './answer.ts';
import type { ExchangeFault, Step } from './faults/fault.ts';
import type { Faults, Subject } from './faults/faults.ts';
import type { Hanging } from './faults/hanging.ts';
import type { Settings } from './settings.ts';

type FaultContext = { readonly faults: Faults; readonly hanging: Hanging; readonly settings: Settings };
type ExchangeAim = { readonly step: Step; readonly subject: Subject };

/** `perform` executes the request; its answer is sent unless a fault changes it. */
export async function exchange(
  context: FaultContext,
  response: ServerResponse,
  aim: ExchangeAim,
  perform: () => Answer,
): Promise<void> {
  const fault = context.faults.takeForExchange(aim.step, aim.subject);
  if (fault !== undefined && whenOf(fault) === 'BEFORE') {
    if ((await strike(context, response, aim, fault)) === 'OVER') return;
  }
  const answer = perform();
  if (context.settings.answerDelayMs > 0) await delay(context.settings.answerDelayMs);
  if (fault !== undefined && whenOf(fault) === 'AFTER') {
    if ((await strike(context, response, aim, fault)) === 'OVER') return;
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

/** OVER: this request gets no further answer. */
async function strike(
  context: FaultContext,
  response: ServerResponse,
  aim: ExchangeAim,
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
      return (await context.hanging.hold(response, aim)) === 'RELEASED' ? 'CARRY_ON' : 'OVER';
    case 'DELAY':
      // The request was received, so it is executed even if the caller no longer waits.
      await delay(fault.delayMs);
      return 'CARRY_ON';
  }
}
