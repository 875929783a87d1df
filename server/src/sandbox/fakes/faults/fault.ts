// The faults that the simulator can produce. Each belongs to a family, by the moment at which it applies.
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/payments/payment.ts';
import type { JsonObject } from '../../../connectors/json.ts';
import type { ChargeStatus } from '../books/charge.ts';

export type Fault = ExchangeFault | AcceptanceFault | NotificationFault;

/** Applies to a request and its answer. LOSE_ANSWER and UNREADABLE_ANSWER still execute the request. */
export type ExchangeFault = Aim &
  (
    | { readonly type: 'LOSE_ANSWER' }
    | { readonly type: 'UNREADABLE_ANSWER' }
    | ({ readonly type: 'ERROR'; readonly httpStatus: number } & Moment)
    | ({ readonly type: 'HANG' } & Moment)
    | ({ readonly type: 'DELAY'; readonly delayMs: number } & Moment)
  );

/** Changes how a transaction is processed. */
export type AcceptanceFault = Aim &
  (
    | { readonly type: 'WRONG_AMOUNT'; readonly amount?: string }
    | { readonly type: 'UNKNOWN_CODE'; readonly failureCode?: string }
    | { readonly type: 'AWAIT_PROMPT' }
    | {
        readonly type: 'OUTCOME';
        readonly status: ChargeStatus;
        readonly failureCode?: string;
        readonly delayMs?: number;
      }
  );

/** Changes how the end of a transaction is announced. */
export type NotificationFault = Aim &
  (
    | { readonly type: 'NO_NOTIFICATION' }
    | { readonly type: 'DOUBLE_NOTIFICATION' }
    | { readonly type: 'LATE_NOTIFICATION'; readonly delayMs: number }
    | { readonly type: 'FORGED_NOTIFICATION'; readonly only?: boolean }
    | { readonly type: 'CONTRADICTING_NOTIFICATION'; readonly delayMs?: number }
  );

export type Step = 'token' | 'submit' | 'query' | 'balance' | 'holder' | 'notification';

/** What a fault applies to; omitted fields match everything. It applies once; default of `times`: 1. */
type Aim = {
  readonly step?: Step;
  readonly reference?: string;
  readonly phoneNumber?: string;
  readonly operation?: PaymentKind;
  readonly times?: number;
  /** A name to find the fault again. */
  readonly label?: string;
};

/** Whether the fault applies before or after the request is executed; default: BEFORE. */
type Moment = { readonly when?: 'BEFORE' | 'AFTER' };

export type FaultFamily = 'EXCHANGE' | 'ACCEPTANCE' | 'NOTIFICATION';

/** Where the faults of a family can apply; default: the first. */
const STEPS: Readonly<Record<FaultFamily, readonly [Step, ...Step[]]>> = {
  EXCHANGE: ['submit', 'query', 'token', 'balance', 'holder'],
  ACCEPTANCE: ['submit'],
  NOTIFICATION: ['notification'],
};

type FaultForm = {
  readonly family: FaultFamily;
  readonly needs?: string;
  readonly allows?: readonly string[];
};

/** The members of each fault besides its aim. */
const FORMS: Readonly<Record<Fault['type'], FaultForm>> = {
  LOSE_ANSWER: { family: 'EXCHANGE' },
  UNREADABLE_ANSWER: { family: 'EXCHANGE' },
  ERROR: { family: 'EXCHANGE', needs: 'httpStatus', allows: ['when'] },
  HANG: { family: 'EXCHANGE', allows: ['when'] },
  DELAY: { family: 'EXCHANGE', needs: 'delayMs', allows: ['when'] },
  WRONG_AMOUNT: { family: 'ACCEPTANCE', allows: ['amount'] },
  UNKNOWN_CODE: { family: 'ACCEPTANCE', allows: ['failureCode'] },
  AWAIT_PROMPT: { family: 'ACCEPTANCE' },
  OUTCOME: { family: 'ACCEPTANCE', needs: 'status', allows: ['failureCode', 'delayMs'] },
  NO_NOTIFICATION: { family: 'NOTIFICATION' },
  DOUBLE_NOTIFICATION: { family: 'NOTIFICATION' },
  LATE_NOTIFICATION: { family: 'NOTIFICATION', needs: 'delayMs' },
  FORGED_NOTIFICATION: { family: 'NOTIFICATION', allows: ['only'] },
  CONTRADICTING_NOTIFICATION: { family: 'NOTIFICATION', allows: ['delayMs'] },
};

export function familyOf(fault: Fault): FaultFamily {
  return FORMS[fault.type].family;
}

export function stepOf(fault: Fault): Step {
  return fault.step ?? STEPS[familyOf(fault)][0];
}

const AIM = ['type', 'step', 'reference', 'phoneNumber', 'operation', 'times', 'label'];

const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: isText,
  step: isText,
  reference: isText,
  phoneNumber: isText,
  failureCode: isText,
  label: isText,
  operation: (value) => PAYMENT_KINDS.some((kind) => kind === value),
  times: (value) => isWithin(value, 1, Number.MAX_SAFE_INTEGER),
  httpStatus: (value) => isWithin(value, 400, 599),
  delayMs: (value) => isWithin(value, 0, Number.MAX_SAFE_INTEGER),
  amount: (value) => typeof value === 'string' && /^\d{1,18}(\.\d{1,4})?$/.test(value),
  status: (value) => value === 'PENDING' || value === 'SUCCESSFUL' || value === 'FAILED',
  when: (value) => value === 'BEFORE' || value === 'AFTER',
  only: (value) => typeof value === 'boolean',
};

/** The parsed fault, or the error in it: a fault that never applies would make a test pass wrongly. */
export function parseFault(value: JsonObject): { fault: Fault } | { problem: string } {
  const type = value['type'];
  if (!isFaultType(type)) return { problem: `there is no fault of type ${JSON.stringify(type)}` };
  const { family, needs, allows = [] } = FORMS[type];
  if (needs !== undefined && value[needs] === undefined) return { problem: `'${needs}' is missing` };
  for (const [name, member] of Object.entries(value)) {
    if (![...AIM, ...allows, needs].includes(name)) return { problem: `this fault has no '${name}'` };
    if (CHECKS[name]?.(member) !== true) return { problem: `'${name}' cannot be ${JSON.stringify(member)}` };
  }
  const step = value['step'] ?? STEPS[family][0];
  if (!STEPS[family].some((possible) => possible === step)) return { problem: 'this fault has another step' };
  return { fault: value as Fault };
}

function isFaultType(value: unknown): value is Fault['type'] {
  return typeof value === 'string' && Object.hasOwn(FORMS, value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}
