// A script: what happens to the next payments of one phone number, by the name of a scenario. A scenario is a named set
// of faults. Pure.
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/payments/payment.ts';
import type { JsonObject } from '../../../connectors/json.ts';
import { parseFault, type Fault } from './fault.ts';
import { verdictNamed } from '../payers/outcomes.ts';

export const SCENARIOS = [
  'SUCCESS',
  'FAILURE',
  'LATE_SUCCESS',
  'DOUBLED_NOTIFICATION',
  'MISSING_NOTIFICATION',
  'FORGED_NOTIFICATION',
  'CONTRADICTING_NOTIFICATION',
  'WRONG_AMOUNT',
  'LOST_ANSWER',
  'OPERATOR_ERROR',
  'AWAIT_PROMPT',
] as const;
export type Scenario = (typeof SCENARIOS)[number];

export type NewScript = {
  readonly phoneNumber: string;
  readonly operation: PaymentKind;
  readonly scenario: Scenario;
  /** How many payments it is for. */
  readonly times: number;
  /** FAILURE: the outcome, by its name in numbers.json. */
  readonly failureCode?: string;
  /** WRONG_AMOUNT: what is moved instead. */
  readonly amount?: string;
  /** LATE_SUCCESS, CONTRADICTING_NOTIFICATION: the delay, on the simulator's clock. */
  readonly delayMs?: number;
};

/** A script in use. `times` is the number of payments left. */
export type Script = NewScript & { readonly scriptId: string };

/** Longer than the 15 minutes after which the sandbox moves a payment to reconciliation. */
const LATE_MS = 20 * 60_000;

/** Long enough that the end arrives before the contradiction. */
const CONTRADICTION_DELAY_MS = 1_000;

/** The parsed script, or the error in it. */
export function parseScript(value: JsonObject): { script: NewScript } | { problem: string } {
  const scenario = SCENARIOS.find((name) => name === value['scenario']);
  const operation = PAYMENT_KINDS.find((kind) => kind === value['operation']);
  if (scenario === undefined) return { problem: 'scenario' };
  if (operation === undefined) return { problem: 'operation' };
  const given = MEMBERS.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]);
  const script = { scenario, operation, times: 1, ...Object.fromEntries(given) } as NewScript;
  const problem = findProblem(script);
  return problem === undefined ? { script } : { problem };
}

const MEMBERS = ['phoneNumber', 'times', 'failureCode', 'amount', 'delayMs'];

/** The errors of a script are those of its faults, and combinations that can never apply. */
function findProblem(script: NewScript): string | undefined {
  const { scenario, operation, failureCode = '' } = script;
  if (scenario === 'FAILURE' && verdictNamed(failureCode)?.status !== 'FAILED') return 'failureCode';
  if (scenario === 'AWAIT_PROMPT' && operation !== 'DEPOSIT') return 'operation';
  return faultsOf({ ...script, scriptId: '0' })
    .map((fault) => parseFault(fault))
    .flatMap((parsed) => ('problem' in parsed ? parsed.problem : []))[0];
}

/** The faults of a script: of different families, so that one payment meets all of them. */
export function faultsOf(script: Script): readonly Fault[] {
  const { phoneNumber, operation, times, scriptId: label } = script;
  return played(script).map((fault) => ({ ...fault, phoneNumber, operation, times, label }));
}

function played({ scenario, failureCode, amount, delayMs }: NewScript): readonly Fault[] {
  switch (scenario) {
    case 'SUCCESS':
      return [{ type: 'OUTCOME', status: 'SUCCESSFUL' }];
    case 'FAILURE':
      return [{ type: 'OUTCOME', ...(verdictNamed(failureCode ?? '') ?? { status: 'FAILED' }) }];
    case 'LATE_SUCCESS':
      return [{ type: 'OUTCOME', status: 'SUCCESSFUL', delayMs: delayMs ?? LATE_MS }];
    case 'DOUBLED_NOTIFICATION':
      return [{ type: 'DOUBLE_NOTIFICATION' }];
    case 'MISSING_NOTIFICATION':
      return [{ type: 'NO_NOTIFICATION' }];
    case 'FORGED_NOTIFICATION':
      // A forged success shows nothing unless the real result is a failure.
      return [{ type: 'OUTCOME', status: 'FAILED' }, { type: 'FORGED_NOTIFICATION' }];
    case 'CONTRADICTING_NOTIFICATION':
      return [{ type: 'CONTRADICTING_NOTIFICATION', delayMs: delayMs ?? CONTRADICTION_DELAY_MS }];
    case 'WRONG_AMOUNT':
      return [{ type: 'WRONG_AMOUNT', ...(amount === undefined ? {} : { amount }) }];
    case 'LOST_ANSWER':
      return [{ type: 'LOSE_ANSWER' }];
    case 'OPERATOR_ERROR':
      return [{ type: 'ERROR', httpStatus: 503 }];
    case 'AWAIT_PROMPT':
      return [{ type: 'AWAIT_PROMPT' }];
  }
}
