// `malipo-server availability-history`: when providers could not be used, who said so, and why.
import { findProvider } from '../../domain/operators/catalogue.ts';
import {
  listAvailabilityChanges,
  type AvailabilityChange,
} from '../../store/operators/availability-changes.ts';
import { print, readOptions, UsageError, withGateway, type Command } from '../command.ts';

/** As many as a person reads; older ones stay in the table. */
const CHANGES_SHOWN_MAX = 1_000;

export const availabilityHistoryCommand: Command = {
  usage: 'availability-history [--provider MTN_MOMO_RWA]',
  summary: 'show how the availability of providers changed: when, from what to what, set by whom, why',
  run: async (args) => {
    const values = readOptions(args, { provider: { type: 'string' } });
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
