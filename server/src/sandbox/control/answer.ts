// Turns the simulator's answers into answers to the caller.
import type { ControlAnswer, SimulatorControl } from '../simulator/control-client.ts';
import { failureSchema, renderFault } from '../../wire/v2/failure.ts';
import type { Parsed } from '../../wire/fault.ts';
import { RequestFailure, requestFailure } from '../../edge/request-failure.ts';

export function requireSimulator(simulator: SimulatorControl | null): SimulatorControl {
  if (simulator !== null) return simulator;
  throw requestFailure('ROUTE_NOT_FOUND', { cause: 'this sandbox has no simulator' });
}

/** `missing` is the message if the simulator does not find it. */
export function requireDone<Value>(answer: ControlAnswer<Value>, missing: string): Value {
  switch (answer.type) {
    case 'DONE':
      return answer.value;
    case 'NOT_FOUND':
      throw requestFailure('ROUTE_NOT_FOUND', { cause: missing });
    case 'REFUSED':
      throw requestFailure('INVALID_INPUT', { cause: `the simulator refuses it: ${answer.problem}` });
    case 'AWAY':
      throw requestFailure('SERVICE_UNAVAILABLE');
  }
}

export function requireRead<Request>(parsed: Parsed<Request>): Request {
  if (parsed.type === 'FAULT') throw new RequestFailure(400, renderFault(parsed.fault));
  return parsed.request;
}

export function failures(statuses: readonly number[]) {
  return Object.fromEntries(statuses.map((status) => [status, failureSchema(status)]));
}
