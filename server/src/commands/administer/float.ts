// Money between bank and operators, and what operators charge.
import { askedByCommand } from '../../core/approvals/request.ts';
import { describeRefusal } from '../../core/ledger/money-references.ts';
import { orderFloat, type FloatAnswer } from '../../core/ledger/move-float.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import { FLOAT_MOVEMENT_TYPES, type FloatMovement } from '../../domain/ledger/float-movement.ts';
import { parseReference, REFERENCE_FORM } from '../../domain/ledger/money-reference.ts';
import { gatewayCommand, REQUESTED } from '../command.ts';
import { print, refuse } from '../output.ts';
import { UsageError, type Options } from '../options.ts';
import { requireCurrency, requireProvider } from './provider.ts';

export const floatCommands = {
  'float move': gatewayCommand({
    usage:
      `--type ${FLOAT_MOVEMENT_TYPES.join('|')} --provider MTN_MOMO_RWA --currency RWF --amount 1000 ` +
      '--reference 10462517 --by NAME',
    summary: 'post money between bank and operator, or a charge, once for each reference, after approval',
    read: (options) => ({ by: options.person(), movement: requireMovement(options) }),
    run: async ({ engine }, { by, movement }) =>
      report(await orderFloat(engine, { ...askedByCommand(engine, by), movement })),
  }),
};

function requireMovement(options: Options): FloatMovement {
  const type = options.oneOf('type', FLOAT_MOVEMENT_TYPES);
  const provider = requireProvider(options);
  const currency = requireCurrency(options, provider);
  const reference = parseReference(options.text('reference'));
  if (reference === null) throw new UsageError(`--reference ${REFERENCE_FORM}.`);
  const amount = options.amount({ mayBeTaken: type === 'OPERATOR_CHARGE' });
  return { type, provider, country: findProvider(provider)?.country ?? '', currency, amount, reference };
}

function report(answer: FloatAnswer): void {
  switch (answer.type) {
    case 'DONE':
      return print('done');
    case 'REQUESTED':
      return print(REQUESTED);
    case 'REFERENCE_POSTED':
    case 'REFERENCE_REQUESTED':
      return print(describeRefusal(answer));
    case 'REFERENCE_TAKEN':
    case 'CELL_SILENT':
      return refuse(describeRefusal(answer));
  }
}
