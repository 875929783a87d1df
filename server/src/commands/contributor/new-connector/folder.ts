// The files of a connector that no one has written yet. Pure.

/** Texts by the names of their files. */
export function renderFiles(name: string): Readonly<Record<string, string>> {
  const variable = variableOf(name);
  return {
    'README.md': README.replaceAll('NAME', name),
    'connector.ts': CONNECTOR.replaceAll('NAME', name).replaceAll('VARIABLE', variable),
    'wire.ts': WIRE,
    'failures.ts': FAILURES,
    'fake.ts': FAKE,
  };
}

/** The registry with one line more; null where it has the connector, or is not as this command knows it. */
export function enterInRegistry(registry: string, name: string): string | null {
  const variable = variableOf(name);
  const isKnown = registry.includes(`'./${name}/connector.ts'`);
  const end = registry.indexOf('\n};', registry.indexOf('export const OPERATORS'));
  const imports = registry.indexOf("import type { Operator } from './operator.ts';");
  if (isKnown || end < 0 || imports < 0) return null;
  const withLine = `${registry.slice(0, end)}\n  ${keyOf(name)}: ${variable},${registry.slice(end)}`;
  const imported = `import { ${variable} } from './${name}/connector.ts';\n`;
  return withLine.slice(0, imports) + imported + withLine.slice(imports);
}

/** The registry of fakes with one line more; null where it is not as this command knows it. */
export function enterInFakes(registry: string, name: string): string | null {
  const end = registry.indexOf('\n};', registry.indexOf('export const FAKES'));
  if (end < 0) return null;
  const line = `  ${keyOf(name)}: () => import('../../connectors/${name}/fake.ts'),`;
  return `${registry.slice(0, end)}\n${line}${registry.slice(end)}`;
}

function keyOf(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`;
}

/** mtn-momo is exported as mtnMomo. */
function variableOf(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const README = `# NAME

What this operator offers, in two sentences. Not yet run against the operator:
[certify](../../../../docs/operating/operators.md#certify-an-account) first. What is not built.

## Connect

The command that sets the account, its fields, which of them identify it, and what to enter in the operator's portal.

## Before going live

- What to ask the operator, what to test with it, and the rate to agree.

## Evidence

A heading for each certainty, with its facts as a list below it: O (the operator's own page), S (its page, transcribed
elsewhere), X (dated observation), T (third-party code), M (measured by us), K (background knowledge), or several:

### O, S

## Failure codes

| Code | Deposit | Payout or refund |
|---|---|---|
`;

const CONNECTOR = `// The connector to NAME. Say here what is peculiar about the operator: whose reference, what
// a repeat does, what makes a notification authentic.
import { openLine } from '../line.ts';
import { ONLY_PRODUCT, type CredentialForm, type Operator, type OperatorContext } from '../operator.ts';
import type { Connector, ConnectorTiming } from '../port.ts';
import { readNotification } from './wire.ts';

const FIELDS: CredentialForm = {
  // Mark what identifies the account; a new key of the same account is not another account.
  baseUrl: { what: "the operator's address", kind: 'OPEN', identifiesAccount: true },
  accountNumber: { what: 'the number of the account', kind: 'OPEN', identifiesAccount: true },
  apiKey: { what: 'the key of the account', kind: 'SECRET' },
};

export const VARIABLE: Operator = {
  create,
  // The providers of the catalogue that this operator serves.
  providers: [],
  credentials: { [ONLY_PRODUCT]: FIELDS },
  rate: { perSecond: 10, burst: 10 },
  // What only the operator can answer: the list of README.md.
  certification: { sandboxUrls: [], questions: [] },
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const TIMING: ConnectorTiming = {
  sendDeadlineMs: 10 * SECOND_MS,
  timeoutMs: 10 * SECOND_MS,
  notSeenAfterMs: 60 * SECOND_MS,
  enquiryDelaysMs: [30, 60, 120, 300, 600].map((seconds) => seconds * SECOND_MS),
  horizonMs: 30 * MINUTE_MS,
  reconciliationDelayMs: 60 * MINUTE_MS,
};

function create(context: OperatorContext): Connector {
  const timing: ConnectorTiming = { ...TIMING, ...context.timing };
  const line = openLine({ name: 'NAME', context, timeoutMs: timing.timeoutMs });
  return {
    name: 'NAME',
    timing,
    reference: { chosenBy: 'OURS', shape: 'TOKEN' },
    repeatedSubmit: 'CHARGES_AGAIN',
    supports: () => false,
    submit: async () => {
      throw new Error('submit is not written');
    },
    query: async () => {
      throw new Error('query is not written');
    },
    notifications: { authenticity: 'HINTS_ONLY', read: readNotification },
    close: line.close,
  };
}
`;

const WIRE = `// The operator's words in both directions. Pure. Whatever cannot be read with certainty is UNKNOWN;
// only a status and a code we know may end a payment.
import type { NotificationReading, RawNotification } from '../port.ts';

export function readNotification(_notification: RawNotification): NotificationReading {
  throw new Error('readNotification is not written');
}
`;

const FAILURES = `// The operator's codes in ours. A code that is not in this table is unknown, never failed.
// README.md says how sure each one is.
import { meaningOf, type FailureTable, type Meaning } from '../failure-table.ts';

const TABLE: FailureTable = {};

/** Null for a code no one has mapped. */
export function parseCode(code: string): Meaning | null {
  return meaningOf(TABLE, code);
}
`;

const FAKE = `// The operator's fake: its API over HTTP with its real habits. List them here.
import type { StartFake } from '../../sandbox/fakes/operator-fake.ts';
import { startFakeKit } from '../../sandbox/fakes/kit.ts';

export const startFake: StartFake = (options) =>
  startFakeKit(options, () => ({
    routes: [],
    render: () => {
      throw new Error('render is not written');
    },
    habits: {
      createTransactionId: () => {
        throw new Error('createTransactionId is not written');
      },
      unknownCode: 'a code that stands in no table',
    },
    credentialsOf: () => {
      throw new Error('credentialsOf is not written');
    },
  }));
`;
