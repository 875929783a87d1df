// How long secrets of operator accounts still last.
import { listCredentialValues } from '../../store/operators/operator-credentials.ts';
import type { StorePart } from '../engine.ts';
import { EXPIRING_CONNECTORS, listExpiring } from '../operators/expiring-secrets.ts';
import { sample, type Sample } from './monitor-metrics.ts';

export async function measureSecrets({ store }: StorePart, now: Date): Promise<readonly Sample[]> {
  const accounts = await listCredentialValues(store.database, store.keyring, EXPIRING_CONNECTORS);
  return accounts.flatMap(({ connector, account, secretChangedAt, ...one }) =>
    listExpiring({ connector, ...one }).map(({ secret, lastsDays }) => {
      const endsAt = secretChangedAt.getTime() + lastsDays * DAY_MS;
      const labels = { connector, account, secret };
      return sample('malipo_operator_secret_expires_seconds', (endsAt - now.getTime()) / 1_000, labels);
    }),
  );
}

const DAY_MS = 86_400_000;
