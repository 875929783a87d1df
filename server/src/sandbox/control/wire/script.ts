// Scripts: the outcome of the next payments of a phone number.
import { Type, type Static } from 'typebox';
import { PAYMENT_KINDS } from '../../../domain/payments/payment.ts';
import { findFault, invalidFault, missingFault, type Fault, type Parsed } from '../../../wire/fault.ts';
import { isJsonObject, type JsonObject } from '../../../wire/json.ts';
import { amountSchema } from '../../../wire/v2/amount.ts';
import { countSchema, listCountFaults } from '../../../wire/count.ts';

/** The effect of each scenario on a payment, and its parameters. */
const SCENARIOS = {
  SUCCESS: { effect: 'it completes', takes: [] },
  FAILURE: { effect: 'it fails with `failureCode`', takes: ['failureCode'] },
  LATE_SUCCESS: {
    effect:
      'it stays PROCESSING, goes to IN_RECONCILIATION when its time is over, and completes after `delaySeconds` ' +
      '(20 minutes)',
    takes: ['delaySeconds'],
  },
  DOUBLED_NOTIFICATION: { effect: 'the operator announces its end twice', takes: [] },
  MISSING_NOTIFICATION: { effect: 'the operator never announces its end', takes: [] },
  FORGED_NOTIFICATION: {
    effect: 'it fails with UNSPECIFIED_FAILURE, and somebody else announces a success',
    takes: [],
  },
  CONTRADICTING_NOTIFICATION: {
    effect: 'the operator announces its end, and after `delaySeconds` (1) the opposite',
    takes: ['delaySeconds'],
  },
  WRONG_AMOUNT: { effect: 'the operator moves `amount` (one unit more) instead', takes: ['amount'] },
  LOST_ANSWER: { effect: 'the operator takes it, but its answer is lost', takes: [] },
  OPERATOR_ERROR: { effect: 'the operator answers 503 and does not take it', takes: [] },
  AWAIT_PROMPT: { effect: 'the deposit waits until its prompt is answered', takes: [] },
} as const satisfies Record<string, { readonly effect: string; readonly takes: readonly string[] }>;

type Scenario = keyof typeof SCENARIOS;

const scenarioNames = Object.keys(SCENARIOS) as Scenario[];

const COLLECTION_CODES = [
  'PAYMENT_NOT_APPROVED',
  'INSUFFICIENT_BALANCE',
  'PAYMENT_IN_PROGRESS',
  'PAYER_NOT_FOUND',
  'PAYER_LIMIT_REACHED',
] as const;
const TRANSFER_CODES = ['RECIPIENT_NOT_FOUND', 'RECIPIENT_LIMIT_REACHED', 'WALLET_LIMIT_REACHED'] as const;
const COMMON_CODES = ['UNSPECIFIED_FAILURE', 'OTHER_ERROR'] as const;

const COUNTS = { times: { min: 1, max: 1_000 }, delaySeconds: { min: 0, max: 31_622_400 } };

const fields = {
  phoneNumber: Type.String({
    pattern: '^[0-9]{5,15}$',
    description: 'The payer of the deposits, or the recipient of the others.',
    examples: ['250783456789'],
  }),
  scenario: Type.Enum(scenarioNames, {
    type: 'string',
    description: scenarioNames.map((name) => `${name}: ${SCENARIOS[name].effect}.`).join(' '),
  }),
  failureCode: Type.Optional(
    Type.Enum([...COLLECTION_CODES, ...TRANSFER_CODES, ...COMMON_CODES], {
      type: 'string',
      description:
        `FAILURE only. Of deposits: ${COLLECTION_CODES.join(', ')}. Of the others: ${TRANSFER_CODES.join(', ')}. ` +
        `Of all: ${COMMON_CODES.join(', ')}.`,
    }),
  ),
  amount: Type.Optional(amountSchema),
  delaySeconds: Type.Optional(
    countSchema(COUNTS.delaySeconds, 'LATE_SUCCESS and CONTRADICTING_NOTIFICATION only.'),
  ),
};

