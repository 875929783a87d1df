// Whether a provider can be used: what a person sets, and how it changed.
import { changeAvailability } from '../../core/merchants/administer-merchants.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import type { Availability } from '../../store/operators/availability.ts';
import {
  listAvailabilityChanges,
  type AvailabilityChange,
} from '../../store/operators/availability-changes.ts';
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
  usage: '--provider MTN_MOMO_RWA --operation DEPOSIT --status OPERATIONAL|DELAYED|CLOSED --by NAME',
  summary: 'set whether a provider can be used; it stays until a person changes it',
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

/** As many as a person reads; older ones stay in the table. */
const CHANGES_SHOWN_MAX = 1_000;

const availabilityHistoryCommand: Command = {
  usage: '[--provider MTN_MOMO_RWA]',
  summary: 'list how the availability of providers changed: when, from what to what, set by whom, why',
  run: async (args) => {
    const values = readOptions(args, { provider: TEXT });
    const provider = typeof values['provider'] === 'string' ? values['provider'] : null;
    if (provider !== null && findProvider(provider) === null)
      throw new UsageError(`There is no provider ${provider}.`);
    await withGateway(async ({ engine }) => {
      const options = { provider, countMax: CHANGES_SHOWN_MAX };
      const changes = await listAvailabilityChanges(engine.store.database, options);
      for (const change of changes) print(renderChange(change));
    });
  },
};

function renderChange({ changedAt, provider, operation, from, to, setBy, why }: AvailabilityChange): string {
  return [changedAt.toISOString(), provider, operation, `${from} -> ${to}`, setBy, why].join('\t');
}

export const availabilityCommands: ReadonlyMap<string, Command> = new Map([
  ['availability set', setAvailabilityCommand],
  ['availability history', availabilityHistoryCommand],
]);
