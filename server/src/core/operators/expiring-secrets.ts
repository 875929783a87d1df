// Secrets of operator accounts that end by themselves: how long each still lasts. After its day an operator refuses
// what needs it.
import type { CredentialForm } from '../../connectors/operator.ts';
import { OPERATORS } from '../../connectors/registry.ts';
import {
  listCredentialValues,
  type CredentialsKey,
  type CredentialValues,
} from '../../store/operators/operator-credentials.ts';
import type { Engine } from '../engine.ts';
import { sample, type Sample } from '../monitoring/monitor-metrics.ts';

export async function measureSecrets({ store }: Engine, now: Date): Promise<readonly Sample[]> {
  const accounts = await listCredentialValues(store.database, store.keyring, CONNECTORS);
  return accounts.flatMap(({ connector, account, secretChangedAt, ...one }) =>
    listExpiring({ connector, ...one }).map(({ secret, lastsDays }) => {
      const endsAt = secretChangedAt.getTime() + lastsDays * DAY_MS;
      const labels = { connector, account, secret };
      return sample('malipo_operator_secret_expires_seconds', (endsAt - now.getTime()) / 1_000, labels);
    }),
  );
}

/** Whether new values of an account leave those that end as they were: then they are no younger than before. */
export function keepsExpiring(
  key: CredentialsKey & { readonly values: CredentialValues },
  before: CredentialValues | null,
): boolean {
  return listExpiring(key).every(({ secret }) => before?.[secret] === key.values[secret]);
}

const DAY_MS = 86_400_000;

/** Those of an account that are set. */
function listExpiring({
  connector,
  product,
  values,
}: Pick<CredentialsKey, 'connector' | 'product'> & { readonly values: CredentialValues }) {
  return expiringIn(OPERATORS[connector]?.credentials[product] ?? {}).filter(
    ({ secret }) => (values[secret] ?? '') !== '',
  );
}

function expiringIn(form: CredentialForm) {
  return Object.entries(form).flatMap(([secret, { lastsDays }]) =>
    lastsDays === undefined ? [] : [{ secret, lastsDays }],
  );
}

const CONNECTORS = Object.entries(OPERATORS).flatMap(([connector, { credentials }]) =>
  Object.values(credentials).some((form) => expiringIn(form).length > 0) ? [connector] : [],
);