const OPERATION = { type: 'string', description: 'The type of operation; deposits when left out.' };

export const scriptRequestSchema = Type.Object(
  {
    ...fields,
    operation: Type.Optional(Type.Enum(PAYMENT_KINDS, OPERATION)),
    times: Type.Optional(countSchema(COUNTS.times, 'How many payments it is for; one when left out.')),
  },
  { additionalProperties: false, title: 'ScriptRequest' },
);

export const scriptSchema = Type.Object(
  {
    scriptId: Type.String({ description: 'The name of the script.' }),
    ...fields,
    operation: Type.Enum(PAYMENT_KINDS, { type: 'string', description: 'The type of operation.' }),
    times: Type.Integer({ description: 'How many payments are left.' }),
  },
  { title: 'Script', description: 'A script that has not been played to its end.' },
);

export const scriptsSchema = Type.Array(scriptSchema, { title: 'Scripts' });

export const scriptPathSchema = Type.Object({ scriptId: Type.String() }, { additionalProperties: false });

export const scriptsRemovedSchema = Type.Object(
  { removed: Type.Integer({ description: 'How many scripts were removed.' }) },
  { title: 'ScriptsRemoved' },
);

export type ScriptRequest = Omit<Static<typeof scriptSchema>, 'scriptId' | 'delaySeconds'> & {
  readonly delayMs?: number;
};

export function parseScriptRequest(body: unknown): Parsed<ScriptRequest> {
  const further = isJsonObject(body) ? [...listCountFaults(body, COUNTS), ...listMisfits(body)] : [];
  const fault = findFault(scriptRequestSchema, body, further);
  if (fault !== null) return { type: 'FAULT', fault };
  const {
    operation = 'DEPOSIT',
    times = 1,
    delaySeconds,
    ...rest
  } = body as Static<typeof scriptRequestSchema>;
  const delay = delaySeconds === undefined ? {} : { delayMs: delaySeconds * 1_000 };
  return { type: 'PARSED', request: { ...rest, operation, times, ...delay } };
}

/** A script as the simulator sends it. */
export type SimulatorScript = Omit<ScriptRequest, 'failureCode'> & {
  readonly scriptId: string;
  readonly failureCode?: string;
};

export function renderScript({ delayMs, ...script }: SimulatorScript): object {
  return delayMs === undefined ? script : { ...script, delaySeconds: delayMs / 1_000 };
}

/** Combinations that the schema cannot exclude: such a script would do something other than it says. */
function listMisfits(body: JsonObject): readonly Fault[] {
  const scenario = scenarioNames.find((name) => name === body['scenario']);
  if (scenario === undefined) return [];
  const takes: readonly string[] = SCENARIOS[scenario].takes;
  const surplus = ['failureCode', 'amount', 'delaySeconds']
    .filter((name) => body[name] !== undefined && !takes.includes(name))
    .map((name) => invalidFault(name, `the scenario ${scenario} does not take it`));
  return [...surplus, ...listOperationMisfits(body, scenario)];
}

function listOperationMisfits(
  { operation = 'DEPOSIT', failureCode }: JsonObject,
  scenario: Scenario,
): readonly Fault[] {
  const isDeposit = operation === 'DEPOSIT';
  if (scenario === 'AWAIT_PROMPT' && !isDeposit)
    return [invalidFault('operation', 'only deposits are prompted for')];
  if (scenario !== 'FAILURE') return [];
  if (failureCode === undefined) return [missingFault('failureCode')];
  const wrong: readonly unknown[] = isDeposit ? TRANSFER_CODES : COLLECTION_CODES;
  return wrong.includes(failureCode)
    ? [invalidFault('failureCode', 'this operation cannot fail with it')]
    : [];
}
