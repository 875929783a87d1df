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
import { gatewayCommand, withGateway } from '../command.ts';
import { print, refuse, row } from '../output.ts';
import { readOptions, UsageError, type Options } from '../options.ts';

const LIST_USAGE = '[--connector NAME]';

export const operatorCommands = {
  'operator-account set': gatewayCommand({
    usage: '--connector NAME --account PROVIDER [--product NAME] --by NAME < values.json',
    summary: 'set the credentials of an account, JSON from standard input',
    read: async (options) => {
      const by = options.person();
      const { operator, ...key } = requireAccount(options);
      const values = requireTexts(await readAll(process.stdin));
      const fault = findCredentialFault(operator.credentials[key.product] ?? {}, values);
      if (fault !== null) throw new UsageError(`The values do not fit ${key.connector}: ${fault}.`);
      return { by, ...key, values };
    },
    run: async ({ engine }, order) => {
      await changeCredentials(engine, order);
      print('set; running processes use them within ten seconds');
    },
  }),
  'operator-account remove': gatewayCommand({
    usage: '--connector NAME --account PROVIDER [--product NAME] --by NAME',
    summary: 'send no new payments with an account',
    read: (options) => {
      const { operator: _, ...key } = requireAccount(options);
      return { by: options.person(), ...key };
    },
    run: async ({ engine }, order) => {
      if (await removeCredentials(engine, order)) print('removed');
      else refuse('There are no such credentials.');
    },
  }),
  'operator-account list': {
    usage: LIST_USAGE,
    summary: 'list accounts; with --connector, their fields',
    run: async (args: readonly string[]) => {
      const options = readOptions(LIST_USAGE, args);
      if (options.isGiven('connector')) return printForms(requireOperator(options).operator);
      await withGateway(async ({ engine }) => {
        for (const { connector, account, product, accountId, status, since } of await listAccounts(engine))
          print(row(connector, account, product, since, status, accountId));
      });
    },
  },
  'operator-account retire': gatewayCommand({
    usage: '--connector NAME --account-id ID --by NAME',
    summary: 'delete the credentials of a replaced account; its deposits cannot be refunded any more',
    read: (options) => {
      const { connector } = requireOperator(options);
      return { by: options.person(), connector, accountId: options.text('account-id') };
    },
    run: async ({ engine }, order) => {
      const answer = await retireAccount(engine, order);
      if (answer.type === 'RETIRED') print('retired');
      else refuse(refusalOf(answer));
    },
  }),
  'operator-traffic list': gatewayCommand({
    usage: '[--reference REFERENCE] [--count 20] --by NAME',
    summary: 'list requests to operators and their answers',
    read: (options) => ({
      by: options.person(),
      reference: options.textOrNull('reference'),
      countMax: options.count('count', 20),
    }),
    run: async ({ engine }, order) => {
      for (const exchange of await readTraffic(engine, order)) {
        const { at, account, step, httpStatus, error, durationMs, request, answer } = exchange;
        print(row(at, account, step, httpStatus ?? error, `${durationMs} ms`));
        print(`${indent(request)}\n${indent(answer)}`);
      }
    },
  }),
};

function refusalOf(answer: Exclude<RetireAnswer, { type: 'RETIRED' }>): string {
  switch (answer.type) {
    case 'NOT_FOUND':
      return 'No replaced account has this id. operator-account list shows them.';
    case 'JUST_REPLACED':
      return 'The account was replaced less than a minute ago. Try again in a minute.';
    case 'IN_USE':
      return `${answer.openPayments} open payments use this account. Retire it when they are final.`;
  }
}

function requireOperator(options: Options): { readonly connector: string; readonly operator: Operator } {
  const connector = options.oneOf('connector', Object.keys(OPERATORS));
  const operator = OPERATORS[connector];
  if (operator === undefined) throw new UsageError(`There is no connector ${connector}.`);
  return { connector, operator };
}

function requireAccount(options: Options) {
  const { connector, operator } = requireOperator(options);
  const product = options.oneOf('product', Object.keys(operator.credentials), ONLY_PRODUCT);
  return { operator, connector, account: options.text('account'), product };
}

function requireTexts(text: string): CredentialValues {
  const values = parseObject(text);
  if (values !== null && Object.values(values).every((value) => typeof value === 'string')) {
    return values as CredentialValues;
  }
  throw new UsageError('Standard input must be a JSON object of strings: {"apiKey":"…"}.');
}

function printForms({ credentials }: Operator): void {
  for (const [product, form] of Object.entries(credentials)) {
    for (const [name, { what, kind, isOptional, identifiesAccount }] of Object.entries(form)) {
      const need = isOptional === true ? 'optional' : 'required';
      const identity = identifiesAccount === true ? ['identifies the account'] : [];
      print(row(product, name, kind, need, what, ...identity));
    }
  }
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
