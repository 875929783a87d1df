// Whether a provider can be used, as a person says.
import { changeAvailability } from '../../core/merchants/administer-merchants.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import type { Availability } from '../../store/operators/availability.ts';
import {
  print,
  readOptions,
  requireOneOf,
  requirePerson,
  requireText,
  TEXT,
  UsageError,
  withGateway,
  type Command,
} from '../command.ts';

const AVAILABILITIES: readonly Availability[] = ['OPERATIONAL', 'DELAYED', 'CLOSED'];

const setAvailabilityCommand: Command = {
  usage:
    'set-availability --provider MTN_MOMO_RWA --operation DEPOSIT ' +
    '--status OPERATIONAL|DELAYED|CLOSED --by NAME',
  summary: 'say whether a provider can be used; it stays so until a person says otherwise',
  run: async (args) => {
    const values = readOptions(args, { provider: TEXT, operation: TEXT, status: TEXT, by: TEXT });
    const provider = requireText(values, 'provider');
    if (findProvider(provider) === null) throw new UsageError(`There is no provider ${provider}.`);
    const operation = requireOneOf(PAYMENT_KINDS, values, 'operation');
    const status = requireOneOf(AVAILABILITIES, values, 'status');
    const by = requirePerson(values);
    await withGateway(async ({ engine }) => {
      const hasChanged = await changeAvailability(engine, { by, provider, operation, status });
      print(hasChanged ? 'set' : 'it was so before');
    });
  },
};

export const availabilityCommands: ReadonlyMap<string, Command> = new Map([
  ['set-availability', setAvailabilityCommand],
]);
