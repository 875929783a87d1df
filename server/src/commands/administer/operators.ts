// Accounts with operators: their credentials, and what was said to operators and by them.
import { text as readAll } from 'node:stream/consumers';
import { ONLY_PRODUCT, type Operator } from '../../connectors/operator.ts';
import { OPERATORS } from '../../connectors/registry.ts';
import { parseObject } from '../../connectors/json.ts';
import {
  changeCredentials,
  findCredentialFault,
  listAccounts,
  readTraffic,
  removeCredentials,
  retireAccount,
  type RetireAnswer,
} from '../../core/operators/administer-operators.ts';
import type { CredentialValues } from '../../store/operators/operator-credentials.ts';
import {
  print,
  readOptions,
  refuse,
  requireCount,
  requireOneOf,
  requirePerson,
  requireText,
  TEXT,
  UsageError,
  withGateway,
  type Command,
  type OptionValues,
} from '../command.ts';

const ACCOUNT_OPTIONS = { connector: TEXT, account: TEXT, product: { ...TEXT, default: ONLY_PRODUCT } };

const setCredentialsCommand: Command = {
  usage: '--connector NAME --account PROVIDER [--product NAME] --by NAME < values.json',
  summary:
    'set the credentials of an account with an operator, read as a JSON object of strings from standard ' +
    'input',
  run: async (args) => {
    const values = readOptions(args, { ...ACCOUNT_OPTIONS, by: TEXT });
    const by = requirePerson(values);
    const { operator, ...key } = requireAccount(values);
    const form = operator.credentials[key.product] ?? {};
    const given = requireTexts(await readAll(process.stdin));
    const fault = findCredentialFault(form, given);
    if (fault !== null) throw new UsageError(`The values do not fit ${key.connector}: ${fault}.`);
    await withGateway(async ({ engine }) => {
      await changeCredentials(engine, { by, ...key, values: given });
      print('set; running processes use them within ten seconds');
    });
  },
};

const removeCredentialsCommand: Command = {
  usage: '--connector NAME --account PROVIDER [--product NAME] --by NAME',
  summary:
    'send no new payments with an account; its credentials are kept for earlier payments until it is retired',
  run: async (args) => {
    const values = readOptions(args, { ...ACCOUNT_OPTIONS, by: TEXT });
    const by = requirePerson(values);
    const { operator: _, ...key } = requireAccount(values);
    await withGateway(async ({ engine }) => {
      if (await removeCredentials(engine, { by, ...key })) print('removed');
      else refuse('There are no such credentials.');
    });
  },
};

const listCredentialsCommand: Command = {
  usage: '[--connector NAME]',
  summary:
    'list accounts and their ids, including replaced ones; with --connector, the fields of its accounts',
  run: async (args) => {
    const values = readOptions(args, { connector: TEXT });
    if (values['connector'] !== undefined) return printForms(requireOperator(values).operator);
    await withGateway(async ({ engine }) => {
      for (const { connector, account, product, accountId, status, since } of await listAccounts(engine)) {
        print([connector, account, product, since.toISOString(), status, accountId].join('\t'));
      }
    });
  },
};

const retireAccountCommand: Command = {
  usage: '--connector NAME --account-id ID --by NAME',
  summary:
    'delete the credentials of a replaced account; deposits that it received can no longer be refunded ' +
    'with it',
  run: async (args) => {
    const values = readOptions(args, { connector: TEXT, 'account-id': TEXT, by: TEXT });
    const by = requirePerson(values);
    const { connector } = requireOperator(values);
    const accountId = requireText(values, 'account-id');
    await withGateway(async ({ engine }) => {
      const answer = await retireAccount(engine, { by, connector, accountId });
      if (answer.type === 'RETIRED') print('retired');
      else refuse(refusalOf(answer));
    });
  },
};

function refusalOf(answer: Exclude<RetireAnswer, { type: 'RETIRED' }>): string {
  switch (answer.type) {
    case 'NOT_FOUND':
      return 'No replaced account has this id. operator-account list shows them.';
    case 'JUST_REPLACED':
      return 'The account was replaced less than a minute ago. Try again in a minute.';
    case 'IN_USE':
      return `${answer.openPayments} open payments were sent with this account. Retire it when they have ended.`;
  }
}

const trafficCommand: Command = {
  usage: '[--reference REFERENCE] [--count 20] --by NAME',
  summary: 'list requests to operators and their answers, without keys and personal data, the newest first',
  run: async (args) => {
    const values = readOptions(args, { reference: TEXT, count: { ...TEXT, default: '20' }, by: TEXT });
    const reference = typeof values['reference'] === 'string' ? values['reference'] : null;
    const order = { by: requirePerson(values), reference, countMax: requireCount(values, 'count') };
    await withGateway(async ({ engine }) => {
      for (const { at, account, step, httpStatus, error, durationMs, request, answer } of await readTraffic(
        engine,
        order,
      )) {
        print([at.toISOString(), account, step, httpStatus ?? error, `${durationMs} ms`].join('\t'));
        print(`${indent(request)}\n${indent(answer)}`);
      }
    });
  },
};

function requireOperator(values: OptionValues): { readonly connector: string; readonly operator: Operator } {
  const connector = requireOneOf(Object.keys(OPERATORS), values, 'connector');
  const operator = OPERATORS[connector];
  if (operator === undefined) throw new UsageError(`There is no connector ${connector}.`);
  return { connector, operator };
}

function requireAccount(values: OptionValues) {
  const { connector, operator } = requireOperator(values);
  const product = requireOneOf(Object.keys(operator.credentials), values, 'product');
  return { operator, connector, account: requireText(values, 'account'), product };
}

function requireTexts(text: string): CredentialValues {
  const values = parseObject(text);
  if (values !== null && Object.values(values).every((value) => typeof value === 'string')) {
    return values as CredentialValues;
  }
  throw new UsageError('Standard input must hold a JSON object of texts: {"apiKey":"…"}.');
}

function printForms({ credentials }: Operator): void {
  for (const [product, form] of Object.entries(credentials)) {
    for (const [name, { what, kind, isOptional, identifiesAccount }] of Object.entries(form)) {
      const need = isOptional === true ? 'optional' : 'required';
      const identity = identifiesAccount === true ? ['identifies the account'] : [];
      print([product, name, kind, need, what, ...identity].join('\t'));
    }
  }
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

export const operatorCommands: ReadonlyMap<string, Command> = new Map([
  ['operator-account set', setCredentialsCommand],
  ['operator-account remove', removeCredentialsCommand],
  ['operator-account list', listCredentialsCommand],
  ['operator-account retire', retireAccountCommand],
  ['operator-traffic list', trafficCommand],
]);
