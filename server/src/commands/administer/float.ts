// Money between bank and operators, and what operators charge.
import { askedByCommand } from '../../core/approvals/request.ts';
import { describeUse } from '../../core/ledger/money-references.ts';
import { orderFloat, type FloatAnswer } from '../../core/ledger/move-float.ts';
import { findProvider, listProviders } from '../../domain/operators/catalogue.ts';
import { FLOAT_MOVEMENT_TYPES, type FloatMovement } from '../../domain/ledger/float-movement.ts';
import { parseReference, REFERENCE_FORM } from '../../domain/ledger/money-reference.ts';
import { parseAmount, type Amount } from '../../domain/money.ts';
import {
  print,
  readOptions,
  refuse,
  REQUESTED,
  requireOneOf,
  requirePerson,
  requireText,
  TEXT,
  UsageError,
  withGateway,
  type Command,
  type OptionValues,
} from '../command.ts';

const moveFloatCommand: Command = {
  usage:
    `--type ${FLOAT_MOVEMENT_TYPES.join('|')} --provider MTN_MOMO_RWA --currency RWF --amount 1000 ` +
    '--reference 10462517 --by NAME',
  summary:
    "post money between bank and operator or an operator's charge, once for each reference of the " +
    'operator; in production after approval',
  run: async (args) => {
    const options = { type: TEXT, provider: TEXT, currency: TEXT, amount: TEXT, reference: TEXT, by: TEXT };
    const values = readOptions(args, options);
    const by = requirePerson(values);
    const movement = requireMovement(values);
    await withGateway(async ({ engine }) =>
      tell(await orderFloat(engine, { ...askedByCommand(engine, by), movement })),
    );
  },
};

function requireMovement(values: OptionValues): FloatMovement {
  const type = requireOneOf(FLOAT_MOVEMENT_TYPES, values, 'type');
  const codes = listProviders().map(({ code }) => code);
  const provider = requireOneOf(codes, values, 'provider');
  const facts = findProvider(provider);
  const currencies = facts?.currencies.map(({ currency }) => currency) ?? [];
  const currency = requireOneOf(currencies, values, 'currency');
  const reference = parseReference(requireText(values, 'reference'));
  if (reference === null) throw new UsageError(`--reference ${REFERENCE_FORM}.`);
  const amount = requireAmount(requireText(values, 'amount'), type === 'OPERATOR_CHARGE');
  return { type, provider, country: facts?.country ?? '', currency, amount, reference };
}

function requireAmount(text: string, mayBeTaken: boolean): Amount {
  const isTaken = mayBeTaken && text.startsWith('-');
  const amount = parseAmount(isTaken ? text.slice(1) : text);
  if (amount === null || amount === 0n)
    throw new UsageError('--amount must be an amount such as 1000 or 12.5.');
  return isTaken ? -amount : amount;
}

function tell(answer: FloatAnswer): void {
  switch (answer.type) {
    case 'DONE':
      return print('done');
    case 'REQUESTED':
      return print(REQUESTED);
    case 'REFERENCE_POSTED':
    case 'REFERENCE_REQUESTED':
      return print(describeUse(answer));
    case 'REFERENCE_TAKEN':
      return refuse(describeUse(answer));
  }
}

export const floatCommands: ReadonlyMap<string, Command> = new Map([['float move', moveFloatCommand]]);
