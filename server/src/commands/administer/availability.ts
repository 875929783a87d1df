// Whether a provider can be used: what a person sets, and how it changed.
import { changeAvailability } from '../../core/merchants/administer-merchants.ts';
import { findProvider } from '../../domain/operators/catalogue.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import type { Availability } from '../../store/operators/availability.ts';
import { describeReason } from '../../domain/operators/availability-reason.ts';
import { listAvailabilityChanges } from '../../store/operators/availability-changes.ts';
import { gatewayCommand } from '../command.ts';
import { print, row } from '../output.ts';
import { UsageError } from '../options.ts';

const AVAILABILITIES: readonly Availability[] = ['OPERATIONAL', 'DELAYED', 'CLOSED'];

/** As many as a person reads; older ones stay in the table. */
const CHANGES_SHOWN_MAX = 1_000;

export const availabilityCommands = {
  'availability set': gatewayCommand({
    usage: '--provider MTN_MOMO_RWA --operation DEPOSIT --status OPERATIONAL|DELAYED|CLOSED --by NAME',
    summary: 'set whether a provider can be used, until a person changes it',
    read: (options) => ({
      provider: requireKnown(options.text('provider')),
      operation: options.oneOf('operation', PAYMENT_KINDS),
      status: options.oneOf('status', AVAILABILITIES),
      by: options.person(),
    }),
    run: async ({ engine }, order) => {
      print((await changeAvailability(engine, order)) ? 'set' : 'nothing to change');
    },
  }),
  'availability history': gatewayCommand({
    usage: '[--provider MTN_MOMO_RWA]',
    summary: 'list changes, with who and why',
    read: (options) => {
      const provider = options.textOrNull('provider');
      return { provider: provider === null ? null : requireKnown(provider), countMax: CHANGES_SHOWN_MAX };
    },
    run: async ({ engine }, order) => {
      for (const change of await listAvailabilityChanges(engine.store.database, order)) {
        const { changedAt, provider, operation, from, to, setBy, why } = change;
        print(row(changedAt, provider, operation, `${from} -> ${to}`, setBy, describeReason(why)));
      }
    },
  }),
};

function requireKnown(provider: string): string {
  if (findProvider(provider) !== null) return provider;
  throw new UsageError(`There is no provider ${provider}.`);
}
